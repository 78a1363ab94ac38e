import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../test/database-door.ts";
import { rawSearch, sendRaw, startApi } from "../../test/harness.ts";
import { createFixtures } from "../sources/fixtures/index.ts";
import type { Source } from "../sources/source.ts";
import { sql } from "./postgres/sql.ts";
import { sweepIdempotency } from "./idempotency.ts";

const json = { q: "coffee in Vaduz", page: 2 };
const key = "0123456789abcdef";
const withKey = (value = key) => ({ "Idempotency-Key": value });

/** A source that counts its calls, and can be held or made to fail. */
function watchedSource() {
  const fixtures = createFixtures();
  const watched = {
    calls: 0,
    held: undefined as Promise<void> | undefined,
    fails: false,
    source: {
      name: "fixtures",
      async search(query, signal) {
        watched.calls += 1;
        await watched.held;
        if (watched.fails) throw new Error("the source broke");
        return fixtures.search(query, signal);
      },
    } satisfies Source,
  };
  return watched;
}

test("a repeated call gets the same data, a fresh request id, and is not run again", async (t) => {
  const watched = watchedSource();
  const api = await startApi(t, { fixtures: watched.source });
  const { text } = await api.givenKey();

  const first = await api.searchAs(text, json, withKey());
  const again = await api.searchAs(text, { page: 2, q: "coffee in Vaduz" }, withKey());

  assert.equal(first.headers.get("idempotent-replayed"), null);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.equal(JSON.stringify(again.body["data"]), JSON.stringify(first.body["data"]));
  assert.notEqual(again.body["request_id"], first.body["request_id"]);
  assert.equal(watched.calls, 1);
});

test("a key is 16 to 128 characters, any that a header can carry", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();

  for (const good of ["x".repeat(16), "x".repeat(128), "with spaces, and commas", "é".repeat(16)]) {
    assert.equal((await api.searchAs(text, json, withKey(good))).status, 200, good);
  }
  for (const bad of ["", "x".repeat(15), "x".repeat(129)]) {
    const { status, body } = await api.searchAs(text, json, withKey(bad));
    assert.equal(status, 400, bad);
    assert.match(body["error"].details[0], /^header \/idempotency-key: must have/);
  }
});

test("the same key with another body is refused, and the first answer stands", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  await api.searchAs(text, json, withKey());

  const { status, body } = await api.searchAs(text, { ...json, page: 3 }, withKey());

  assert.equal(status, 422);
  assert.equal(body["error"].code, "idempotency_key_reused");
  assert.equal((await api.searchAs(text, json, withKey())).headers.get("idempotent-replayed"), "true");
});

test("of many twins at once one runs; the others wait their turn and get its answer", async (t) => {
  const watched = watchedSource();
  const release = Promise.withResolvers<void>();
  watched.held = release.promise;
  const api = await startApi(t, { fixtures: watched.source });
  const { text } = await api.givenKey();

  const running = api.searchAs(text, json, withKey());
  while (watched.calls === 0) await new Promise(setImmediate);
  const twins = await Promise.all(Array.from({ length: 20 }, () => api.searchAs(text, json, withKey())));
  release.resolve();
  const first = await running;

  for (const { status, headers, body } of twins) {
    assert.equal(status, 409);
    assert.equal(body["error"].code, "idempotency_in_progress");
    assert.equal(body["error"].retryable, true);
    const seconds = Number(headers.get("retry-after"));
    assert.ok(seconds >= 1 && seconds <= 10, String(seconds));
  }
  assert.equal(first.status, 200);
  assert.equal((await api.searchAs(text, json, withKey())).headers.get("idempotent-replayed"), "true");
  assert.equal(watched.calls, 1);
});

test("a call that fails frees its key", async (t) => {
  const watched = watchedSource();
  const api = await startApi(t, { fixtures: watched.source });
  const { text } = await api.givenKey();
  watched.fails = true;
  assert.equal((await api.searchAs(text, json, withKey())).status, 500);
  watched.fails = false;

  const { status, headers } = await api.searchAs(text, json, withKey());

  assert.equal(status, 200);
  assert.equal(headers.get("idempotent-replayed"), null);
});

test("a request that is refused does not use up its key", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  assert.equal((await api.searchAs(text, { q: "" }, withKey())).status, 400);
  assert.equal((await api.searchAs("svc_test_nonsense", json, withKey())).status, 401);

  assert.equal((await api.searchAs(text, json, withKey())).headers.get("idempotent-replayed"), null);
});

test("a call that runs longer than its lease keeps its key", async (t) => {
  const watched = watchedSource();
  const release = Promise.withResolvers<void>();
  watched.held = release.promise;
  const api = await startApi(t, { fixtures: watched.source });
  const { text, organizationId } = await api.givenKey();
  const owner = `${organizationId}/test`;
  const running = api.searchAs(text, json, withKey());
  while (watched.calls === 0) await new Promise(setImmediate);

  await api.db.query(sql`update idempotency_records set lease_until = now() where owner = ${owner}`);
  await until(async () => {
    const { rows } = await api.db.query(sql`
      select from idempotency_records where owner = ${owner} and lease_until > now()
    `);
    return rows.length > 0;
  });
  const twin = await api.searchAs(text, json, withKey());
  release.resolve();

  assert.equal(twin.status, 409);
  assert.equal((await running).status, 200);
  assert.equal(watched.calls, 1);
});

test("a key whose process died is free again when its lease has ended", async (t) => {
  const watched = watchedSource();
  const api = await startApi(t, { fixtures: watched.source });
  const { text, organizationId } = await api.givenKey();
  await api.searchAs(text, json, withKey());
  // What a process leaves behind that was killed while it ran the call.
  const leaveBehind = (leaseEnds: string) =>
    api.db.query(sql`
      update idempotency_records
      set outcome = null, answer = null, lease_until = now() + ${leaseEnds}::interval
      where owner = ${`${organizationId}/test`}
    `);

  await leaveBehind("600 seconds");
  const { status, headers } = await api.searchAs(text, json, withKey());
  const seconds = Number(headers.get("retry-after"));
  assert.equal(status, 409);
  assert.ok(seconds > 300 && seconds <= 600, String(seconds));
  await leaveBehind("-1 seconds");
  assert.equal((await api.searchAs(text, { ...json, page: 5 }, withKey())).status, 422);
  assert.equal((await api.searchAs(text, json, withKey())).status, 200);
  assert.equal(watched.calls, 2);
});

test("keys of other organizations never meet; a rotated API key still replays", async (t) => {
  const watched = watchedSource();
  const api = await startApi(t, { fixtures: watched.source });
  const acme = await api.givenKey();
  const other = await api.givenKey();
  await api.searchAs(acme.text, json, withKey());

  const stranger = await api.searchAs(other.text, { ...json, page: 4 }, withKey());
  const rotated = await api.apiKeys.rotate(acme.organizationId, acme.key.id, 0);
  const replay = await api.searchAs(rotated.text, json, withKey());

  assert.equal(stranger.status, 200);
  assert.equal(replay.headers.get("idempotent-replayed"), "true");
  assert.equal(watched.calls, 2);
});

test("records are swept a day after they were made, and not before", async (t) => {
  const api = await startApi(t);
  const { text, organizationId } = await api.givenKey();
  await api.searchAs(text, json, withKey());
  const owner = `${organizationId}/test`;
  const age = (hours: number) =>
    api.db.query(
      sql`update idempotency_records set expires_at = expires_at - make_interval(hours => ${hours}) where owner = ${owner}`,
    );
  const count = async () =>
    (await api.db.query(sql`select key from idempotency_records where owner = ${owner}`)).rows.length;

  await age(23);
  await sweepIdempotency(api.db);
  assert.equal(await count(), 1);
  await age(2);
  await sweepIdempotency(api.db);
  assert.equal(await count(), 0);
});

test("the header given twice is refused", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();

  const headers = [`API-KEY: ${text}`, `Idempotency-Key: ${key}`, "Idempotency-Key: fedcba9876543210"];
  const answer = await sendRaw(api.address, rawSearch(json, headers));

  assert.equal(answer.status, 400);
  assert.match(answer.text, /header \/idempotency-key: must be given once/);
});
