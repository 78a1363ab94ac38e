import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { advisoryLocks } from "./advisory-locks.ts";
import { clientConfig, type Connection, isLockTimeout, type Queryable } from "./database.ts";
import { DatabaseProblem } from "./database-problem.ts";
import { type LockWait, watchLockWaits } from "./lock-waits.ts";
import { version } from "../version.ts";
import { sql } from "./sql.ts";

const migrationsFolder = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** The first migration of databases made before the first release. */
const prereleaseMigration = "0001_organizations_and_keys.sql";
const oldestServer = 150_000;

export type Migration = { name: string; text: string; checksum: string };

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}`, "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

type MigrateOptions = {
  /** Ends the work and the wait; the server undoes what was begun. */
  signal?: AbortSignal | undefined;
  /** Is told, in a sentence, of each wait for a lock that lasts for more than a second. */
  onWait?: (sentence: string) => void;
  /** How long each statement waits for a lock. */
  lockWaitMs?: number;
};

const lockWaitMsDefault = 120_000;

/**
 * Brings the database to the schema this program knows, or leaves it as it was. Any number of
 * processes may call it at once: the first does the work, the others wait and find it done.
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  { signal, onWait = () => undefined, lockWaitMs = lockWaitMsDefault }: MigrateOptions = {},
): Promise<string[]> {
  signal?.throwIfAborted();
  // Its own connection, not the pool's: a migration may take longer than any request may.
  const client = new pg.Client({
    ...clientConfig(connection),
    statement_timeout: 0,
    lock_timeout: lockWaitMs,
    query_timeout: 0,
  });
  client.on("error", () => undefined); // the statement that is running rejects with it
  const leave = () => void client.end().catch(() => undefined);
  signal?.addEventListener("abort", leave, { once: true });
  let waits: ReturnType<typeof watchLockWaits> | undefined;
  try {
    await client.connect();
    await refuseOldServer(client);
    // A server looks for a client that left only between statements, unless it can do better on its system.
    await client.query("set client_connection_check_interval = '1s'").catch(() => undefined);
    waits = watchLockWaits(connection, await sessionOf(client), (wait) => onWait(sentenceOf(wait, lockWaitMs)));
    return await migrateWithin(client, migrations);
  } catch (error) {
    throw isLockTimeout(error) ? lockTimeout(waits?.latest(), lockWaitMs, error) : error;
  } finally {
    signal?.removeEventListener("abort", leave);
    await waits?.stop();
    await client.end().catch(() => undefined);
  }
}

async function migrateWithin(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock($1)", [advisoryLocks.migration]);
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )
  `);
  const { rows } = await client.query<AppliedMigration>("select name, checksum from schema_migrations");
  const refusal = refusalOf(migrations, rows);
  if (refusal !== undefined) throw new Error(refusal);
  const pending = pendingOf(migrations, rows);
  for (const migration of pending) {
    await client.query(migration.text);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
  }
  await client.query("commit");
  return pending.map(({ name }) => name);
}

/** The server's number of a session, which behind a pooler is another than the client's. */
async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return Number(rows[0]?.pid);
}

function sentenceOf({ waitsFor, heldBy, seconds }: LockWait, lockWaitMs: number): string {
  const left = Math.max(0, Math.round(lockWaitMs / 1_000 - seconds));
  return `The upgrade of the database waits for ${waitsFor}, held by ${heldBy}. It gives up in ${left} seconds.`;
}

function lockTimeout(wait: LockWait | undefined, lockWaitMs: number, cause: unknown): DatabaseProblem {
  const { waitsFor, heldBy } = wait ?? { waitsFor: "a lock", heldBy: "another session" };
  return new DatabaseProblem(
    `The upgrade of the database waited ${lockWaitMs / 1_000} seconds for ${waitsFor}, held by ${heldBy}; nothing was changed`,
    "Let that session end, or end it (select pg_terminate_backend(NUMBER)), then start again",
    { cause },
  );
}

/** Whether the tables are there at all; an empty database has none. */
export async function hasMigrations(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as found`,
  );
  return rows[0]?.found ?? false;
}

/** How the schema of a database differs from the one this program knows. */
export type SchemaDifference = {
  isBehind: boolean;
  /** Why this program does not start on it, and what an operator can do. */
  refusal: string | undefined;
};

export async function compareSchema(db: Queryable, migrations: readonly Migration[]): Promise<SchemaDifference> {
  const { rows } = await db.query<AppliedMigration>(sql`select name, checksum from schema_migrations`);
  return { isBehind: pendingOf(migrations, rows).length > 0, refusal: refusalOf(migrations, rows) };
}

type AppliedMigration = Pick<Migration, "name" | "checksum">;

function pendingOf(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

function refusalOf(known: readonly Migration[], applied: readonly AppliedMigration[]): string | undefined {
  const elsewhere = "start with an empty database: set DATABASE_URL or WAYPOST_DATA_DIR to another place.";
  if (applied.some(({ name }) => name === prereleaseMigration)) {
    return `This database was made by a version of Waypost from before its first release, which cannot be upgraded; nothing in it was changed. To go on, ${elsewhere}`;
  }
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  // First: a newer version may have other checksums too, and is the one to start.
  const unknown = applied.find(({ name }) => !byName.has(name));
  if (unknown) {
    return `This database was upgraded by a newer version of Waypost: version ${version} does not know its migration ${unknown.name}. Start the newer version, or restore a backup from before the upgrade into an empty database.`;
  }
  const other = applied.find(({ name, checksum }) => byName.get(name)?.checksum !== checksum);
  if (other) {
    return `This database was made by another version of Waypost, whose migration ${other.name} differs; it cannot be upgraded, and nothing in it was changed. Start the version that made it, or ${elsewhere}`;
  }
  return undefined;
}

async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
  const found = Number(rows[0]?.version);
  if (found < oldestServer) {
    throw new Error(
      `DATABASE_URL points to PostgreSQL ${Math.floor(found / 10_000)}; Waypost needs PostgreSQL 15 or newer.`,
    );
  }
}
