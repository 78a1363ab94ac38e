import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { systemClock } from "../server/src/platform/clock.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { createDatabase, type Database } from "../server/src/platform/postgres/database.ts";
import { startEmbedded } from "../server/src/platform/postgres/embedded/index.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { givenPlaceIndex } from "../server/test/place-index.ts";
import { createCatalog } from "../server/src/sources/catalog/catalog.ts";
import { isShown } from "../server/src/data-sets/current.ts";
import { importItems } from "../server/src/data-sets/import.ts";
import { place, recordIndexes, yielded } from "../server/src/sources/catalog/testing.ts";
import type { RecordItem } from "../server/src/places/record.ts";
import { makePreparedFolder } from "../server/test/prepared-cluster.ts";
import { removeFolder } from "../server/test/temp-folder.ts";
import { postmasterOf, until } from "./service.ts";

const { signal } = new AbortController();
/** Four transactions, two for each session. */
const placesCount = 20_000;

/** From south to north through many cells. */
function* cafes(): Generator<RecordItem> {
  for (let number = 1; number <= placesCount; number += 1) {
    const latitude = 46 + number / 10_000;
    yield place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"], latitude });
  }
}

const bakery = [place({ sourceId: "osm:w1", name: "Bakery", categories: ["shop/bakery"] })];

/** A catalog on a PostgreSQL of its own, which can crash. */
async function given(t: TestContext) {
  const folder = await makePreparedFolder();
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 3, log: silentLog });
  t.after(async () => {
    await db.end();
    await postgres.stop();
    await removeFolder(folder);
  });
  const catalog = createCatalog({ db, index: await givenPlaceIndex(t, db) });

  async function load(name: string, items: Iterable<RecordItem>) {
    const { connection } = postgres;
    const options = { connection, clock: systemClock, signal, fingerprint: name, sessions: 2 } as const;
    return importItems({ name, origin: `${name}.file` }, yielded(items), options);
  }

  async function names(q: string): Promise<string[]> {
    const { listings } = await catalog.search({ q, page: 1, hl: "en", extra: false }, signal);
    return listings.map(({ name }) => name ?? "");
  }

  async function crash() {
    const pid = await postmasterOf(folder);
    process.kill(pid, "SIGQUIT"); // what `pg_ctl stop -m immediate` sends
    await until(async () => (await postmasterOf(folder).catch(() => pid)) !== pid);
    await until(async () => (await db.query(sql`select`).catch(() => undefined)) !== undefined);
  }

  return { db, load, names, crash };
}

for (const [state, known] of [
  ["an empty catalog", []],
  ["a catalog with places", bakery],
] as const) {
  test(`a PostgreSQL that crashes while two sessions store leaves ${state} as it was, and the import begins again`, async (t) => {
    const { db, load, names, crash } = await given(t);
    if (known.length > 0) await load("known", known);
    const indexes = await recordIndexes(db);
    await holdBetweenTransactions(db);
    const interrupted = assert.rejects(load("cafes", cafes()));
    await until(async () => (await countSleepers(db)) === 2);
    const before = await countRecords(db);
    assert.ok(before.records >= known.length + 10_000, "each session has committed a transaction");
    assert.equal(before.shown, known.length);

    await crash();
    await interrupted;

    assert.deepEqual(await names("cafe"), []);
    assert.deepEqual(await names("bakery"), known.length > 0 ? ["Bakery"] : []);
    await db.query(sql`drop trigger holding on catalog_records`);
    const { added } = await load("cafes", cafes());
    assert.equal(added, placesCount);
    const all = known.length + placesCount;
    assert.deepEqual(await countRecords(db), { records: all, ids: all, shown: all });
    assert.deepEqual(await recordIndexes(db), indexes);
    for (const name of ["Cafe 1", "Cafe 9999", "Cafe 20000"]) assert.equal((await names(name))[0], name);
    assert.deepEqual(await names("bakery"), known.length > 0 ? ["Bakery"] : []);
  });
}

/** Every session that stores sleeps before its second transaction. */
async function holdBetweenTransactions(db: Database): Promise<void> {
  await db.query(sql`
    create function hold() returns trigger language plpgsql as $$
    begin
      if current_setting('waypost.has_stored', true) = 'yes' then
        perform pg_sleep(600);
      end if;
      perform set_config('waypost.has_stored', 'yes', false);
      return null;
    end
    $$
  `);
  await db.query(sql`
    create trigger holding before insert on catalog_records for each statement execute function hold()
  `);
}

async function countSleepers(db: Database): Promise<number> {
  const { rowCount } = await db.query(sql`select from pg_stat_activity where wait_event = 'PgSleep'`);
  return rowCount;
}

async function countRecords(db: Database) {
  const { rows } = await db.query<{ records: number; ids: number; shown: number }>(sql`
    select count(*) as records, count(distinct source_id) as ids, count(*) filter (where ${isShown}) as shown
    from catalog_records
  `);
  return rows[0] ?? { records: 0, ids: 0, shown: 0 };
}
