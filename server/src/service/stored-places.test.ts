import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { until } from "../../test/database-door.ts";
import { defer } from "../../test/defer.ts";
import { databaseUrl } from "../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { readStatus } from "../operator/status.ts";
import { silentLog } from "../platform/log.ts";
import { advisoryLocks } from "../platform/postgres/advisory-locks.ts";
import { sql } from "../platform/postgres/sql.ts";
import { givenCatalog, place } from "../sources/catalog/testing.ts";
import { readConfig } from "./config/config.ts";
import { startService } from "./start.ts";

/** What an older version has stored: records, and neither places nor a date of each data set. */
async function given(t: TestContext) {
  const { connection, db, load } = await givenCatalog(t);
  await load([place({ sourceId: "osm:n1", name: "Cafe" })], "town");
  await load([place({ sourceId: "osm:n2", name: "Bar" })], "village");
  await db.query(sql`truncate catalog_places, catalog_generations`);
  await db.query(sql`update catalog_data_sets set observed_at = imported_at where name = 'town'`);
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const config = readConfig({
    DATABASE_URL: databaseUrl(connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: "0",
    WAYPOST_SOURCE: "catalog",
  });
  return {
    db,
    config,
    start: () => startService(config, silentLog),
    places: async () =>
      (await db.query<{ place: number; id: string }>(sql`select place, business_id as id from catalog_places`)).rows,
    hasOldIndex: async () =>
      (await db.query<{ has: boolean }>(sql`select to_regclass('catalog_blocks') is not null as has`)).rows[0]?.has,
  };
}

test("a start lists the places that an older version has stored, and the next one drops the index of that version", async (t) => {
  const { start, places, hasOldIndex } = await given(t);

  const first = await start();
  await until(async () => (await places()).length === 2);
  const listed = await places();
  await first.stop();
  assert.equal(await hasOldIndex(), true);
  const second = await start();
  await until(async () => !(await hasOldIndex()));
  await second.stop();

  assert.deepEqual(await places(), listed);
});

test("until they are listed the process is not ready, status says so, and names the data sets to import again", async (t) => {
  const { db, config, start } = await given(t);

  const service = await db.transaction(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.catalogIndex})`); // as an import does
    const waiting = await start();
    defer(t, () => waiting.stop());
    const readiness = async () =>
      ((await (await fetch(`${waiting.address}/readyz`)).json()) as { problems: string[] }).problems.join();
    await until(async () => (await readiness()) === "the place index is not ready: indexing, 0 %");
    const status = await readStatus(config);
    assert.equal(status.place_index?.waits_for, "indexing, 0 %");
    assert.deepEqual(
      status.catalog?.data_sets.map(({ name, import_again: again }) => [name, again]),
      [
        ["town", false],
        ["village", true],
      ],
    );
    return waiting;
  });

  await until(async () => (await fetch(`${service.address}/readyz`)).status === 200);
});

test("a listing that is killed leaves nothing, and the next start lists the places", async (t) => {
  const { db, start, places, hasOldIndex } = await given(t);
  const isListing = sql`
    select pid
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into catalog_generations%'
  `;
  await db.transaction(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await tx.query(sql`lock table catalog_generations in share mode`);
    const killed = await start();
    await until(async () => (await db.query(isListing)).rowCount > 0);
    await db.query(sql`select pg_terminate_backend(pid) from (${isListing}) listing`);
    await until(async () => (await db.query(isListing)).rowCount === 0);
    await killed.stop();
  });
  assert.deepEqual(await places(), []);

  const next = await start();
  await until(async () => (await places()).length === 2);
  await next.stop();

  assert.equal(await hasOldIndex(), true);
});
