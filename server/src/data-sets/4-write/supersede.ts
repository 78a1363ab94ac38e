import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { changeRecords, noteChangedCells } from "../next-generation/change-records.ts";
import { type Next, rowsPerTransaction } from "../next-generation/generation.ts";

/** Of records with one source_id in several data sets only the one of the latest is seen. */
export async function markSuperseded(db: BulkConnection, next: Next, latest: number | null): Promise<void> {
  for (let at = 0; ; at += rowsPerTransaction) {
    const { rows: touched } = await db.query<{ ids: string[] | null }>(sql`
      select array_agg(source_id) as ids
      from catalog_touched_ids
      where at > ${at} and at <= ${at + rowsPerTransaction}
    `);
    const ids = touched[0]?.ids;
    if (!ids) return;
    await markSome(db, next, latest, ids);
  }
}

async function markSome(db: BulkConnection, next: Next, latest: number | null, ids: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ number: number; superseded: boolean; cell: number }>(sql`
    select number, superseded, cell
    from (
      select r.number, r.cell, r.superseded as was, row_number() over (
        partition by r.source_id
        order by r.closed_at is not null, d.id is not distinct from ${latest}::integer desc, d.imported_at desc, d.id desc
      ) > 1 as superseded
      from catalog_next_records r
      join catalog_data_sets d on d.id = r.data_set_id
      where r.source_id = any(${ids}::text[])
    ) ranked
    where superseded <> was
  `);
  if (rows.length === 0) return;
  const numbers = rows.map(({ number }) => number);
  await changeRecords(db, next, {
    numbers,
    values: sql`
      unnest(${numbers}::integer[], ${rows.map(({ superseded }) => superseded)}::boolean[]) as m (number, superseded)
    `,
    set: sql`superseded = m.superseded`,
  });
  await noteChangedCells(
    db,
    rows.map(({ cell }) => cell),
  );
}
