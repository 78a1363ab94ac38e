import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";
import { connectPatiently, copyTablesOut } from "../platform/postgres/table-copies.ts";
import { until } from "../../test/database-door.ts";
import { aPlace } from "../../test/place.ts";
import type { RecordItem } from "../places/record.ts";
import { temporaryFile } from "./2-read/read.ts";
import { listDataSets, readStats } from "./data-sets.ts";
import { sweepAbandonedStages } from "./3-stage/stage-tables.ts";
import { openCatalogMatch, readCatalogBounds, readTile } from "../sources/catalog/index.ts";
import { stageTableOf } from "./3-stage/stage-tables.ts";
import { givenCatalog, place, recordIndexes, town, yielded } from "../sources/catalog/testing.ts";
import { fingerprintOf } from "./1-fetch/fingerprint.ts";
import { importItems, type ImportProgress } from "./import.ts";
import { removeDataSet } from "./remove.ts";

const cafe = (number: number) =>
  place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"] });
const cafes = (count: number) => Array.from({ length: count }, (_, index) => cafe(index + 1));
const { signal: running } = new AbortController();

async function givenImports(t: Parameters<typeof givenCatalog>[0]) {
  const { connection, db, index, names } = await givenCatalog(t);

  async function run(
    items: AsyncIterable<RecordItem>,
    fingerprint: string,
    options: { signal?: AbortSignal; waitForSearches?: () => Promise<void> } = {},
  ) {
    const steps: ImportProgress[] = [];
    const read = { skipped: { count: 0, samples: [] } };
    const result = await importItems({ name: "test", origin: "test.file" }, items, {
      connection,
      clock: systemClock,
      signal: running,
      fingerprint,
      read,
      ...options,
      progress: (step) => void steps.push({ ...step }),
    });
    const firstRead = steps.find((step) => step.phase === "reading");
    return { result, read, resumed: steps.find(({ phase }) => phase === "resuming"), firstRead };
  }

  /** Leaves a stage behind, of all items or, with `rest`, of some; while indexing also most of the next generation. */
  async function interrupt(
    items: RecordItem[],
    fingerprint: string,
    { rest = [], during = "storing" }: { rest?: RecordItem[]; during?: ImportProgress["phase"] } = {},
  ) {
    const aborting = new AbortController();
    async function* interrupted() {
      yield* items;
      if (rest.length === 0) return;
      yield* rest;
      await until(async () => (await stagedItems(db)) === items.length);
      aborting.abort(new Error("Interrupted."));
    }
    const importing = importItems({ name: "test", origin: "test.file" }, interrupted(), {
      connection,
      clock: systemClock,
      signal: aborting.signal,
      fingerprint,
      read: { skipped: { count: 3, samples: [{ at: "line 2", reason: "no name" }] } },
      progress: ({ phase }) => void (phase === during && aborting.abort(new Error("Interrupted."))),
    });
    await assert.rejects(importing, { message: "Interrupted." });
  }

  return { connection, db, index, names, run, interrupt };
}

test("an import of the same file reads nothing again when all of it is staged", async (t) => {
  const { names, run, interrupt } = await givenImports(t);
  await interrupt(cafes(3), "a");
  assert.deepEqual(await names("cafe"), []);
  const unread = { [Symbol.asyncIterator]: () => assert.fail("It was read again.") };

  const { result, read, resumed } = await run(unread, "a");

  assert.deepEqual(resumed, { phase: "resuming", places: 3, areas: 0, isRead: true });
  assert.equal(result.added, 3);
  assert.deepEqual(read.skipped, { count: 3, samples: [{ at: "line 2", reason: "no name" }] });
  assert.equal((await names("cafe")).length, 3);
});

test("of a file that is staged in part, the rest is staged", async (t) => {
  const { db, run, interrupt } = await givenImports(t);
  const items = cafes(5_700);
  await interrupt(items.slice(0, 5_000), "a", { rest: items.slice(5_000, 5_600) });

  const { result, resumed, firstRead } = await run(yielded(items), "a");

  assert.deepEqual(resumed, { phase: "resuming", places: 5_000, areas: 0, isRead: false });
  assert.equal(firstRead?.places, 5_200, "what is staged is not copied again");
  assert.equal(result.added, items.length);
  await until(async () => (await leftovers(db)).length === 0);
});

test("an import that fails between two transactions of its records adds the rest", async (t) => {
  const { db, names, run } = await givenImports(t);
  const items = cafes(5_200);
  const before = await recordIndexes(db);
  // The places share a cell, so that those with the highest ids come last.
  await db.query(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if new.source_id = 'osm:n999' then raise 'Refused.'; end if;
      return new;
    end
    $$
  `);
  await db.query(sql`create trigger refusing before insert on catalog_records for each row execute function refuse()`);
  await assert.rejects(run(yielded(items), "a"), { message: "Refused." });
  const added = (await remains(db)).filter((name) => name.startsWith("record "));
  assert.equal(added.length, 5_000);
  assert.equal((await recordIndexes(db)).length, before.length - 5, "some indexes follow the records");
  assert.deepEqual(await names("cafe"), []);
  await db.query(sql`drop trigger refusing on catalog_records`);

  const { result } = await run({ [Symbol.asyncIterator]: () => assert.fail("It was read again.") }, "a");

  assert.deepEqual([result.added, result.changed, result.unchanged], [5_200, 0, 0]);
  const { rows } = await db.query<{ records: number; kept: number }>(sql`
    select count(*) as records, count(*) filter (where 'record ' || number = any(${added}::text[])) as kept
    from catalog_records
  `);
  assert.deepEqual(rows[0], { records: 5_200, kept: 5_000 });
  assert.deepEqual(await remains(db), []);
  assert.deepEqual(await recordIndexes(db), before);
  assert.deepEqual(await names("cafe 999"), ["Cafe 999"]);
});

test("another file, or the same one read otherwise, begins again", async (t) => {
  const { db, names, run, interrupt } = await givenImports(t);
  await interrupt(cafes(3), "a");

  const { result, resumed } = await run(yielded([cafe(9)]), "b");

  assert.equal(resumed, undefined);
  assert.equal(result.added, 1);
  assert.deepEqual(await names("cafe"), ["Cafe 9"]);
  await until(async () => (await leftovers(db)).length === 0);
  const [one, same, other] = await Promise.all(["a", "a", "b"].map((content) => temporaryFile(t, content)));
  const of = (path = "", how = {}) => fingerprintOf([{ path, format: "csv" }], how, running);
  assert.equal(await of(one), await of(same));
  assert.notEqual(await of(one), await of(other));
  assert.notEqual(await of(one), await of(one, { mapping: { name: "Firma" } }));
});

const elsewhere = place({ sourceId: "overture:a", name: "Cafe 1", categories: ["amenity/cafe"] });

test("what an interrupted import has written is seen by nobody", async (t) => {
  const { connection, db, index, names, interrupt, run } = await givenImports(t);
  const importOther = (items: RecordItem[]) =>
    importItems({ name: "other", origin: "other.file" }, yielded(items), {
      connection,
      clock: systemClock,
      signal: running,
    });
  const seen = async () => ({
    names: await names("cafe"),
    areas: await names("cafe in Neustadt"),
    dataSets: await listDataSets(db),
    stats: await readStats(db),
    bounds: await readCatalogBounds(index),
    tile: Buffer.from(await readTile({ db, index }, { z: 10, x: 539, y: 359 })).toString("hex"),
    match: await (
      await openCatalogMatch({ db })
    )([aPlace({ name: "Cafe 1", location: { latitude: 47.14, longitude: 9.52 } })]),
  });
  await importOther([elsewhere, cafe(7)]);
  const before = await seen();
  assert.deepEqual(before.match, [["overture:a"]]);
  const renamed = place({ sourceId: "osm:n7", name: "Cafe Sieben", categories: ["amenity/cafe"] });

  await interrupt([...cafes(3), renamed, town("Neustadt", 47.14, 9.52)], "a", { during: "indexing" });

  assert.deepEqual(await seen(), before);
  assert.ok((await remains(db)).length > 0);

  const { result } = await run({ [Symbol.asyncIterator]: () => assert.fail("It was read again.") }, "a");
  assert.equal(result.added, 4);
  assert.deepEqual(await remains(db), []);
  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 1", "Cafe 2", "Cafe 3", "Cafe Sieben"]);
});

test("what an interrupted import has written leaves with the next import, or with the data set", async (t) => {
  const { connection, db, names, run, interrupt } = await givenImports(t);
  await run(yielded(cafes(2)), "a");
  await interrupt(cafes(5).slice(1), "b", { during: "indexing" });
  assert.ok((await remains(db)).length > 0);

  const { result } = await run(yielded([cafe(2), cafe(9)]), "c");

  assert.deepEqual([result.added, result.closed, result.unchanged], [1, 1, 1]);
  assert.deepEqual(await remains(db), []);
  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 2", "Cafe 9"]);

  await interrupt(cafes(5), "d", { during: "indexing" });
  assert.deepEqual(await removeDataSet("test", { connection, signal: running }), { places: 2 });
  assert.deepEqual(await remains(db), []);
  assert.deepEqual(await names("cafe"), []);
});

// The server of a restored backup numbers its tables anew, and may come to the number of a stage of the old one.
test("what was written from another stage of the same number is not continued", async (t) => {
  const { db, names, run, interrupt } = await givenImports(t);
  await run(yielded(cafes(2)), "a");
  await interrupt(cafes(5).slice(1), "b", { during: "indexing" });
  async function* afterRestore() {
    yield* [cafe(2), cafe(9)];
    await db.query(sql`update catalog_state set pending = ${stageTableOf("test")}::regclass::oid::text`);
  }

  const { result } = await run(afterRestore(), "c");

  assert.deepEqual([result.added, result.closed, result.unchanged], [1, 1, 1]);
  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 2", "Cafe 9"]);
});

test("an import is done while its stage is still to be dropped", async (t) => {
  const { connection, db, run } = await givenImports(t);
  const reader = await connectPatiently(connection);
  t.after(() => reader.end());
  const stage = stageTableOf("test");

  const { result } = await run(yielded(cafes(2)), "a", {
    waitForSearches: async () => void (await reader.query(`begin; lock table ${stage} in access share mode`)),
  });

  assert.equal(result.added, 2);
  assert.deepEqual(await leftovers(db), [stage]);
  await reader.query("commit");
  await until(async () => (await leftovers(db)).length === 0);
});

test("a file that is refused leaves nothing behind", async (t) => {
  const { db, run } = await givenImports(t);
  async function* failing(): AsyncGenerator<RecordItem> {
    yield* cafes(6_000);
    throw new Error("The file ends in the middle.");
  }

  await assert.rejects(run(failing(), "a"), { message: "The file ends in the middle." });

  assert.deepEqual(await leftovers(db), []);
});

test("what nobody continues leaves with its data set, or after seven days", async (t) => {
  const { connection, db, interrupt } = await givenImports(t);
  const daysLater = (days: number) => new Date(Date.now() + days * 86_400_000);
  await interrupt(cafes(2), "a");
  assert.equal((await leftovers(db)).length, 2);

  assert.deepEqual(await removeDataSet("test", { connection, signal: running }), { places: 0 });
  assert.deepEqual(await leftovers(db), []);
  await assert.rejects(removeDataSet("test", { connection, signal: running }), /There is no data set test/);

  await interrupt(cafes(2), "a");
  assert.equal(await sweepAbandonedStages(db, daysLater(6)), 0);
  assert.equal(await sweepAbandonedStages(db, daysLater(8)), 1);
  assert.deepEqual(await leftovers(db), []);

  // A crash of the server empties the table of imports.
  await interrupt(cafes(2), "a");
  await db.query(sql`truncate catalog_imports`);
  assert.equal(await sweepAbandonedStages(db, daysLater(0)), 1);
  assert.deepEqual(await leftovers(db), []);
});

test("the stage of an import that runs is never abandoned", async (t) => {
  const { db, run } = await givenImports(t);
  const years = new Date(Date.now() + 1e11);
  const swept: number[] = [];
  async function* slow(): AsyncGenerator<RecordItem> {
    yield cafe(1);
    swept.push(await sweepAbandonedStages(db, years));
  }

  const { result } = await run(slow(), "a");

  assert.deepEqual(swept, [0]);
  assert.equal(result.added, 1);
});

test("a backup leaves out what is staged", async (t) => {
  const { connection, db, interrupt } = await givenImports(t);
  await interrupt(cafes(2), "a");
  assert.equal((await leftovers(db)).length, 2);
  const client = await connectPatiently(connection);
  t.after(() => client.end());

  const parts: string[] = [];
  for await (const { name, chunks } of copyTablesOut(client)) {
    parts.push(name);
    for await (const chunk of chunks) assert.ok(chunk.length > 0);
  }

  assert.ok(parts.includes("table/catalog_records"));
  assert.deepEqual(
    parts.filter((name) => /catalog_(stage|imports)/.test(name)),
    [],
  );
});

async function stagedItems(db: Database): Promise<number> {
  const { rows } = await db.query<{ items: number }>(sql`select items from catalog_imports where name = 'test'`);
  return rows[0]?.items ?? 0;
}

/** What is there of a generation that is not the current one. */
async function remains(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(sql`
    select 'record ' || number as name from catalog_records, catalog_state where number > last_number
    union all
    select 'change ' || number from catalog_record_changes
    union all
    select 'area ' || source_id from catalog_area_changes
    union all
    select 'data set ' || name from catalog_data_sets where is_pending
  `);
  return rows.map(({ name }) => name);
}

/** What imports keep in the database beside the catalog: tables, and rows about them. */
async function leftovers(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class where relname like 'catalog\\_stage\\_%' and relkind = 'r'
    union all
    select name from catalog_imports
  `);
  return rows.map(({ name }) => name);
}
