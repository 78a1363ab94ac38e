import { createHash } from "node:crypto";
import { advisoryLockSpaces } from "../../platform/postgres/advisory-locks.ts";
import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

const tablePrefix = "catalog_stage_";

/** Where the items of a data set are staged. */
export function stageTableOf(name: string): string {
  return `${tablePrefix}${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
}

/** The second half of the lock that an import of the data set keeps; the first is `catalogDataSets`. */
export function lockKeyOf(name: string): number {
  return createHash("sha256").update(name).digest().readInt32BE();
}

/** Drops what is staged of a data set, within the caller's transaction; false when nothing is. */
export async function dropStage(db: Queryable, name: string): Promise<boolean> {
  await db.query(sql`select drop_catalog_stage(${stageTableOf(name)})`);
  return forgetStage(db, name);
}

/** No import continues with what is staged of a data set; its table stays until somebody drops it. */
export async function forgetStage(db: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`delete from catalog_imports where name = ${name}`);
  return rowCount > 0;
}

/** Drops what was staged of a data set, unless another import has a stage there or begins one. */
export async function dropForgottenStage(db: BulkConnection, name: string): Promise<void> {
  await db.execute("begin");
  await dropAbandoned(db, stageTableOf(name), new Date(0));
  await db.execute("commit");
}

const dayMs = 86_400_000;
/** How long an interrupted import can be continued. */
const abandonedDays = 7;

/**
 * Drops the stages of imports that nobody continued, and those that a crash of the server emptied; resolves to
 * how many. Never that of an import that runs, which keeps its data set locked.
 */
export async function sweepAbandonedStages(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - abandonedDays * dayMs);
  const tables = await listAbandoned(db, before);
  let dropped = 0;
  for (const table of tables) dropped += await db.transaction((tx) => dropAbandoned(tx, table, before));
  return dropped;
}

async function dropAbandoned(tx: Queryable, table: string, before: Date): Promise<number> {
  // The table is named by the same hash as the lock.
  const key = Buffer.from(table.slice(tablePrefix.length), "hex").readInt32BE();
  const { rows } = await tx.query<{ is_free: boolean }>(sql`
    select pg_try_advisory_xact_lock(${advisoryLockSpaces.catalogDataSets}::integer, ${key}::integer) as is_free
  `);
  if (!rows[0]?.is_free || !(await listAbandoned(tx, before)).includes(table)) return 0;
  await tx.query(sql`select drop_catalog_stage(${table})`);
  await tx.query(sql`delete from catalog_imports where stage = ${table}`);
  return 1;
}

async function listAbandoned(db: Queryable, before: Date): Promise<string[]> {
  const { rows } = await db.query<{ stage: string }>(sql`
    select class.relname::text as stage
    from pg_class class
    left join catalog_imports import on import.stage = class.relname
    where class.relnamespace = current_schema()::regnamespace
      and class.relkind = 'r'
      and starts_with(class.relname::text, ${tablePrefix})
      and (import.stage is null or import.updated_at < ${before})
  `);
  return rows.map(({ stage }) => stage);
}
