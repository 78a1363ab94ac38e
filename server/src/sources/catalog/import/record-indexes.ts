import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";

/**
 * The indexes of records that searches need only once records are shown; a test compares them with those of the
 * migrations. The others stay: the one of numbers finds where an interrupted import continues, and the one of cells
 * serves readers that look for shown records near a point and must not go through those of an import.
 */
const definitions: Record<string, string> = {
  catalog_records_by_source_id:
    "create unique index catalog_records_by_source_id on catalog_records (source_id, data_set_id)",
  catalog_records_by_place: "create index catalog_records_by_place on catalog_records (place)",
  catalog_records_by_data_set: "create index catalog_records_by_data_set on catalog_records (data_set_id, cell)",
};

/** Readers that come after a drop that waits wait too. */
const dropWaitMs = 200;

/**
 * Drops them from the empty table, so that an import creates each at once after its records, for a third of the work of
 * adding record by record. They stay where the role may not drop them or a reader is in the way.
 */
export async function dropRecordIndexes(db: BulkConnection): Promise<void> {
  await db.execute("begin");
  try {
    await db.execute(`
      set local lock_timeout = ${dropWaitMs};
      drop index if exists ${Object.keys(definitions).join(", ")}
    `);
    await db.execute("commit");
  } catch {
    await db.execute("rollback");
  }
}

/** Creates those that are missing, as an import does after its records, or the next change after one that was interrupted. */
export async function createRecordIndexes(db: BulkConnection): Promise<void> {
  const { rows } = await db.query<{ name: string }>(sql`
    select name
    from unnest(${Object.keys(definitions)}::text[]) as wanted (name)
    where to_regclass(name) is null
  `);
  if (rows.length === 0) return;
  // The other processors belong to searches.
  await db.execute("set max_parallel_maintenance_workers = 0");
  for (const { name } of rows) await db.execute(definitions[name] ?? "");
}
