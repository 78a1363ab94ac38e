// A first import stores with two sessions of the database, or with one.
import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { advisoryLocks } from "../../platform/postgres/advisory-locks.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase, type Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { connectPatiently } from "../../platform/postgres/table-copies.ts";
import { until } from "../../../test/database-door.ts";
import type { RecordItem } from "../../places/record.ts";
import { shapeOf } from "../../geography/shape.ts";
import { givenCatalog, place, town, yielded } from "../../sources/catalog/testing.ts";
import { importItems } from "../import.ts";

const { signal } = new AbortController();
const placesCount = 10_000;
const square = [
  [46.9, 9.4],
  [46.9, 9.6],
  [47.3, 9.6],
  [47.3, 9.4],
  [46.9, 9.4],
] as const;

/** Places from south to north through many cells, half of them in a district. */
function* manyPlaces(): Generator<RecordItem> {
  for (let number = 1; number <= placesCount; number += 1) {
    const latitude = 46 + ((number * 7_919) % placesCount) / 5_000;
    yield place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"], latitude });
  }
  yield town("Mitte", 47.1, 9.5, { shape: shapeOf([square], 100) });
}

async function given(t: Parameters<typeof givenCatalog>[0]) {
  const { connection, db, names } = await givenCatalog(t);
  await db.query(sql`create table writers (pid integer)`);
  await db.query(sql`
    create function note_writer() returns trigger language plpgsql as $$
    begin
      insert into writers values (pg_backend_pid());
      return null;
    end
    $$
  `);
  await db.query(sql`
    create trigger noting after insert on catalog_records for each statement execute function note_writer()
  `);
  const run = (options: { sessions?: 1 | 2; signal?: AbortSignal }) =>
    importItems({ name: "test", origin: "test.file" }, yielded(manyPlaces()), {
      connection,
      clock: systemClock,
      signal,
      fingerprint: "a",
      ...options,
    });
  return { connection, db, names, run };
}

test("two sessions store the rows that one stores, and both are gone afterwards", async (t) => {
  const [one, two] = [await given(t), await given(t)];

  await one.run({ sessions: 1 });
  await two.run({ sessions: 2 });

  assert.equal(await countWriters(one.db), 1);
  assert.equal(await countWriters(two.db), 2);
  const records = await readRecords(two.db);
  assert.equal(records.length, placesCount);
  assert.ok(records.some((row) => row.includes("osm:n-Mitte")));
  assert.deepEqual(records, await readRecords(one.db));
  assert.deepEqual(await listSessions(two.db), []);
});

test("what one session refuses ends the other, and the next import adds the rest", async (t) => {
  const { db, names, run } = await given(t);
  await db.query(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if new.number > 9000 then raise 'Refused.'; end if;
      return new;
    end
    $$
  `);
  await db.query(sql`create trigger refusing before insert on catalog_records for each row execute function refuse()`);
  await assert.rejects(run({ sessions: 2 }), { message: "Refused." });
  await until(async () => (await listSessions(db)).length === 0);
  const { rows: kept } = await db.query<{ number: number }>(sql`select number from catalog_records order by number`);
  assert.ok(kept.length < placesCount);
  assert.deepEqual(await names("cafe"), []);
  await db.query(sql`drop trigger refusing on catalog_records`);

  const { added } = await run({ sessions: 2 });

  assert.equal(added, placesCount);
  const { rows } = await db.query<{ records: number; ids: number; kept: number }>(sql`
    select count(*) as records, count(distinct source_id) as ids,
      count(*) filter (where number = any(${kept.map(({ number }) => number)}::integer[])) as kept
    from catalog_records
  `);
  assert.deepEqual(rows, [{ records: placesCount, ids: placesCount, kept: kept.length }]);
  assert.deepEqual(await names("cafe 9999"), ["Cafe 9999"]);
});

test("an interruption ends both sessions", async (t) => {
  const { db, run } = await given(t);
  const aborting = new AbortController();
  await db.query(sql`
    create function wait() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(600);
      return null;
    end
    $$
  `);
  await db.query(
    sql`create trigger waiting before insert on catalog_records for each statement execute function wait()`,
  );
  const interrupted = assert.rejects(run({ sessions: 2, signal: aborting.signal }), { message: "Interrupted." });
  await until(async () => (await listSessions(db)).filter((event) => event === "PgSleep").length === 2, 120);

  aborting.abort(new Error("Interrupted."));

  await interrupted;
  await until(async () => (await listSessions(db)).length === 0);
  await db.query(sql`drop trigger waiting on catalog_records`);
  assert.equal((await run({ sessions: 2 })).added, placesCount);
});

test("an import begins when the second session of the one before has ended", async (t) => {
  const { connection, db, run } = await given(t);
  const orphan = await connectPatiently(connection);
  await orphan.query(`select pg_advisory_lock(${advisoryLocks.catalogSecondSession})`);
  const importing = run({ sessions: 1 });
  await until(async () => (await listSessions(db)).includes("advisory"), 120);
  assert.equal(await countWriters(db), 0);

  await orphan.end();

  assert.equal((await importing).added, placesCount);
});

const hasOneProcessor = availableParallelism() < 2;
test("an import uses two sessions where nobody else uses the database", { skip: hasOneProcessor }, async (t) => {
  const { connection, db, run } = await given(t);
  await db.end();

  await run({});

  const after = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  t.after(() => after.end());
  assert.equal(await countWriters(after), 2);
});

test("an import leaves the other processor to a service", async (t) => {
  const { connection, db, run } = await given(t);
  await db.end();
  const service = createDatabase({
    connection: { ...connection, applicationName: "waypost 1.0.0 all 1@host:80" },
    connectionsMax: 1,
    log: silentLog,
  });
  t.after(() => service.end());
  await service.query(sql`select 1`);

  await run({});

  assert.equal(await countWriters(service), 1);
});

async function countWriters(db: Database): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`select count(distinct pid) as count from writers`);
  return rows[0]?.count ?? 0;
}

/** The rows of all records in the order of their numbers. */
async function readRecords(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ row: string }>(sql`
    select r::text as row
    from catalog_records r
    order by number
  `);
  return rows.map(({ row }) => row);
}

/** What the sessions of this database wait for, but for the pool's. */
async function listSessions(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ event: string | null }>(sql`
    select wait_event as event
    from pg_stat_activity
    where datname = current_database()
      and backend_type = 'client backend'
      and pid <> pg_backend_pid()
      and query not like '%pg_stat_activity%'
      and (state <> 'idle' or application_name <> 'waypost')
  `);
  return rows.map(({ event }) => event ?? "");
}
