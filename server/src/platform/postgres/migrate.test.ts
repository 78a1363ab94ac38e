import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { doorTo, until } from "../../../test/database-door.ts";
import { createTestDatabase } from "../../../test/postgres.ts";
import pg from "pg";
import { silentLog } from "../log.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { clientConfig, type Connection, createDatabase, isOutage } from "./database.ts";
import { compareSchema, migrate, type Migration, readMigrations } from "./migrate.ts";
import { sql } from "./sql.ts";

const migration = (name: string, text: string): Migration => ({
  name,
  text,
  checksum: createHash("sha256").update(text).digest("hex"),
});

async function emptyDatabase(t: TestContext): Promise<Connection> {
  const database = await createTestDatabase({ empty: true });
  t.after(() => database.drop());
  return database.connection;
}

async function rowsOf<Row>(
  connection: Connection,
  statement: Parameters<ReturnType<typeof createDatabase>["query"]>[0],
) {
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  try {
    return (await db.query<Row>(statement)).rows;
  } finally {
    await db.end();
  }
}

test("ten that migrate at once apply each migration once", async (t) => {
  const connection = await emptyDatabase(t);
  const migrations = await readMigrations();

  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(connection, migrations)));

  assert.deepEqual(
    applied.flat(),
    migrations.map(({ name }) => name),
  );
});

test("a migration that fails leaves the database as it was", async (t) => {
  const connection = await emptyDatabase(t);
  const good = migration("0001_good.sql", "create table good (id int)");
  const bad = migration("0002_bad.sql", "create table half (id int); select 1 / 0");

  await assert.rejects(migrate(connection, [good, bad]), /division by zero/);

  const tables = await rowsOf(connection, sql`select tablename from pg_tables where schemaname = 'public'`);
  assert.deepEqual(tables, []);
});

test("a database of another version is refused with what an operator can do, not a developer", async (t) => {
  const connection = await emptyDatabase(t);
  await migrate(connection, [migration("0001_a.sql", "create table a (id int)")]);

  const refusal = await reasonOf(migrate(connection, [migration("0001_a.sql", "create table b (id int)")]));

  assert.match(refusal, /another version of Waypost, whose migration 0001_a\.sql differs.*nothing in it was changed/);
  assert.match(refusal, /Start the version that made it, or start with an empty database/);
  assert.doesNotMatch(refusal, /new migration|the file/);
});

test("an older program says that a newer version upgraded the database, and leaves it alone", async (t) => {
  const connection = await emptyDatabase(t);
  const changed = migration("0001_a.sql", "select 0");
  await migrate(connection, [changed, migration("0002_b.sql", "select 2")]);

  for (const known of [changed, migration("0001_a.sql", "select 1")]) {
    const refusal = await reasonOf(migrate(connection, [known]));

    assert.match(
      refusal,
      /upgraded by a newer version of Waypost: version \S+ does not know its migration 0002_b\.sql/,
    );
    assert.match(refusal, /Start the newer version, or restore a backup from before the upgrade/);
  }
});

async function reasonOf(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => "it did not fail",
    (error: Error) => error.message,
  );
}

test("a database from before the first release is refused with what to do, and left as it was", async (t) => {
  const connection = await emptyDatabase(t);
  await migrate(connection, [migration("0001_organizations_and_keys.sql", "create table a (id int)")]);

  await assert.rejects(migrate(connection, await readMigrations()), /before its first release.*empty database/);

  const tables = await rowsOf(connection, sql`select tablename from pg_tables where schemaname = 'public' order by 1`);
  assert.deepEqual(tables, [{ tablename: "a" }, { tablename: "schema_migrations" }]);
});

test("readiness and doctor see a migration that is missing, and one of a newer version", async (t) => {
  const connection = await emptyDatabase(t);
  const first = migration("0001_a.sql", "select 1");
  const second = migration("0002_b.sql", "select 2");
  await migrate(connection, [first]);
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  t.after(() => db.end());

  assert.deepEqual(await compareSchema(db, [first]), { isBehind: false, refusal: undefined });
  assert.deepEqual(await compareSchema(db, [first, second]), { isBehind: true, refusal: undefined });
  assert.match((await compareSchema(db, [])).refusal ?? "", /newer version of Waypost/);
});

const slow = migration("0001_slow.sql", "create table slow (id int); select pg_sleep(60)");

/** Whether a session of this database is in the middle of the slow migration. */
async function isMigrating(connection: Connection): Promise<boolean> {
  const sessions = await rowsOf(
    connection,
    sql`select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return sessions.length > 0;
}

test("a connection that breaks in the middle of a migration is an outage like any other", async (t) => {
  const connection = await emptyDatabase(t);
  const door = await doorTo(t, connection);
  const migrating = migrate(door.through, [slow]).catch((error: unknown) => error);
  await until(() => isMigrating(connection));

  door.shut();

  assert.ok(isOutage(await migrating));
  await until(async () => !(await isMigrating(connection)));
});

test("an abort ends a migration, and the wait for one that another process runs", async (t) => {
  const connection = await emptyDatabase(t);
  const stopping = new AbortController();
  const migrating = migrate(connection, [slow], { signal: stopping.signal }).catch((error: unknown) => error);
  await until(() => isMigrating(connection));
  const waiting = migrate(connection, [slow], { signal: stopping.signal }).catch((error: unknown) => error);
  const waitsForLock = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `;
  await until(async () => (await rowsOf(connection, waitsForLock)).length > 0);

  stopping.abort();

  assert.ok((await migrating) instanceof Error);
  assert.ok((await waiting) instanceof Error);
  await until(async () => !(await isMigrating(connection)));
  assert.deepEqual(await rowsOf(connection, sql`select to_regclass('slow') as slow`), [{ slow: null }]);
});

/** A session that ends with its database. */
async function sessionNamed(name: string, connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...clientConfig(connection), application_name: name });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

test("a migration that waits for a lock says which, who holds it and when it gives up, and leaves the database as it was", async (t) => {
  const connection = await emptyDatabase(t);
  const first = migration("0001_a.sql", "create table held (id int)");
  await migrate(connection, [first]);
  const holder = await sessionNamed("a forgetful script", connection);
  await holder.query("begin; lock table held in access share mode");
  const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
  const said: string[] = [];
  const second = migration("0002_b.sql", "create table other (id int); alter table held add column b int");

  const refusal = await reasonOf(
    migrate(connection, [first, second], { lockWaitMs: 4_000, onWait: (sentence) => said.push(sentence) }),
  );

  const holding = `a lock on held, held by session ${rows[0]?.pid} of a forgetful script \\(.*\\), idle in transaction for \\d+ seconds`;
  assert.match(said[0] ?? "", new RegExp(`waits for ${holding}\\. It gives up in [0-4] seconds\\.$`));
  assert.match(refusal, new RegExp(`waited 4 seconds for ${holding}; nothing was changed\\. .*pg_terminate_backend`));
  assert.deepEqual(await rowsOf(connection, sql`select to_regclass('other') as other`), [{ other: null }]);
});

test("a process that waits for another's migration says so, and goes on when that one is done", async (t) => {
  const connection = await emptyDatabase(t);
  const other = await sessionNamed("another process", connection);
  await other.query(`begin; select pg_advisory_xact_lock(${advisoryLocks.migration})`);
  let saySentence: (sentence: string) => void = () => undefined;
  const said = new Promise<string>((resolve) => (saySentence = resolve));
  const known = [migration("0001_a.sql", "select 1")];

  const migrating = migrate(connection, known, { onWait: saySentence });
  const sentence = await said;
  await other.query("commit");

  assert.match(
    sentence,
    /waits for the migration of another process, held by session \d+ of another process \(.* gives up in 1\d\d seconds/,
  );
  assert.deepEqual(await migrating, ["0001_a.sql"]);
});
