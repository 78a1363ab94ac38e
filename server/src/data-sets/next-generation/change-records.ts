import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import type { Next } from "./generation.ts";

/** What a changed record has beside its contents. */
export const changeColumns = sql`
  number, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank, name_words,
  other_words, categories, contacts, areas, place, superseded, closed_at, shown
`;

/**
 * Changes records of the next generation: in place where no search reads them yet, beside the others. `values` is
 * a relation `m` with the number of each record, and `set` takes from it.
 */
export async function changeRecords(
  db: BulkConnection,
  { lastNumber }: Next,
  { numbers, values, set }: { numbers: readonly number[]; values: Sql; set: Sql },
): Promise<void> {
  const read = numbers.filter((number) => number <= lastNumber);
  if (read.length > 0) {
    await db.query(sql`
      insert into catalog_record_changes (${changeColumns})
      select ${changeColumns}
      from catalog_records
      where number = any(${read}::integer[])
      on conflict (number) do nothing
    `);
    await db.query(sql`
      update catalog_record_changes r
      set ${set}
      from ${values}
      where r.number = m.number
    `);
  }
  if (read.length === numbers.length) return;
  await db.query(sql`
    update catalog_records r
    set ${set}
    from ${values}
    where r.number = m.number and r.number > ${lastNumber}
  `);
}

/** The blocks of these cells are written again. */
export async function noteChangedCells(db: BulkConnection, cells: readonly number[]): Promise<void> {
  await db.query(sql`
    insert into catalog_changed_cells (cell)
    select cell
    from unnest(${[...new Set(cells)]}::integer[]) as c (cell)
  `);
}

/** The cells whose blocks are written again. */
export async function listChangedCells(db: BulkConnection): Promise<number[]> {
  // As JSON, which the driver reads faster than an array.
  const { rows } = await db.query<{ cells: number[] | null }>(sql`
    select to_json(array_agg(distinct cell)) as cells
    from catalog_changed_cells
  `);
  return rows[0]?.cells ?? [];
}

/** Within the transaction that switches. */
export async function switchRecords(db: BulkConnection): Promise<void> {
  await db.query(sql`
    update catalog_records r
    set hash = c.hash, cell = c.cell, latitude = c.latitude, longitude = c.longitude, country_code = c.country_code,
      rank = c.rank, name_words = c.name_words, other_words = c.other_words, categories = c.categories,
      contacts = c.contacts, areas = c.areas, place = c.place, superseded = c.superseded, closed_at = c.closed_at,
      shown = c.shown, record = coalesce(c.record, r.record)
    from catalog_record_changes c
    where c.number = r.number
  `);
}
