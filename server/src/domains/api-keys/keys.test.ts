import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../../test/harness.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { ServiceError } from "../../platform/errors.ts";

const hour = 3_600_000;
const query = { q: "coffee in Vaduz" };

const refusal = (details: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ServiceError);
  assert.match(error.details.join("\n") || error.message, details);
  return true;
};

test("a key is kept as a hash: its text is nowhere in the database", async (t) => {
  const api = await startApi(t);
  const { text, organizationId } = await api.givenKey();

  const { rows } = await api.db.query<{ row: string }>(
    sql`select api_keys::text as row from api_keys where organization_id = ${organizationId}`,
  );

  assert.equal(rows.length, 1);
  assert.ok(!rows[0]?.row.includes(text.slice(18)));
});

test("a rotated key works until its overlap ends, the replacement from the start", async (t) => {
  const api = await startApi(t);
  const { key, text, organizationId } = await api.givenKey({
    allowedNetworks: ["127.0.0.0/8"],
    scopes: ["scrapes:write"],
  });

  const replacement = await api.apiKeys.rotate(organizationId, key.id, 2);

  assert.deepEqual(
    [replacement.key.scopes, replacement.key.environment, replacement.key.allowedNetworks, replacement.key.expiresAt],
    [["scrapes:write"], "test", ["127.0.0.0/8"], null],
  );
  assert.equal((await api.searchAs(text, query)).status, 200);
  api.clock.advance(2 * hour - 1);
  assert.equal((await api.searchAs(text, query)).status, 200);
  api.clock.advance(1);
  assert.equal((await api.searchAs(text, query)).status, 401);
  assert.equal((await api.searchAs(replacement.text, query)).status, 200);
});

test("a call that is repeated because its answer was lost shows the same key, and keeps nothing to find it by", async (t) => {
  const api = await startApi(t);
  const { organizationId } = await api.givenKey();
  const idempotencyKey = "console-0123456789-of-a-page";
  const wanted = { name: "billing service", environment: "live", idempotencyKey };

  const [first, twin] = await Promise.all([1, 2].map(() => api.apiKeys.create(organizationId, wanted)));
  const again = await api.apiKeys.create(organizationId, wanted);
  const other = await api.apiKeys.create(organizationId, { ...wanted, idempotencyKey: `${idempotencyKey}-2` });

  assert.deepEqual([twin, again], [first, first]);
  assert.notEqual(other.text, again.text);
  assert.equal((await api.apiKeys.list(organizationId)).length, 3);
  assert.equal((await api.searchAs(again.text, query)).status, 403, "it is no working key");
  const { organizationId: elsewhere } = await api.givenKey();
  assert.notEqual((await api.apiKeys.create(elsewhere, wanted)).text, again.text);
  const { rows } = await api.db.query<{ found: boolean }>(sql`
    select exists (select from idempotency_records where key = ${idempotencyKey}) as found
  `);
  assert.equal(rows[0]?.found, false);

  const rotate = () => api.apiKeys.rotate(organizationId, again.key.id, 0, idempotencyKey);
  const replacement = await rotate();
  assert.deepEqual(await rotate(), replacement);
  assert.notEqual(replacement.text, again.text);
  await assert.rejects(api.apiKeys.rotate(organizationId, again.key.id, 0), refusal(/rotated already/));
});

test("a repeated call shows no key that has ended or has another name, and none after a day", async (t) => {
  const api = await startApi(t);
  const { organizationId } = await api.givenKey();
  const wanted = { name: "billing service", environment: "live", idempotencyKey: "console-0123456789" };
  const { key } = await api.apiKeys.create(organizationId, wanted);

  await assert.rejects(api.apiKeys.create(organizationId, { ...wanted, name: "another" }), refusal(/another body/));
  await api.apiKeys.revoke(organizationId, key.id, "nobody knows its text");
  await assert.rejects(api.apiKeys.create(organizationId, wanted), refusal(/cannot be shown again/));
  const later = { ...wanted, idempotencyKey: "console-9876543210" };
  const { createdAt } = (await api.apiKeys.create(organizationId, later)).key;
  api.clock.advance(createdAt.getTime() - api.clock.now().getTime() + 24 * hour);
  await assert.rejects(api.apiKeys.create(organizationId, later), refusal(/cannot be shown again/));
});

test("an overlap is 0 to 24 hours, 24 when none is said, and never outlives the key's own expiry", async (t) => {
  const api = await startApi(t);
  const overlapOf = async (overlap: number | undefined, expiresInHours?: number) => {
    const now = api.clock.now().getTime();
    const expiresAt = expiresInHours === undefined ? null : new Date(now + expiresInHours * hour);
    const { key, organizationId } = await api.givenKey({ expiresAt });
    await api.apiKeys.rotate(organizationId, key.id, overlap);
    const [old] = await api.apiKeys.list(organizationId);
    return ((old?.expiresAt?.getTime() ?? 0) - now) / hour;
  };

  assert.equal(await overlapOf(0), 0);
  assert.equal(await overlapOf(24), 24);
  assert.equal(await overlapOf(undefined), 24);
  assert.equal(await overlapOf(24, 5), 5);
  const { key, organizationId } = await api.givenKey();
  for (const overlap of [-0.01, 24.01, Number.NaN]) {
    await assert.rejects(api.apiKeys.rotate(organizationId, key.id, overlap), refusal(/0 to 24 hours/));
  }
});

test("a key is rotated once, and not after it was revoked or has expired", async (t) => {
  const api = await startApi(t);
  const rotated = await api.givenKey();
  await api.apiKeys.rotate(rotated.organizationId, rotated.key.id);
  const revoked = await api.givenKey();
  await api.apiKeys.revoke(revoked.organizationId, revoked.key.id, "leaked in a repository");
  const expired = await api.givenKey({ expiresAt: new Date(api.clock.now().getTime() + 1) });
  api.clock.advance(1);

  for (const { organizationId, key } of [rotated, revoked, expired]) {
    await assert.rejects(api.apiKeys.rotate(organizationId, key.id), refusal(/rotated already|revoked|expired/));
  }
});

test("two rotations at once make one replacement", async (t) => {
  const api = await startApi(t);
  const { key, organizationId } = await api.givenKey();

  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => api.apiKeys.rotate(organizationId, key.id)));

  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal((await api.apiKeys.list(organizationId)).length, 2);
});

test("a revocation reason has 10 to 500 characters, an emoji counting as one and blanks around it as none", async (t) => {
  const api = await startApi(t);
  const revoke = async (reason: string) => {
    const { key, organizationId } = await api.givenKey();
    return api.apiKeys.revoke(organizationId, key.id, reason);
  };

  for (const good of ["x".repeat(10), "x".repeat(500), "🔑".repeat(10), "🔑".repeat(500)])
    assert.ok((await revoke(good)).revokedAt);
  assert.equal((await revoke(`  ${"x".repeat(500)} `)).revokedReason, "x".repeat(500));
  for (const bad of [
    "",
    "x".repeat(9),
    "x".repeat(501),
    "🔑".repeat(9),
    "🔑".repeat(501),
    " ".repeat(10),
    `${"x".repeat(9)}\n`,
  ]) {
    await assert.rejects(revoke(bad), refusal(/10 to 500 characters/));
  }
});

test("revoking again changes nothing", async (t) => {
  const api = await startApi(t);
  const { key, organizationId } = await api.givenKey();
  const first = await api.apiKeys.revoke(organizationId, key.id, "the first reason");

  const second = await api.apiKeys.revoke(organizationId, key.id, "the second reason");

  assert.deepEqual(second, first);
});

test("another organization's key does not exist", async (t) => {
  const api = await startApi(t);
  const { key } = await api.givenKey();
  const stranger = await api.givenOrganization();

  await assert.rejects(api.apiKeys.rotate(stranger, key.id), refusal(/There is no API key/));
  await assert.rejects(api.apiKeys.revoke(stranger, key.id, "not mine to revoke"), refusal(/There is no API key/));
  assert.deepEqual(await api.apiKeys.list(stranger), []);
});

test("what a key may not be is refused with a detail each", async (t) => {
  const api = await startApi(t);
  const past = new Date(api.clock.now().getTime());

  await assert.rejects(
    api.givenKey({ name: "", environment: "prod", scopes: ["all"], allowedNetworks: ["10.0.0.0/64"], expiresAt: past }),
    (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual(
        error.details.map((detail) => detail.split(":")[0]),
        ["/name", "/environment", "/scopes", "/allowedNetworks", "/expiresAt"],
      );
      return true;
    },
  );
  for (const name of ["x", "x".repeat(100)]) assert.equal((await api.givenKey({ name })).key.name, name);
  await assert.rejects(api.givenKey({ name: "x".repeat(101) }), refusal(/1 to 100 characters/));
  await assert.rejects(api.givenKey({ name: " \u00a0\t" }), refusal(/not blanks alone/));
  await assert.rejects(api.givenKey({ scopes: [] }), refusal(/one or more of/));
  const networks = Array.from({ length: 51 }, (_, at) => `10.0.${at}.0/24`);
  assert.equal((await api.givenKey({ allowedNetworks: networks.slice(1) })).key.allowedNetworks.length, 50);
  await assert.rejects(api.givenKey({ allowedNetworks: networks }), refusal(/at most 50/));
});
