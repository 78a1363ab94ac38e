import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../platform/postgres/sql.ts";
import { createOutbound } from "../../../platform/net/outbound.ts";
import { accept, answering } from "../../../../test/webhook-receiver.ts";
import { startWebhooks, type WebhookTest } from "../../../../test/webhooks.ts";
import { scheduleMs } from "../deliveries/schedule.ts";

const hour = 3_600_000;

/** Lets one event fail all its seven attempts. */
async function failForGood({ dispatcher, clock, givenEvent, receiver }: WebhookTest, endpointUuid: string) {
  receiver.answer = answering(500);
  await givenEvent(endpointUuid);
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await dispatcher.drain();
    clock.advance(24 * hour);
  }
}

test("after three deliveries failed for good the endpoint is warned, after five it is disabled", async (t) => {
  const started = await startWebhooks(t);
  const { endpoint, deliveries, givenEndpoint, givenEvent, dispatcher, receiver } = started;
  const { id, uuid } = await givenEndpoint();

  for (let failures = 1; failures <= 5; failures += 1) {
    await failForGood(started, uuid);
    const { status, status_reason: reason, warned_at: warnedAt } = await endpoint(id);
    assert.equal(warnedAt !== null, failures >= 3, `${failures} failures`);
    assert.deepEqual([status, reason], failures < 5 ? ["active", null] : ["disabled", "repeated_failures"]);
  }
  await givenEvent(uuid);
  const sent = receiver.received.length;
  await dispatcher.drain();

  assert.equal(receiver.received.length, sent);
  assert.equal((await deliveries(id))[0].status, "pending");
});

test("a success clears the count and the warning", async (t) => {
  const started = await startWebhooks(t);
  const { endpoint, dispatcher, receiver, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  for (let failures = 1; failures <= 4; failures += 1) await failForGood(started, uuid);
  assert.notEqual((await endpoint(id)).warned_at, null);

  receiver.answer = accept;
  await givenEvent(uuid);
  await dispatcher.drain();
  assert.equal((await endpoint(id)).warned_at, null);

  for (let failures = 1; failures <= 4; failures += 1) await failForGood(started, uuid);
  assert.equal((await endpoint(id)).status, "active");
});

test("a resend that fails counts for nothing, and one that succeeds clears", async (t) => {
  const started = await startWebhooks(t);
  const { send, endpoint, deliveries, dispatcher, receiver, givenEndpoint } = started;
  const { id, uuid } = await givenEndpoint();
  for (let failures = 1; failures <= 4; failures += 1) await failForGood(started, uuid);
  const [failed] = await deliveries(id);

  await send("POST", `/webhook-deliveries/${failed.id}/resend`);
  await dispatcher.drain();
  assert.equal((await endpoint(id)).status, "active");
  assert.equal((await deliveries(id))[0].status, "failed");

  receiver.answer = accept;
  await send("POST", `/webhook-deliveries/${failed.id}/resend`);
  await dispatcher.drain();
  assert.equal((await endpoint(id)).warned_at, null);
  assert.equal((await deliveries(id))[0].status, "delivered");
});

test("an endpoint that is activated after it was disabled starts with a clean record and gets what waited", async (t) => {
  const started = await startWebhooks(t);
  const { send, endpoint, dispatcher, receiver, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  for (let failures = 1; failures <= 5; failures += 1) await failForGood(started, uuid);
  await givenEvent(uuid);
  const sent = receiver.received.length;

  const { body } = await send("PATCH", `/webhook-endpoints/${id}`, { status: "active" });
  await dispatcher.drain();

  assert.deepEqual([body.data.status, body.data.status_reason, body.data.warned_at], ["active", null, null]);
  assert.equal(receiver.received.length, sent + 1);
  await failForGood(started, uuid);
  assert.equal((await endpoint(id)).status, "active");
});

test("410 disables the endpoint at once, and what is pending waits", async (t) => {
  const { dispatcher, endpoint, deliveries, receiver, givenEndpoint, givenEvent } = await startWebhooks(t, {
    answer: answering(410),
  });
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);

  await dispatcher.drain();
  await givenEvent(uuid);
  await dispatcher.drain();

  const { status, status_reason: reason } = await endpoint(id);
  assert.deepEqual([status, reason], ["disabled", "gone"]);
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(
    (await deliveries(id)).map(({ status: each, attempt_count: count }) => [each, count]),
    [
      ["pending", 0],
      ["pending", 1],
    ],
  );
});

test("410 from an earlier target does not disable an endpoint that has another by now", async (t) => {
  const { send, dispatcher, endpoint, receiver, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const held = Promise.withResolvers<void>();
  receiver.answer = (_call, response) => void held.promise.then(() => response.writeHead(410).end());
  const sending = dispatcher.drain();
  await receiver.until(() => receiver.received.length === 1);

  await send("PATCH", `/webhook-endpoints/${id}`, { url: `${receiver.url}/new` });
  held.resolve();
  await sending;

  assert.equal((await endpoint(id)).status, "active");
});

test("events of a paused endpoint wait, and go out in order when it is activated", async (t) => {
  const { send, dispatcher, clock, receiver, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  await send("PATCH", `/webhook-endpoints/${id}`, { status: "paused" });
  const { resource } = await givenEvent(uuid);
  clock.advance(hour);
  await givenEvent(uuid, { resource });
  clock.advance(20 * hour);
  await dispatcher.drain();
  assert.equal(receiver.received.length, 0);

  await send("PATCH", `/webhook-endpoints/${id}`, { status: "active" });
  await dispatcher.drain();

  assert.deepEqual(
    receiver.received.map(({ headers }) => [headers["x-svc-sequence"], headers["x-svc-delivery-attempt"]]),
    [
      ["1", "1"],
      ["2", "1"],
    ],
  );
});

test("events wait for a paused endpoint as long as their schedule lasts, and not longer", async (t) => {
  const { send, dispatcher, clock, receiver, deliveries, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { id, uuid } = await givenEndpoint();
  await send("PATCH", `/webhook-endpoints/${id}`, { status: "paused" });
  await givenEvent(uuid);
  clock.advance(1);
  await givenEvent(uuid);
  clock.advance(scheduleMs);

  await send("PATCH", `/webhook-endpoints/${id}`, { status: "active" });
  await dispatcher.drain();

  assert.equal(receiver.received.length, 1);
  assert.deepEqual(
    (await deliveries(id)).map(({ status }) => status),
    ["delivered", "terminated"],
  );
});

test("what waited too long ends by itself, although nobody activates the endpoint", async (t) => {
  const { send, upkeep, clock, deliveries, givenEndpoint, givenEvent } = await startWebhooks(t);
  const paused = await givenEndpoint();
  const active = await givenEndpoint();
  await send("PATCH", `/webhook-endpoints/${paused.id}`, { status: "paused" });
  await givenEvent(paused.uuid);
  await givenEvent(active.uuid);

  clock.advance(scheduleMs);
  await upkeep.run();
  assert.equal((await deliveries(paused.id))[0].status, "pending");
  clock.advance(1);
  await upkeep.run();

  assert.equal((await deliveries(paused.id))[0].status, "terminated");
  assert.equal((await deliveries(active.id))[0].status, "pending");
});

for (const way of ["by itself", "when the endpoint is activated"]) {
  test(`what a killed process was sending as its endpoint was paused ends ${way}, once it has waited too long`, async (t) => {
    const started = await startWebhooks(t);
    const { db, send, upkeep, dispatcher, clock, receiver, deliveries, givenEndpoint, givenEvent } = started;
    const { id, uuid } = await givenEndpoint();
    await givenEvent(uuid);
    // As a dispatcher leaves it that was killed in the middle of an attempt, a while ago.
    await db.query(sql`
      update webhook_deliveries
      set lease_token = lease_token + 1, lease_until = now()
      where endpoint_id = ${uuid}
    `);
    await send("PATCH", `/webhook-endpoints/${id}`, { status: "paused" });
    clock.advance(scheduleMs + 1);

    if (way === "by itself") await upkeep.run();
    else await send("PATCH", `/webhook-endpoints/${id}`, { status: "active" });
    await dispatcher.drain();

    const [delivery] = await deliveries(id);
    assert.deepEqual([delivery.status, delivery.next_attempt_at], ["terminated", null]);
    assert.equal(receiver.received.length, 0);
  });
}

test("a target that turns non-public disables the endpoint at the next attempt, before a byte is sent", async (t) => {
  let addresses = ["127.0.0.1"];
  const outbound = createOutbound({ allow: ["127.0.0.0/8"], lookup: async () => addresses });
  const { dispatcher, endpoint, deliveries, receiver, givenEndpoint, givenEvent } = await startWebhooks(t, {
    outbound,
  });
  const { id, uuid } = await givenEndpoint({ url: `https://receiver.test:${receiver.port}/` });
  await givenEvent(uuid);
  await dispatcher.drain();
  assert.equal(receiver.received.length, 1);

  addresses = ["127.0.0.1", "10.0.0.1"];
  await givenEvent(uuid);
  await dispatcher.drain();

  const { status, status_reason: reason } = await endpoint(id);
  assert.deepEqual([status, reason], ["disabled", "non_public_target"]);
  assert.equal(receiver.received.length, 1);
  const [{ attempts }] = await deliveries(id);
  assert.deepEqual([attempts[0].error, attempts[0].http_status, attempts[0].response], ["not_public", null, null]);
});

test("a test event and an activation find out that the target is no longer public, too", async (t) => {
  let addresses = ["127.0.0.1"];
  const outbound = createOutbound({ allow: ["127.0.0.0/8"], lookup: async () => addresses });
  const { send, endpoint, receiver, givenEndpoint } = await startWebhooks(t, { outbound });
  const url = `https://receiver.test:${receiver.port}/`;
  const tested = await givenEndpoint({ url });
  const paused = await givenEndpoint({ url });
  await send("PATCH", `/webhook-endpoints/${paused.id}`, { status: "paused" });
  addresses = ["169.254.169.254"];

  const answers = [
    await send("POST", `/webhook-endpoints/${tested.id}/test`),
    await send("PATCH", `/webhook-endpoints/${paused.id}`, { status: "active" }),
  ];

  for (const { status, body } of answers) {
    assert.deepEqual([status, body.error.code], [409, "state_conflict"]);
    assert.deepEqual(body.error.details, ["/url: must have a target that is public"]);
  }
  for (const { id } of [tested, paused]) {
    const { status, status_reason: reason } = await endpoint(id);
    assert.deepEqual([status, reason], ["disabled", "non_public_target"]);
  }
});
