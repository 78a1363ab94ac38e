import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { fileDatabase, manualClock, startApi, testPepper } from "../../../test/harness.ts";
import { toBase62 } from "../../platform/crypto/base62.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase, type Queryable } from "../../platform/postgres/database.ts";
import { parseKeyText } from "./api-key.ts";
import { createKeyVerifier } from "./verifier.ts";

const deaf = { on: () => undefined, stop: async () => undefined };

// The second verifier stands for another process, and hears no message: the worst case.
test("a revoked key is refused within a second, even where the message of it is lost", async (t) => {
  const api = await startApi(t);
  const other = createKeyVerifier({
    db: api.db,
    notifications: deaf,
    pepper: testPepper,
    clock: api.clock,
    log: silentLog,
  });
  t.after(() => other.stop());
  const { key, text, organizationId } = await api.givenKey();
  assert.ok(await api.verifier.verify(text));
  assert.ok(await other.verify(text));

  await api.apiKeys.revoke(organizationId, key.id, "leaked in a repository");

  api.clock.advance(1_000);

  assert.equal(await api.verifier.verify(text), undefined);
  assert.equal(await other.verify(text), undefined);
});

test("a key that expires is refused at that moment, cached or not", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey({ expiresAt: new Date(api.clock.now().getTime() + 1_000) });

  assert.ok(await api.verifier.verify(text));
  api.clock.advance(999);
  assert.ok(await api.verifier.verify(text));
  api.clock.advance(1);
  assert.equal(await api.verifier.verify(text), undefined);
});

test("a thousand requests at once with one key, known or unknown, cost one read", async (t) => {
  const api = await startApi(t);
  let reads = 0;
  const counting: Queryable = {
    query(statement) {
      reads += 1;
      return api.db.query(statement);
    },
  };
  const { text } = await api.givenKey();
  const verifier = createKeyVerifier({
    db: counting,
    notifications: deaf,
    pepper: testPepper,
    clock: manualClock(),
    log: silentLog,
  });

  const answers = await Promise.all(Array.from({ length: 1_000 }, async () => verifier.verify(text)));

  assert.ok(answers.every(Boolean));
  assert.equal(reads, 1);
});

test("the right public part with another secret is refused", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  const stranger = createKeyVerifier({
    db: api.db,
    notifications: deaf,
    pepper: "another pepper",
    clock: api.clock,
    log: silentLog,
  });

  assert.equal(await stranger.verify(text), undefined);
  assert.ok(await api.verifier.verify(text));
});

test("a key that was just proved does not let another secret with its public part pass", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  const body = text.slice(0, -38) + "0".repeat(32);
  const forged = body + toBase62(crc32(body), 6);
  assert.ok(parseKeyText(forged), "its checksum is right");

  for (let round = 0; round < 2; round += 1) {
    assert.ok(await api.verifier.verify(text));
    assert.equal(await api.verifier.verify(forged), undefined);
  }
});

test("last use is written in one statement for many requests, and never goes back", async (t) => {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 2, log: silentLog });
  t.after(() => db.end());
  const api = await startApi(t);
  const { key, text, organizationId } = await api.givenKey();
  const statements: string[] = [];
  const recording: Queryable = {
    query(statement) {
      statements.push(statement.text.trim().split(/\s+/)[0] ?? "");
      return db.query(statement);
    },
  };
  const clock = manualClock();
  const verifier = createKeyVerifier({ db: recording, notifications: deaf, pepper: testPepper, clock, log: silentLog });
  for (let use = 0; use < 50; use += 1) await verifier.verify(text);
  const used = clock.now();

  await verifier.stop();

  assert.deepEqual(statements, ["select", "update"]);
  const lastUse = async () => (await api.apiKeys.list(organizationId)).find(({ id }) => id === key.id)?.lastUsedAt;
  assert.deepEqual(await lastUse(), used);
  clock.advance(-60_000);
  const late = createKeyVerifier({ db, notifications: deaf, pepper: testPepper, clock, log: silentLog });
  await late.verify(text);
  await late.stop();
  assert.deepEqual(await lastUse(), used);
});

test("while the database is away a request fails, and the next one after it is back succeeds", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  let away = true;
  const flaky: Queryable = {
    query: (statement) => (away ? Promise.reject(new Error("the database is away")) : api.db.query(statement)),
  };
  const verifier = createKeyVerifier({
    db: flaky,
    notifications: deaf,
    pepper: testPepper,
    clock: api.clock,
    log: silentLog,
  });

  await assert.rejects(async () => verifier.verify(text), /away/);
  away = false;
  assert.ok(await verifier.verify(text));
});

test("an organization's entitlement comes with the key", async (t) => {
  const api = await startApi(t);
  const { text, organizationId } = await api.givenKey({ environment: "live" });
  assert.equal((await api.verifier.verify(text))?.principal.entitled, true);

  await api.organizations.setEntitlement(organizationId, "inactive");

  api.clock.advance(1_000);

  assert.equal((await api.verifier.verify(text))?.principal.entitled, false);
});

test("a message of a change clears the key at once, before its time is up", async (t) => {
  const api = await startApi(t);
  let tell: (payload: string | undefined) => void = () => undefined;
  const notifications = { on: (_: string, handler: typeof tell) => void (tell = handler), stop: async () => undefined };
  const verifier = createKeyVerifier({
    db: api.db,
    notifications,
    pepper: testPepper,
    clock: api.clock,
    log: silentLog,
  });
  const { key, text, organizationId } = await api.givenKey();
  await verifier.verify(text);
  await api.apiKeys.revoke(organizationId, key.id, "leaked in a repository");
  assert.ok(await verifier.verify(text), "still remembered: nobody told it yet");

  tell(key.maskedPrefix.slice(-9, -1));

  assert.equal(await verifier.verify(text), undefined);
});
