import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { inSessions } from "./sessions.ts";

/**
 * The indexes of records that are needed only once records are shown; a test compares them with those of the
 * migrations. Until then nobody goes through records: `isShown` keeps readers away from a catalog without data sets.
 */
const definitions: Record<string, string> = {
  catalog_records_by_source_id:
    "create unique index catalog_records_by_source_id on catalog_records (source_id, data_set_id)",
  catalog_records_by_data_set: "create index catalog_records_by_data_set on catalog_records (data_set_id, cell)",
  catalog_records_by_place: "create index catalog_records_by_place on catalog_records (place)",
  catalog_records_by_cell:
    "create index catalog_records_by_cell on catalog_records (cell) where closed_at is null and not superseded",
  catalog_records_by_number: "create unique index catalog_records_by_number on catalog_records (number)",
};

/** Readers that come after a drop that waits wait too. */
const dropWaitMs = 200;

/**
 * Drops them from the empty table, so that an import creates each at once after its records, for a fifth of the work of
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

/**
 * Creates those that are missing, as an import does after its records, or the next change after one that was interrupted.
 * Each session takes the next one.
 */
export async function createRecordIndexes(sessions: readonly BulkConnection[]): Promise<void> {
  const { rows } = (await sessions[0]?.query<{ name: string }>(sql`
    select name
    from unnest(${Object.keys(definitions)}::text[]) with ordinality as wanted (name, at)
    where to_regclass(name) is null
    order by at
  `)) ?? { rows: [] };
  const missing = rows.values();
  await inSessions(sessions, async (db) => {
    // The other processors belong to searches.
    await db.execute("set max_parallel_maintenance_workers = 0");
    for (const { name } of missing) await db.execute(definitions[name] ?? "");
  });
}
