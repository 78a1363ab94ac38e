import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { advisoryLocks } from "./advisory-locks.ts";
import { clientConfig, type Connection, type Queryable } from "./database.ts";
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

/**
 * Brings the database to the schema this program knows, or leaves it as it was. Any number of
 * processes may call it at once: the first does the work, the others wait and find it done. An abort
 * ends the work and the wait, and the server undoes what was begun.
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  signal?: AbortSignal,
): Promise<string[]> {
  signal?.throwIfAborted();
  // Its own connection, not the pool's: a migration may take longer than any request may.
  const client = new pg.Client({
    ...clientConfig(connection),
    statement_timeout: 0,
    lock_timeout: 120_000,
    query_timeout: 0,
  });
  client.on("error", () => undefined); // the statement that is running rejects with it
  const leave = () => void client.end().catch(() => undefined);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    await client.connect();
    await refuseOldServer(client);
    // A server looks for a client that left only between statements, unless it can do better on its system.
    await client.query("set client_connection_check_interval = '1s'").catch(() => undefined);
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [advisoryLocks.migration]);
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )
    `);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      "select name, checksum from schema_migrations",
    );
    const pending = pendingMigrations(migrations, rows);
    for (const migration of pending) {
      await client.query(migration.text);
      await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
        migration.name,
        migration.checksum,
      ]);
    }
    await client.query("commit");
    return pending.map(({ name }) => name);
  } finally {
    signal?.removeEventListener("abort", leave);
    await client.end().catch(() => undefined);
  }
}

/** Whether the tables are there at all; an empty database has none. */
export async function hasMigrations(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as found`,
  );
  return rows[0]?.found ?? false;
}

/** True when every migration this program knows has been applied. */
export async function isMigrated(db: Queryable, migrations: readonly Migration[]): Promise<boolean> {
  const names = migrations.map(({ name }) => name);
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) as count
    from schema_migrations
    where name = any(${names})
  `);
  return rows[0]?.count === names.length;
}

function pendingMigrations(known: readonly Migration[], applied: { name: string; checksum: string }[]): Migration[] {
  if (applied.some(({ name }) => name === prereleaseMigration)) {
    throw new Error(
      "This database was made by a version of Waypost from before its first release, which cannot be upgraded; nothing in it was changed. Start with an empty database: set DATABASE_URL or WAYPOST_DATA_DIR to another place.",
    );
  }
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = byName.get(name);
    if (!migration) {
      throw new Error(
        `The database has migration ${name}, which this version of Waypost does not know. Start the newer version, or restore a backup from before it ran.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it had been applied to this database. Restore the file as it was and add a new migration instead.`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
  const version = Number(rows[0]?.version);
  if (version < oldestServer) {
    throw new Error(
      `DATABASE_URL points to PostgreSQL ${Math.floor(version / 10_000)}; Waypost needs PostgreSQL 15 or newer.`,
    );
  }
}
