import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { newUuid } from "../../../platform/ids.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { type Answer, answering, header, isSigned } from "../../../../test/webhook-receiver.ts";
import { startWebhooks } from "../../../../test/webhooks.ts";

test("a delivery carries the documented headers and body, signed over the very bytes sent", async (t) => {
  const { dispatcher, clock, receiver, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { uuid, secret } = await givenEndpoint();
  const event = await givenEvent(uuid, { operation: 'Grüße 🌍 </script> \u2028 "quoted"' });

  await dispatcher.drain();

  const [call = assert.fail("nothing was received"), ...more] = receiver.received;
  assert.equal(more.length, 0);
  assert.deepEqual(call.body["data"].operation, event.data.operation);
  const { headers, raw } = call;
  assert.equal(headers["content-type"], "application/json");
  assert.equal(headers["x-svc-timestamp"], String(Math.floor(clock.now().getTime() / 1000)));
  assert.match(header(headers, "x-svc-signature"), /^v1=[0-9a-f]{64}$/);
  assert.equal(headers["x-svc-signature-version"], "v1");
  assert.equal(headers["x-svc-key-version"], "1");
  assert.equal(headers["x-svc-event-id"], call.body["id"]);
  assert.equal(headers["x-svc-sequence"], "1");
  assert.equal(headers["x-svc-delivery-attempt"], "1");
  assert.ok(isSigned(call, secret));
  assert.ok(!isSigned({ headers, raw: Buffer.concat([raw, Buffer.from(" ")]) }, secret));
  assert.ok(!isSigned(call, secret.replace("whsec_", "")));
});

test("existing verifiers of Standard Webhooks accept a delivery and refuse a changed one", async (t) => {
  const { dispatcher, receiver, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { uuid, secret } = await givenEndpoint();
  await givenEvent(uuid);

  await dispatcher.drain();

  const [{ raw, headers, body } = assert.fail("nothing was received")] = receiver.received;
  const trio = {
    "webhook-id": header(headers, "webhook-id"),
    "webhook-timestamp": header(headers, "webhook-timestamp"),
    "webhook-signature": header(headers, "webhook-signature"),
  };
  assert.equal(trio["webhook-id"], body["id"]);
  assert.equal(trio["webhook-timestamp"], headers["x-svc-timestamp"]);
  assert.deepEqual(new Webhook(secret).verify(raw.toString("utf8"), trio), body);
  assert.throws(() => new Webhook(secret).verify(`${raw.toString("utf8")} `, trio));
});

test("any 2xx acknowledges, anything else is a failure, and a redirect is not followed", async (t) => {
  const { dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  const location = { Location: receiver.url };
  const statuses = [200, 201, 204, 299, 300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503];

  for (const status of statuses) {
    receiver.answer = answering(status, status < 400 ? location : {});
    await givenEvent(uuid);
    await dispatcher.drain();
  }

  assert.equal(receiver.received.length, statuses.length);
  const found = (await deliveries(id)).toReversed();
  for (const [index, status] of statuses.entries()) {
    const { attempts } = found[index];
    assert.equal(found[index].status, status < 300 ? "delivered" : "pending", String(status));
    assert.equal(attempts.length, 1);
    assert.equal(attempts[0].http_status, status);
    assert.equal(attempts[0].error, status < 300 ? null : status < 400 ? "redirected" : "bad_status");
  }
});

test("a 2xx acknowledges whatever becomes of its body", async (t) => {
  const { dispatcher, receiver, givenEndpoint, givenEvent, deliveries } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  const answers: Answer[] = [
    answering(200, { "Content-Encoding": "gzip" }, "not gzip"),
    (_received, response) => {
      response.writeHead(200, { "Content-Length": "1000" }).write("cut", () => response.destroy());
    },
    (_received, response) => void response.writeHead(200, { "Content-Length": "1000" }).write("drip"),
  ];

  for (const answer of answers) {
    receiver.answer = answer;
    await givenEvent(uuid);
    await dispatcher.drain();
  }

  const made = (await deliveries(id)).toReversed();
  assert.deepEqual(
    made.map(({ status, attempts: [only] }) => [status, only.http_status, only.error, only.response]),
    [
      ["delivered", 200, null, "not gzip"],
      ["delivered", 200, null, "cut"],
      ["delivered", 200, null, "drip"],
    ],
  );
});

test("the list of deliveries shows each attempt with time, latency, status, error and answer", async (t) => {
  const { dispatcher, clock, receiver, deliveries, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  const event = await givenEvent(uuid);
  const startedAt = clock.now().toISOString();
  receiver.answer = answering(500, {}, "out of order");

  await dispatcher.drain();
  const [failed] = await deliveries(id);
  clock.advance(60_000);
  receiver.answer = answering(200, {}, "thank you");
  await dispatcher.drain();
  const [delivered] = await deliveries(id);

  const { attempts, ...record } = failed;
  assert.equal(record.endpoint_id, id);
  assert.equal(record.event_type, "scrape.started");
  assert.deepEqual(record.resource, { type: "scrape_job", id: event.resource.id, sequence: "1" });
  assert.equal(record.attempt_count, 1);
  assert.equal(record.finished_at, null);
  assert.ok(attempts[0].latency_ms >= 0);
  assert.deepEqual(
    { ...attempts[0], latency_ms: 0 },
    {
      number: 1,
      resend: false,
      secret_version: 1,
      started_at: startedAt,
      latency_ms: 0,
      http_status: 500,
      error: "bad_status",
      response: "out of order",
    },
  );
  assert.deepEqual(
    delivered.attempts.map(({ number, response }: { number: number; response: string }) => [number, response]),
    [
      [1, "out of order"],
      [2, "thank you"],
    ],
  );
  assert.equal(delivered.status, "delivered");
  assert.equal(delivered.next_attempt_at, null);
  assert.equal(delivered.finished_at, clock.now().toISOString());
});

test("at most 2 KiB of an answer are kept, whatever its bytes", async (t) => {
  const { dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  const bodies = [Buffer.alloc(2048, "a"), Buffer.alloc(2049, "b"), Buffer.alloc(1_000_000, "c"), Buffer.alloc(3000)];

  for (const body of bodies) {
    receiver.answer = (_call, response) => void response.end(body);
    await givenEvent(uuid);
    await dispatcher.drain();
  }

  const kept = (await deliveries(id)).toReversed().map(({ status, attempts }) => {
    assert.equal(status, "delivered");
    return attempts[0].response as string;
  });
  assert.deepEqual(kept.slice(0, 3), ["a".repeat(2048), "b".repeat(2048), "c".repeat(2048)]);
  for (const text of kept) assert.ok(Buffer.byteLength(text) <= 2048);
});

test("a test event goes to an active endpoint like any other, and to no other endpoint", async (t) => {
  const { send, dispatcher, receiver, deliveries, givenEndpoint } = await startWebhooks(t);
  const { id, uuid, secret } = await givenEndpoint();

  const answers = [
    await send("POST", `/webhook-endpoints/${id}/test`),
    await send("POST", `/webhook-endpoints/${id}/test`),
  ];
  await dispatcher.drain();

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.data.status, body.data.event_type]),
    [
      [202, "pending", "webhook.test"],
      [202, "pending", "webhook.test"],
    ],
  );
  const [first = assert.fail("nothing was received"), second] = receiver.received;
  assert.ok(isSigned(first, secret));
  assert.equal(first.body["type"], "webhook.test");
  assert.equal(first.body["request_id"], answers[0]?.body["request_id"]);
  assert.deepEqual(first.body["resource"], { type: "webhook_endpoint", id: uuid, sequence: "1" });
  assert.deepEqual(Object.keys(first.body["data"]), ["endpoint_id", "version", "sequence"]);
  assert.equal(first.body["data"].endpoint_id, id);
  assert.equal(second?.body["data"].sequence, 2);
  assert.deepEqual(
    (await deliveries(id)).map(({ status }) => status),
    ["delivered", "delivered"],
  );

  await send("PATCH", `/webhook-endpoints/${id}`, { status: "paused" });
  const refused = await send("POST", `/webhook-endpoints/${id}/test`);
  assert.equal(refused.status, 409);
  assert.equal(refused.body.error.code, "state_conflict");
});

test("resending makes one attempt now, outside the seven, whatever became of the delivery", async (t) => {
  const { send, dispatcher, clock, receiver, deliveries, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid, secret } = await givenEndpoint();
  await givenEvent(uuid);
  receiver.answer = answering(500);
  await dispatcher.drain();
  const [before] = await deliveries(id);

  clock.advance(1_000);
  const { status, body } = await send("POST", `/webhook-deliveries/${before.id}/resend`);
  await dispatcher.drain();
  const [failedAgain] = await deliveries(id);

  assert.equal(status, 202);
  assert.equal(body.data.id, before.id);
  assert.equal(receiver.received.length, 2);
  assert.equal(receiver.received[1]?.headers["x-svc-delivery-attempt"], "1");
  assert.equal(failedAgain.status, "pending");
  assert.equal(failedAgain.attempt_count, 1);
  assert.equal(failedAgain.next_attempt_at, before.next_attempt_at);
  assert.deepEqual(
    failedAgain.attempts.map(({ resend }: { resend: boolean }) => resend),
    [false, true],
  );

  receiver.answer = answering(200);
  await send("POST", `/webhook-deliveries/${before.id}/resend`);
  await dispatcher.drain();
  assert.equal((await deliveries(id))[0].status, "delivered");

  receiver.answer = answering(500);
  await send("POST", `/webhook-deliveries/${before.id}/resend`);
  await dispatcher.drain();
  const [after] = await deliveries(id);
  assert.equal(after.status, "delivered");
  assert.equal(after.next_attempt_at, null);
  assert.equal(after.attempts.length, 4);
  assert.ok(receiver.received.every((call) => isSigned(call, secret)));
  assert.ok(receiver.received.every(({ body: { id: eventId } }) => eventId === before.event_id));
});

test("a delivery cannot be resent to an endpoint that is not active, nor while an attempt is under way", async (t) => {
  const { send, dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const held = Promise.withResolvers<void>();
  receiver.answer = (_call, response) => void held.promise.then(() => response.writeHead(204).end());
  const sending = dispatcher.drain();
  await receiver.until(() => receiver.received.length === 1);
  const [delivery] = await deliveries(id);

  const during = await send("POST", `/webhook-deliveries/${delivery.id}/resend`);
  held.resolve();
  await sending;
  await send("PATCH", `/webhook-endpoints/${id}`, { status: "paused" });
  const paused = await send("POST", `/webhook-deliveries/${delivery.id}/resend`);

  assert.equal(delivery.next_attempt_at, null);
  for (const { status, body } of [during, paused]) {
    assert.equal(status, 409);
    assert.equal(body.error.code, "state_conflict");
  }
});

test("deleting an endpoint terminates what is pending, an attempt under way included", async (t) => {
  const { send, dispatcher, db, receiver, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  await dispatcher.drain();
  const resource = { type: "scrape_job" as const, id: newUuid() };
  await givenEvent(uuid, { resource });
  await givenEvent(uuid, { resource });
  const held = Promise.withResolvers<void>();
  receiver.answer = (_call, response) => void held.promise.then(() => response.writeHead(204).end());
  const sending = dispatcher.drain();
  await receiver.until(() => receiver.received.length === 2);

  await send("DELETE", `/webhook-endpoints/${id}`);
  held.resolve();
  await sending;

  assert.equal(receiver.received.length, 2);
  const { rows } = await db.query<{ status: string; run_at: Date | null }>(sql`
    select status, run_at from webhook_deliveries where endpoint_id = ${uuid} order by id
  `);
  assert.deepEqual(rows, [
    { status: "delivered", run_at: null },
    { status: "terminated", run_at: null },
    { status: "terminated", run_at: null },
  ]);
});
