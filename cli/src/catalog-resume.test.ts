import assert from "node:assert/strict";
import { once } from "node:events";
import { getPriority } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { silentLog } from "../../server/src/platform/log.ts";
import { type BulkConnection, openBulkConnection } from "../../server/src/platform/postgres/bulk.ts";
import { type Connection, createDatabase, type Database } from "../../server/src/platform/postgres/database.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { createCatalog } from "../../server/src/sources/catalog/catalog.ts";
import { listDataSets, readGeneration } from "../../server/src/data-sets/data-sets.ts";
import { openIndexFolder, lockPath } from "../../server/src/place-index/file/folder.ts";
import { tryFileLock } from "../../server/src/platform/file-lock.ts";
import { givenPlaceIndex } from "../../server/test/place-index.ts";
import { until } from "../../server/test/database-door.ts";
import { givenInstallation } from "./installation.ts";

/** More than two transactions of the stage: the second may be over before the import is held. */
const many = 16_000;
/** A busy machine takes long to start a process and to import. */
const patienceSeconds = 180;
const csv = (count: number) => {
  const rows = Array.from({ length: count }, (_, index) => {
    const [latitude, longitude] = [46 + (index % 977) / 500, 6 + (index % 991) / 250];
    return `Probe ${index},${latitude},${longitude},${index % 3 === 0 ? "cafe" : "bakery"}`;
  });
  return ["name,lat,lon,category", ...rows, ",47.1,9.5,cafe"].join("\n");
};

test("an import that is killed while it reads, stores, indexes and switches continues, and ends as one that never was", async (t) => {
  const killed = await givenInstallation(t);
  const db = opened(t, killed.connection);
  const names = await searchOf(t, db);
  await killed.run("catalog", "import", await killed.file("probes.csv", csv(3)), "--allow-skipped", "50");
  const path = await killed.file("probes.csv", csv(many));
  const before = await names("probe 2");
  assert.deepEqual(before, ["Probe 2"]);

  /** Starts the import, kills it while it waits for this table, and resolves to what it had said. */
  async function killedAt(
    table: "catalog_imports" | "catalog_places" | "catalog_areas",
    isThere: () => Promise<boolean>,
  ) {
    const child = killed.start("catalog", "import", path);
    let error = "";
    child.stderr.on("data", (chunk) => (error += chunk));
    await until(isThere, patienceSeconds);
    const release = await holdTable(killed.connection, table);
    await until(async () => (await listWaiting(db, table)).length > 0, patienceSeconds);
    for (const pid of [child.pid ?? 0, ...(await listWaiting(db, table))]) {
      assert.ok(getPriority(pid) > getPriority(), "an import and its session let a service beside them go first");
    }
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.deepEqual(await names("probe 2"), before);
    assert.ok(!(await names("probe 15999")).includes("Probe 15999"));
    assert.deepEqual(
      (await listDataSets(db)).map(({ places }) => places),
      [3],
    );
    await release();
    return error;
  }

  await db.query(sql`
    create function linger() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(.5);
      return new;
    end
    $$
  `);
  await db.query(sql`
    create trigger lingering after update on catalog_imports for each row when (new.items > 0) execute function linger()
  `);
  const reading = await killedAt("catalog_imports", async () => (await stagedItems(db)) > 0);
  const staged = await stagedItems(db);
  await db.query(sql`drop trigger lingering on catalog_imports`);
  const indexing = await killedAt("catalog_places", async () => true);
  const stored = await storedNumbers(db);
  const switching = await killedAt("catalog_areas", async () => true);
  assert.deepEqual(await storedNumbers(db), stored, "what is stored is not stored again");
  const last = await killed.run("catalog", "import", path);

  assert.doesNotMatch(reading, /Continuing/);
  assert.ok(staged > 0 && staged < many, `${staged} items were staged`);
  assert.match(
    indexing,
    /^Continuing an interrupted import: [\d,]+ places are staged, the rest of the file follows\.$/m,
  );
  assert.match(indexing, /^Storing/m);
  assert.match(switching, /^Continuing an interrupted import: 16,000 places are staged, all of the file is read\.$/m);
  assert.match(switching, /^Indexing/m);
  assert.ok(stored.transactions > 1, `${stored.transactions} transactions`);
  assert.equal(last.code, 0, last.error);
  assert.match(last.out, /15,997 new, 0 changed, 3 as before, 0 closed, 1 that cannot be used skipped/);
  await until(async () => (await leftovers(db)).length === 0);

  const undisturbed = await givenInstallation(t);
  await undisturbed.run("catalog", "import", await undisturbed.file("probes.csv", csv(many)));
  const other = opened(t, undisturbed.connection);
  assert.deepEqual(await contentOf(db), await contentOf(other));
  const otherNames = await searchOf(t, other);
  for (const q of ["probe 15999", "probe 77", "bakery", "prope 123"]) {
    assert.deepEqual(await names(q), await otherNames(q), q);
  }
});

test("Ctrl-C after the switch leaves the change made, and says so", async (t) => {
  const { env, run, start, file, list, connection } = await givenInstallation(t);
  const db = opened(t, connection);
  await run("catalog", "import", await file("probes.csv", csv(3)), "--allow-skipped", "50");
  const path = await file("probes.csv", csv(5));

  /** Interrupts the command while the process that follows lags behind; resolves to what it had said. */
  async function interrupted(...words: string[]) {
    const generation = await readGeneration(db);
    const child = start(...words);
    let error = "";
    child.stderr.on("data", (chunk) => (error += chunk));
    await until(async () => (await readGeneration(db)) > generation, patienceSeconds);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    return { code, error };
  }

  const indexFolder = join(env.WAYPOST_DATA_DIR, "index");
  openIndexFolder(indexFolder);
  const follower = tryFileLock(lockPath(indexFolder));
  t.after(() => follower?.release());
  const imported = await interrupted("catalog", "import", path, "--allow-skipped", "50");
  const after = await list();
  const removed = await interrupted("catalog", "remove", "probes");

  for (const { code, error } of [imported, removed]) {
    assert.equal(code, 0, error);
    assert.match(error, /^Interrupted after the change was made; every search sees it within a few seconds\.$/m);
    assert.doesNotMatch(error, /as it was/);
  }
  assert.deepEqual(after, [{ name: "probes", places: 5 }]);
  assert.deepEqual(await list(), []);
});

function opened(t: TestContext, connection: Connection): Database {
  const db = createDatabase({ connection, connectionsMax: 3, log: silentLog });
  t.after(() => db.end().catch(() => undefined));
  return db;
}

async function searchOf(t: TestContext, db: Database) {
  const catalog = createCatalog({ db, index: await givenPlaceIndex(t, db) });
  return async (q: string) => {
    const query = { q, page: 1, hl: "en", extra: false, ll: "@47,8,8z" };
    const { listings } = await catalog.search(query, new AbortController().signal);
    return listings.map(({ name }) => name);
  };
}

async function holdTable(connection: Connection, table: string): Promise<() => Promise<void>> {
  const holder: BulkConnection = await openBulkConnection(connection, new AbortController().signal);
  await holder.execute(`begin; lock table ${table} in share mode`);
  return () => holder.end();
}

/** The sessions that wait for a table. */
async function listWaiting(db: Database, table: string): Promise<number[]> {
  const { rows } = await db.query<{ pid: number }>(sql`
    select pid
    from pg_locks
    where not granted and relation = ${table}::regclass
  `);
  return rows.map(({ pid }) => pid);
}

/** The records that no search reads yet. */
async function storedNumbers(db: Database) {
  const { rows } = await db.query<{ first: number; last: number; records: number; transactions: number }>(sql`
    select min(number) as first, max(number) as last, count(*) as records, count(distinct xmin::text) as transactions
    from catalog_records
    where number > (select last_number from catalog_state)
  `);
  return rows[0] ?? { first: 0, last: 0, records: 0, transactions: 0 };
}

async function stagedItems(db: Database): Promise<number> {
  const { rows } = await db.query<{ items: number }>(sql`select items from catalog_imports`);
  return rows[0]?.items ?? 0;
}

/** What imports keep in the database beside the catalog: tables, and rows about them. */
async function leftovers(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class where relkind in ('r', 'v') and relname like 'catalog\\_stage%'
    union all
    select name from catalog_imports
  `);
  return rows.map(({ name }) => name);
}

/** Everything that a search reads; numbers as distances, since a transaction that is undone uses some up. */
async function contentOf(db: Database) {
  const { rows: records } = await db.query<{ number: number }>(sql`
    select number, place - number as lead, source_id, hash, cell, country_code, rank, name_words, other_words,
      categories, contacts, areas, record, superseded, closed_at
    from catalog_records
    order by cell, source_id
  `);
  const order = new Map(records.map(({ number }, index) => [number, index]));
  const { rows: places } = await db.query<{ lead: number }>(sql`
    select place, lead, business_id, revision
    from catalog_places
    order by place
  `);
  return {
    records: records.map((row) => ({ ...row, number: order.get(row.number) })),
    places: places.map((row) => ({ ...row, lead: order.get(row.lead) })),
  };
}
