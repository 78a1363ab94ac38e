import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { type RowBatch, stageColumns } from "../stage-rows.ts";

export type Staged = { places: number; areas: number; skipped: number };

/**
 * Copies rows into a temporary table. It belongs to this connection alone: whatever becomes of the
 * import, it is gone with it.
 */
export async function stageRows(
  db: BulkConnection,
  batches: AsyncIterable<RowBatch>,
  progress: (staged: Staged) => void,
): Promise<Staged> {
  await db.execute(`
    create temporary table catalog_stage (
      line bigint not null,
      kind text not null,
      source_id text not null,
      hash uuid not null,
      cell integer not null,
      latitude double precision not null,
      longitude double precision not null,
      country_code text not null,
      rank smallint not null,
      name_words text not null,
      other_words text not null,
      categories text[] not null,
      contacts text[] not null,
      record text not null
    )
  `);
  const staged = { places: 0, areas: 0, skipped: 0 };

  async function* text() {
    for await (const batch of batches) {
      staged.places += batch.places;
      staged.areas += batch.areas;
      staged.skipped += batch.skipped;
      progress(staged);
      yield batch.text;
    }
  }

  await db.copy(`catalog_stage (${stageColumns})`, text());
  // A file may tell of a place twice; what it says last counts.
  await db.execute(`
    analyze catalog_stage;
    delete from catalog_stage earlier
    using (
      select source_id, kind, max(line) as line
      from catalog_stage
      group by source_id, kind
      having count(*) > 1
    ) repeated
    where earlier.source_id = repeated.source_id
      and earlier.kind = repeated.kind
      and earlier.line < repeated.line;
  `);
  progress(staged);
  return staged;
}
