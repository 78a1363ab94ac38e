import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startApi } from "../../../test/harness.ts";
import { onePlace, scriptedSource } from "../../../test/scripted-source.ts";
import { unitsUsed } from "../../../test/units.ts";
import { newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { SourceFailure } from "../../sources/source.ts";

const coffee = { q: "coffee in Vaduz" };
const units = (headers: Headers) => [headers.get("X-SVC-Units-Charged"), headers.get("X-SVC-Units-Remaining")];

/** The API on a source that answers, as the catalog does, from what this installation has. */
async function startOwn(t: TestContext, allowance: number) {
  const { source, told } = scriptedSource();
  const catalog = { ...source, isLocal: true };
  const api = await startApi(t, { sources: { catalog }, allowance });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const used = () => unitsUsed(api.db, organizationId);
  return { api: { ...api, organizationId }, told, used, search: (headers = {}) => api.searchAs(key, coffee, headers) };
}

test("our own data costs the same: a unit for a page, none for a failure, none that is not there", async (t) => {
  const { told, used, search } = await startOwn(t, 2);

  assert.deepEqual(units((await search()).headers), ["1", "1"]);
  told.script = async () => {
    throw new SourceFailure("try_again", "source_unavailable", "the database is away");
  };
  assert.equal((await search()).status, 503);
  assert.equal(await used(), 1);
  told.script = onePlace();
  assert.deepEqual(units((await search({ "Idempotency-Key": newUuid() })).headers), ["1", "0"]);
  assert.equal((await search()).status, 402);
  assert.equal(await used(), 2);
});

test("an organization without units is refused before anything is searched", async (t) => {
  const { api, told, search } = await startOwn(t, 1);
  assert.equal((await search()).status, 200);
  const asked = told.asked.length;

  const refused = await search();
  const refusedAgain = await search({ "Idempotency-Key": newUuid() });

  assert.deepEqual([refused.status, refusedAgain.status], [402, 402]);
  assert.deepEqual(units(refused.headers), ["0", "0"]);
  assert.equal(told.asked.length, asked);
  await api.billing.setAllowance(api.organizationId, 2);
  assert.equal((await search()).status, 200);
});

test("searches of our own data at once get no more pages than the allowance holds", async (t) => {
  const { used, search } = await startOwn(t, 20);

  const answers = await Promise.all(Array.from({ length: 40 }, () => search()));

  assert.equal(answers.filter(({ status }) => status === 200).length, 20);
  assert.equal(answers.filter(({ status }) => status === 402).length, 20);
  assert.equal(await used(), 20);
});

test("a unit that cannot be given back while the database is away is given back when it is there again", async (t) => {
  const { api, told, used, search } = await startOwn(t, 5);
  await api.db.query(sql`
    create function refuse() returns trigger language plpgsql
    as 'begin raise exception using errcode = ''cannot_connect_now''; end'
  `);
  await api.db.query(sql`
    create trigger away before insert on ledger_entries for each row when (new.kind = 'release') execute function refuse()
  `);
  told.script = async () => {
    throw new SourceFailure("try_again", "source_unavailable", "the database is away");
  };

  assert.equal((await search()).status, 503);
  assert.equal(await used(), 1);
  await api.db.query(sql`drop trigger away on ledger_entries`);
  for (const deadline = Date.now() + 20_000; (await used()) > 0; await sleep(50)) assert.ok(Date.now() < deadline);
});
