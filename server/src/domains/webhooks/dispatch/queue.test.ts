import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../../../platform/ids.ts";
import { createOutbound } from "../../../platform/net/outbound.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { accept, answering, type Received } from "../../../../test/webhook-receiver.ts";
import { startWebhooks, type WebhookTest } from "../../../../test/webhooks.ts";

const sequences = (calls: readonly Received[]) => calls.map(({ headers }) => Number(headers["x-svc-sequence"]));

/** Leases run on the database's clock: their end is written, not waited for. */
async function expireLeases(db: Queryable, endpointUuid: string) {
  await db.query(sql`
    update webhook_deliveries
    set lease_until = now()
    where endpoint_id = ${endpointUuid}
      and lease_until is not null
  `);
}

async function givenEvents({ givenEvent }: WebhookTest, endpointUuid: string, count: number) {
  const resource = { type: "scrape_job" as const, id: newUuid() };
  for (let index = 0; index < count; index += 1) await givenEvent(endpointUuid, { resource });
  return resource;
}

test("first attempts of one resource are made in order, one after the other, by any number of dispatchers", async (t) => {
  const started = await startWebhooks(t);
  const { receiver, newDispatcher, givenEndpoint } = started;
  const { uuid } = await givenEndpoint();
  const resources = [
    await givenEvents(started, uuid, 10),
    await givenEvents(started, uuid, 10),
    await givenEvents(started, uuid, 10),
  ];
  const open = new Set<string>();
  receiver.answer = (call, response) => {
    const { id } = call.body["resource"];
    assert.ok(!open.has(id), "two first attempts of one resource at once");
    open.add(id);
    setImmediate(() => {
      open.delete(id);
      response.writeHead(204).end();
    });
  };
  const dispatchers = [newDispatcher(), newDispatcher(), newDispatcher()];

  for (const dispatcher of dispatchers) dispatcher.start();
  await receiver.until(() => receiver.received.length === 30);

  for (const { id } of resources) {
    const calls = receiver.received.filter(({ body }) => body["resource"].id === id);
    assert.deepEqual(sequences(calls), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  }
});

test("a first attempt that failed does not hold up the next event, and one not yet made does", async (t) => {
  const started = await startWebhooks(t, { limits: { perEndpointMax: 1 } });
  const { receiver, dispatcher, givenEndpoint } = started;
  const { uuid } = await givenEndpoint();
  await givenEvents(started, uuid, 3);
  receiver.answer = answering(500);

  await dispatcher.drain();

  assert.deepEqual(sequences(receiver.received), [1, 2, 3]);
});

test("an endpoint that hangs holds a few places, and the others get theirs at once", async (t) => {
  const started = await startWebhooks(t, { limits: { heldMax: 12 } });
  const { receiver, newDispatcher, givenEndpoint, givenEvent } = started;
  const hanging = await givenEndpoint({ url: `${receiver.url}/hang` });
  const healthy = await givenEndpoint({ url: `${receiver.url}/well` });
  const held: (() => void)[] = [];
  receiver.answer = (call, response) => {
    if (call.path.endsWith("/hang")) held.push(() => response.writeHead(204).end());
    else accept(call, response);
  };
  for (let count = 0; count < 40; count += 1) await givenEvent(hanging.uuid);
  for (let count = 0; count < 40; count += 1) await givenEvent(healthy.uuid);
  const dispatcher = newDispatcher();

  dispatcher.start();
  await receiver.until(() => receiver.received.filter(({ path }) => path.endsWith("/well")).length === 40);

  assert.ok(held.length > 0 && held.length <= 4, `${held.length} attempts hang`);
  for (const answer of held) answer();
});

test("endpoints whose names nobody looks up leave half of the places to others", async (t) => {
  let asked = 0;
  let isSilent = false;
  const lookup = async (name: string) => {
    if (!isSilent || name === "receiver.test") return ["127.0.0.1"];
    asked += 1;
    return new Promise<never>(() => {});
  };
  const outbound = createOutbound({ allow: ["127.0.0.0/8"], lookup });
  const started = await startWebhooks(t, { outbound, limits: { heldMax: 12, deadlineMs: 250 } });
  const { receiver, newDispatcher, givenEndpoint, givenEvent } = started;
  const at = (name: string) => givenEndpoint({ url: receiver.url.replace("127.0.0.1", name) });
  const silent = [await at("one.test"), await at("two.test"), await at("three.test")];
  const healthy = await at("receiver.test");
  for (let count = 0; count < 40; count += 1) for (const { uuid } of silent) await givenEvent(uuid);
  await givenEvent(healthy.uuid);
  isSilent = true;

  newDispatcher().start();
  await receiver.until(() => receiver.received.length === 1);

  assert.ok(asked <= 40, `${asked} of 120 attempts came first`);
});

test("endpoints that answered until they had many places leave some to others", { timeout: 40_000 }, async (t) => {
  const limits = { heldMax: 48, perEndpointMax: 8, deadlineMs: 60_000 };
  const started = await startWebhooks(t, { limits });
  const { receiver, newDispatcher, givenEndpoint, givenEvent } = started;
  const greedy = await Promise.all([1, 2, 3].map((each) => givenEndpoint({ url: `${receiver.url}/greedy${each}` })));
  const healthy = await givenEndpoint({ url: `${receiver.url}/well` });
  const held: (() => void)[] = [];
  let answered = 0;
  receiver.answer = (call, response) => {
    answered += 1;
    if (answered <= 90 || call.path.endsWith("/well")) accept(call, response);
    else held.push(() => response.writeHead(204).end());
  };
  for (let count = 0; count < 60; count += 1) for (const { uuid } of greedy) await givenEvent(uuid);
  newDispatcher().start();
  await receiver.until(() => held.length >= 16);

  await givenEvent(healthy.uuid);
  await receiver.until(() => receiver.received.some(({ path }) => path.endsWith("/well")));

  for (const answer of held) answer();
});

test("an event is sent when it is told of, without waiting for the next look", async (t) => {
  const started = await startWebhooks(t, { limits: { pollMs: 600_000 } });
  const { receiver, newDispatcher, givenEndpoint, givenEvent } = started;
  const { uuid } = await givenEndpoint();
  newDispatcher().start();

  await givenEvent(uuid);
  await receiver.until(() => receiver.received.length === 1);
  await givenEvent(uuid);
  await receiver.until(() => receiver.received.length === 2);
});

test("what a killed dispatcher held is sent by another once its lease has ended, under the same number", async (t) => {
  const started = await startWebhooks(t);
  const { db, receiver, dispatcher, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  // As a dispatcher leaves it that was killed in the middle of an attempt.
  await db.query(sql`
    update webhook_deliveries
    set lease_token = lease_token + 1, lease_until = now() + interval '1 hour'
    where endpoint_id = ${uuid}
  `);

  await dispatcher.drain();
  assert.equal(receiver.received.length, 0);
  await expireLeases(db, uuid);
  await dispatcher.drain();

  assert.equal(receiver.received[0]?.headers["x-svc-delivery-attempt"], "1");
  assert.equal((await deliveries(id))[0].status, "delivered");
});

test("a dispatcher renews the lease of an attempt that takes longer than the lease", async (t) => {
  const started = await startWebhooks(t, { limits: { leaseMs: 1_000 } });
  const { db, receiver, newDispatcher, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const answer = Promise.withResolvers<void>();
  receiver.answer = (_call, response) => void answer.promise.then(() => response.writeHead(204).end());
  const leaseUntil = async () => {
    const { rows } = await db.query<{ leaseUntil: Date | null }>(sql`
      select lease_until as "leaseUntil"
      from webhook_deliveries
      where endpoint_id = ${uuid}
    `);
    return rows[0]?.leaseUntil?.getTime() ?? 0;
  };

  for (const dispatcher of [newDispatcher(), newDispatcher()]) dispatcher.start();
  await receiver.until(() => receiver.received.length === 1);
  const first = await leaseUntil();
  while ((await leaseUntil()) < first + 3_000);
  answer.resolve();
  while ((await deliveries(id))[0].status === "pending");

  assert.equal(receiver.received.length, 1);
});

test("a dispatcher that lost its lease writes nothing", async (t) => {
  const started = await startWebhooks(t);
  const { db, receiver, dispatcher, newDispatcher, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.answer = (_call, response) => void first.promise.then(() => response.writeHead(500).end());
  const slow = dispatcher.drain();
  await receiver.until(() => receiver.received.length === 1);
  await expireLeases(db, uuid);
  receiver.answer = (_call, response) => void second.promise.then(() => response.writeHead(204).end());
  const quick = newDispatcher().drain();
  await receiver.until(() => receiver.received.length === 2);

  first.resolve();
  await slow;
  const [during] = await deliveries(id);
  second.resolve();
  await quick;

  assert.deepEqual([during.attempt_count, during.attempts], [0, []]);
  const [{ status, attempts }] = await deliveries(id);
  assert.equal(status, "delivered");
  assert.deepEqual(
    attempts.map(({ http_status: each }: { http_status: number }) => each),
    [204],
  );
});

test("an attempt whose lease another took is stopped, and counts for nothing", { timeout: 40_000 }, async (t) => {
  const started = await startWebhooks(t, { limits: { leaseMs: 1_000, deadlineMs: 600_000 } });
  const { db, receiver, newDispatcher, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const closed = Promise.withResolvers<void>();
  receiver.answer = (_call, response) => void response.on("close", closed.resolve);
  newDispatcher().start();
  await receiver.until(() => receiver.received.length === 1);

  await db.query(sql`
    update webhook_deliveries
    set lease_token = lease_token + 1, lease_until = now() + interval '1 hour'
    where endpoint_id = ${uuid}
  `);
  await closed.promise;

  assert.equal((await deliveries(id))[0].attempt_count, 0);
});

test("a dispatcher that is stopped hands back what hangs, and it goes out again as if nothing had been", async (t) => {
  const started = await startWebhooks(t, { limits: { stopGraceMs: 1 } });
  const { receiver, newDispatcher, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  receiver.answer = () => undefined;
  const first = newDispatcher();
  first.start();
  await receiver.until(() => receiver.received.length === 1);

  await first.stop();
  const [{ attempt_count: count, next_attempt_at: next }] = await deliveries(id);
  receiver.answer = accept;
  await newDispatcher().drain();

  assert.equal(count, 0);
  assert.notEqual(next, null);
  assert.equal(receiver.received[1]?.headers["x-svc-delivery-attempt"], "1");
  assert.equal((await deliveries(id))[0].status, "delivered");
});

test("a dispatcher that is stopped waits for attempts that end in time", async (t) => {
  const started = await startWebhooks(t, { limits: { stopGraceMs: 60_000 } });
  const { receiver, newDispatcher, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const held = Promise.withResolvers<void>();
  receiver.answer = (_call, response) => void held.promise.then(() => response.writeHead(204).end());
  const dispatcher = newDispatcher();
  dispatcher.start();
  await receiver.until(() => receiver.received.length === 1);

  const stopped = dispatcher.stop();
  held.resolve();
  await stopped;

  assert.equal((await deliveries(id))[0].status, "delivered");
});

test("a healthy receiver is reached over connections that are kept", async (t) => {
  const started = await startWebhooks(t);
  const { receiver, dispatcher, givenEndpoint } = started;
  const { uuid } = await givenEndpoint();
  await givenEvents(started, uuid, 20);

  await dispatcher.drain();

  assert.equal(receiver.received.length, 20);
  assert.equal(receiver.connections, 1);
});

test("old events and their deliveries go after 30 days, except what the next sequence is counted from", async (t) => {
  const started = await startWebhooks(t);
  const { send, db, clock, upkeep, dispatcher, receiver, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await send("POST", `/webhook-endpoints/${id}/test`);
  await send("POST", `/webhook-endpoints/${id}/test`);
  await givenEvent(uuid);
  await dispatcher.drain();
  const count = async () => {
    const { rows } = await db.query<{ count: number }>(sql`
      select count(*) as count from webhook_deliveries where endpoint_id = ${uuid}
    `);
    return rows[0]?.count;
  };

  clock.advance(30 * 24 * 3_600_000);
  await upkeep.run();
  assert.equal(await count(), 3);
  clock.advance(1);
  await upkeep.run();
  assert.equal(await count(), 1);
  await send("POST", `/webhook-endpoints/${id}/test`);
  await dispatcher.drain();

  assert.equal(receiver.received.at(-1)?.headers["x-svc-sequence"], "3");
});
