import { advisoryLocks } from "../../platform/postgres/advisory-locks.ts";
import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { createRecordIndexes } from "./record-indexes.ts";
import { awaitSecondSession } from "./sessions.ts";

/**
 * The generation that a change writes beside the one that searches read. Records up to `lastNumber` are read by
 * searches; what is different of them goes to `catalog_record_changes`. Those with higher numbers are written in
 * place. `catalog_next_records` shows both as they will be. Records above `writtenBefore` are this connection's own.
 */
export type Next = { generation: number; lastNumber: number; writtenBefore: number };

/** So many rows are one transaction. */
export const rowsPerTransaction = 5_000;

type State = Next & { pending: string | null; hasReplaced: boolean };

/**
 * Begins the next generation, for as long as the connection lasts alone. What an interrupted change has written of
 * it stays when the source is the same, and leaves when it is another.
 */
export async function openNext(db: BulkConnection, source: string): Promise<Next> {
  await db.query(sql`select pg_advisory_lock(${advisoryLocks.catalogIndex})`);
  await awaitSecondSession(db);
  const { rows } = await db.query<State>(sql`
    select generation, last_number as "lastNumber", pending, has_replaced as "hasReplaced",
      (select last_value - (not is_called)::integer from catalog_record_numbers) as "writtenBefore"
    from catalog_state
  `);
  const state = rows[0];
  if (!state) throw new Error("The catalog's state has no row.");
  const { generation, lastNumber, writtenBefore } = state;
  const next = { generation: generation + 1, lastNumber, writtenBefore };
  await createRecordIndexes([db]);
  if (state.hasReplaced) await deleteReplaced(db);
  if (state.pending !== null && (state.pending !== source || source === "")) await discardNext(db, next);
  await db.execute("truncate catalog_record_changes, catalog_area_changes");
  // Merging decides again who leads, and notes what that changes.
  await db.query(sql`
    update catalog_records
    set place = number
    where number > ${next.lastNumber} and place <> number
  `);
  await db.query(sql`update catalog_state set pending = ${source}`);
  await createView(db, next);
  await createChangeTables(db);
  // Until the switch nothing waits for the disk: its commit makes all before it durable, and a server that crashes
  // earlier empties the stage, so that the import begins again.
  await db.execute("set synchronous_commit = off");
  return next;
}

/**
 * Keeps, for as long as the connection lasts, what the change touches, so that each later step looks only
 * there: the cells whose places change, the source ids that another data set may have too, and the
 * extents of changed areas, which are single points where an area has no shape.
 */
async function createChangeTables(db: BulkConnection): Promise<void> {
  await db.execute(`
    create temporary table catalog_changed_cells (cell integer not null);
    create temporary table catalog_touched_ids (at integer generated always as identity, source_id text not null);
    create temporary table catalog_changed_extents (extent box not null, has_shape boolean not null);
  `);
}

/** Whether there are records that this connection has not written. */
export async function hasEarlierRecords(db: BulkConnection, { writtenBefore }: Next): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select
    from catalog_records
    where number <= ${writtenBefore}
    limit 1
  `);
  return rowCount > 0;
}

/** For this connection, a view that looks for changes only of records that can have one. */
async function createView(db: BulkConnection, { lastNumber }: Next): Promise<void> {
  const columns = `number, data_set_id, source_id, dataset_kind, cell, latitude, longitude, country_code, rank,
    name_words, other_words, categories, contacts, areas, place, superseded, closed_at, shown`;
  await db.execute(`
    create temporary view catalog_next_records as
    select ${columns}
    from catalog_records
    where number > ${lastNumber}
      or (select changed.number from catalog_record_changes changed where changed.number = catalog_records.number)
        is null
    union all
    select ${columns}
    from catalog_record_changes
  `);
}

/** Within the transaction that switches. */
export async function switchGeneration(db: BulkConnection, { generation }: Next): Promise<void> {
  await db.query(sql`
    update catalog_state
    set generation = ${generation},
      last_number = greatest(last_number, (select last_value from catalog_record_numbers)),
      pending = null,
      has_replaced = true
  `);
}

/** After the switch: what it applied leaves. */
export async function deleteReplaced(db: BulkConnection): Promise<void> {
  await db.execute("truncate catalog_record_changes, catalog_area_changes");
  await db.query(sql`update catalog_state set has_replaced = false`);
}

/** Takes away what a change that does not go on has written. */
async function discardNext(db: BulkConnection, { lastNumber }: Next): Promise<void> {
  await repeat(() =>
    db.query(sql`
      delete from catalog_records
      where number in (
        select number
        from catalog_records
        where number > ${lastNumber}
        order by number
        limit ${rowsPerTransaction}
      )
    `),
  );
  await db.query(sql`delete from catalog_data_sets where is_pending`);
}

async function repeat(step: () => Promise<{ rowCount: number }>): Promise<void> {
  for (;;) if ((await step()).rowCount === 0) return;
}
