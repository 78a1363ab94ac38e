import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../platform/postgres/sql.ts";
import { accept, answering, isSigned } from "../../../../test/webhook-receiver.ts";
import { startWebhooks, type WebhookTest } from "../../../../test/webhooks.ts";

const hour = 3_600_000;

async function rotate({ send }: WebhookTest, endpointId: string, mode: string): Promise<string> {
  const { status, body, text } = await send("POST", `/webhook-endpoints/${endpointId}/rotate-secret`, { mode });
  assert.equal(status, 200, text);
  return body.data.secret;
}

async function versions({ db }: WebhookTest, endpointUuid: string): Promise<number[]> {
  const { rows } = await db.query<{ version: number }>(sql`
    select version from webhook_secrets where endpoint_id = ${endpointUuid} order by version
  `);
  return rows.map(({ version }) => version);
}

test("rotating answers 200 with the record at its next version and a new secret; the mode is required", async (t) => {
  const { send, givenEndpoint, endpoint } = await startWebhooks(t);
  const { id, secret: first } = await givenEndpoint();

  for (const [index, mode] of ["normal", "compromise"].entries()) {
    const { status, body } = await send("POST", `/webhook-endpoints/${id}/rotate-secret`, { mode });
    const { secret, ...record } = body.data;
    assert.equal(status, 200);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(secret, first);
    assert.equal(record.secret_version, index + 2);
    assert.deepEqual(await endpoint(id), record);
  }
  for (const json of [{}, { mode: "gentle" }, { mode: null }, { mode: "normal", overlap: 1 }]) {
    assert.equal((await send("POST", `/webhook-endpoints/${id}/rotate-secret`, json)).status, 400);
  }
});

for (const mode of ["normal", "compromise"]) {
  test(`a ${mode} rotation before any of the seven attempts lets every later one be verified`, async (t) => {
    const started = await startWebhooks(t, { answer: answering(500) });
    const { dispatcher, upkeep, clock, receiver, givenEndpoint, givenEvent } = started;

    for (let point = 1; point <= 7; point += 1) {
      receiver.received.length = 0;
      const { id, uuid, secret } = await givenEndpoint();
      await givenEvent(uuid);
      let rotated = "";
      for (let attempt = 1; attempt <= 7; attempt += 1) {
        if (attempt === point) rotated = await rotate(started, id, mode);
        await dispatcher.drain();
        clock.advance(24 * hour);
        await upkeep.run();
      }

      assert.equal(receiver.received.length, 7);
      for (const [index, call] of receiver.received.entries()) {
        const isAfter = index + 1 >= point;
        const version = mode === "compromise" && isAfter ? "2" : "1";
        assert.equal(call.headers["x-svc-key-version"], version, `attempt ${index + 1}, rotated before ${point}`);
        assert.ok(isSigned(call, version === "2" ? rotated : secret));
      }
      clock.advance(25 * hour);
      await upkeep.run();
      assert.deepEqual(await versions(started, uuid), [2]);
    }
  });
}

test("events after a rotation are signed with the new secret", async (t) => {
  for (const mode of ["normal", "compromise"]) {
    const started = await startWebhooks(t);
    const { dispatcher, receiver, givenEndpoint, givenEvent } = started;
    const { id, uuid } = await givenEndpoint();

    const rotated = await rotate(started, id, mode);
    await givenEvent(uuid);
    await dispatcher.drain();

    const [call = assert.fail("nothing was received")] = receiver.received;
    assert.equal(call.headers["x-svc-key-version"], "2");
    assert.ok(isSigned(call, rotated));
  }
});

test("a superseded secret stays 25 hours although nothing needs it, and goes then", async (t) => {
  const started = await startWebhooks(t);
  const { upkeep, clock, givenEndpoint } = started;
  const { id, uuid } = await givenEndpoint();
  await rotate(started, id, "normal");

  clock.advance(25 * hour);
  await upkeep.run();
  assert.deepEqual(await versions(started, uuid), [1, 2]);
  clock.advance(1);
  await upkeep.run();

  assert.deepEqual(await versions(started, uuid), [2]);
});

test("a superseded secret stays as long as a delivery is pinned to it", async (t) => {
  const started = await startWebhooks(t, { answer: answering(500) });
  const { upkeep, dispatcher, clock, receiver, givenEndpoint, givenEvent } = started;
  const { id, uuid, secret } = await givenEndpoint();
  await givenEvent(uuid);
  await rotate(started, id, "normal");
  await dispatcher.drain();

  clock.advance(100 * hour);
  await upkeep.run();
  assert.deepEqual(await versions(started, uuid), [1, 2]);
  receiver.answer = accept;
  await dispatcher.drain();
  assert.ok(receiver.received.every((call) => isSigned(call, secret)));
  await upkeep.run();

  assert.deepEqual(await versions(started, uuid), [2]);
});

test("a compromise revokes every older secret at once", async (t) => {
  const started = await startWebhooks(t);
  const { id, uuid } = await started.givenEndpoint();
  await rotate(started, id, "normal");
  await rotate(started, id, "compromise");

  assert.deepEqual(await versions(started, uuid), [3]);
});

test("an attempt under way during a compromise does not count, and goes out again under the new secret", async (t) => {
  const started = await startWebhooks(t);
  const { dispatcher, receiver, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  const held = Promise.withResolvers<void>();
  receiver.answer = (_call, response) => void held.promise.then(() => response.writeHead(204).end());
  const sending = dispatcher.drain();
  await receiver.until(() => receiver.received.length === 1);

  const rotated = await rotate(started, id, "compromise");
  held.resolve();
  await sending;
  receiver.answer = accept;
  await dispatcher.drain();

  assert.equal(receiver.received.length, 2);
  const [, again = assert.fail("it did not go out again")] = receiver.received;
  assert.ok(isSigned(again, rotated));
  assert.equal(again.headers["x-svc-delivery-attempt"], "1");
  const [{ status, attempts }] = await deliveries(id);
  assert.equal(status, "delivered");
  assert.deepEqual(
    attempts.map(({ secret_version: version }: { secret_version: number }) => version),
    [2],
  );
});

test("a delivery resent after its secret has retired is signed with the current one", async (t) => {
  const started = await startWebhooks(t);
  const { send, dispatcher, upkeep, clock, receiver, deliveries, givenEndpoint, givenEvent } = started;
  const { id, uuid, secret } = await givenEndpoint();
  await givenEvent(uuid);
  await dispatcher.drain();
  const rotated = await rotate(started, id, "normal");
  const [{ id: deliveryId }] = await deliveries(id);

  await send("POST", `/webhook-deliveries/${deliveryId}/resend`);
  await dispatcher.drain();
  clock.advance(26 * hour);
  await upkeep.run();
  await send("POST", `/webhook-deliveries/${deliveryId}/resend`);
  await dispatcher.drain();

  const [, second, third] = receiver.received;
  assert.ok(second && isSigned(second, secret));
  assert.ok(third && isSigned(third, rotated));
});

test("an event that is told while a secret is being revoked is pinned to the new one", async (t) => {
  const started = await startWebhooks(t);
  const { db, dispatcher, receiver, givenEndpoint, givenEvent } = started;
  const { uuid } = await givenEndpoint();
  const isWaiting = async () => {
    const { rows } = await db.query<{ count: number }>(sql`select count(*) as count from pg_locks where not granted`);
    return (rows[0]?.count ?? 0) > 0;
  };

  // As a rotation does it, held open until the event's transaction waits for it.
  let telling: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query(sql`select id from webhook_endpoints where id = ${uuid} for update`);
    telling = givenEvent(uuid);
    while (!(await isWaiting()));
    await tx.query(sql`update webhook_endpoints set secret_version = 2 where id = ${uuid}`);
    await tx.query(sql`update webhook_secrets set version = 2 where endpoint_id = ${uuid}`);
  });
  await telling;

  const { rows } = await db.query<{ version: number }>(sql`
    select secret_version as version from webhook_deliveries where endpoint_id = ${uuid}
  `);
  assert.deepEqual(rows, [{ version: 2 }]);
  await dispatcher.drain();
  assert.equal(receiver.received.length, 0, "a secret sealed as version 1 was opened as version 2");
});

test("no event is ever pinned to a secret that a compromise revoked, however they meet", async (t) => {
  const started = await startWebhooks(t);
  const { dispatcher, receiver, givenEndpoint, givenEvent } = started;
  const { id, uuid, secret } = await givenEndpoint();
  const secrets = new Map([["1", secret]]);

  for (let round = 2; round <= 6; round += 1) {
    const [rotated] = await Promise.all([
      rotate(started, id, "compromise"),
      ...Array.from({ length: 8 }, () => givenEvent(uuid)),
    ]);
    secrets.set(String(round), rotated);
  }
  await dispatcher.drain();

  assert.equal(receiver.received.length, 40);
  for (const call of receiver.received) {
    assert.equal(call.headers["x-svc-key-version"], "6");
    assert.ok(isSigned(call, secrets.get("6") ?? ""));
  }
});
