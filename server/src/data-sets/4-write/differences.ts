import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type Next, rowsPerTransaction } from "../next-generation/generation.ts";

/**
 * What a change does to the records of one data set, in the order of their cells: one row for each record that is
 * added (no number yet), and after all of these one for each that is changed or closed (no staged row); none for those
 * that stay as they are. Where one that is added lies is noted when its shard is stored. It lasts as long as the connection.
 */
export async function createDifferences(db: BulkConnection): Promise<void> {
  await db.execute(`
    drop table if exists pg_temp.catalog_differences;
    create temporary table catalog_differences (
      position integer not null,
      row_id tid,
      number integer,
      cell integer,
      cell_before integer,
      areas text[],
      country_code text
    )
  `);
}

/** A range of cells; no bound where it has none. */
export type Cells = { from: number | null; to: number | null };

/** All staged places in these cells, of a data set that the catalog has no records of. */
export async function listAdded(db: BulkConnection, { from, to }: Cells): Promise<void> {
  await db.query(sql`
    insert into catalog_differences (position, row_id, cell)
    select row_number() over (order by cell, source_id), row_id, cell
    from catalog_stage
    where kind = 'place'
      and (${from}::integer is null or cell >= ${from}::integer)
      and (${to}::integer is null or cell < ${to}::integer)
  `);
}

/** A cell with about as many staged places before it as after, as far as the statistics tell; null where they do not. */
export async function findMiddleCell(db: BulkConnection, stageTable: string): Promise<number | null> {
  const { rows } = await db.query<{ bounds: number[] }>(sql`
    select histogram_bounds::text::integer[] as bounds
    from pg_stats
    where schemaname = current_schema() and tablename = ${stageTable} and attname = 'cell'
  `);
  const bounds = rows[0]?.bounds ?? [];
  return bounds[Math.floor(bounds.length / 2)] ?? null;
}

/**
 * The staged places that the catalog does not have as they are, and the records that are not staged. One join over
 * the whole data set: 200,000 places that all stay as they are took twenty times as long when each was looked up.
 */
export async function listDifferences(db: BulkConnection, { lastNumber }: Next, dataSetId: number): Promise<void> {
  await db.query(sql`
    insert into catalog_differences (position, row_id, number, cell, cell_before)
    select
      row_number() over (
        order by r.number is not null, coalesce(s.cell, r.cell), coalesce(s.source_id, r.source_id)
      ),
      s.row_id, r.number, s.cell, r.cell
    from (
      select row_id, source_id, hash, cell
      from catalog_stage
      where kind = 'place'
    ) s
    full join (
      select number, source_id, hash, cell, closed_at
      from catalog_records
      where data_set_id = ${dataSetId}
    ) r on r.source_id = s.source_id
    where r.number is null
      or (
        r.number <= ${lastNumber}
        and case when s.row_id is null then r.closed_at is null else r.hash <> s.hash or r.closed_at is not null end
      )
  `);
}

/** Every open record of a data set that leaves. */
export async function listLeaving(db: BulkConnection, { lastNumber }: Next, dataSetId: number): Promise<void> {
  await db.query(sql`
    insert into catalog_differences (position, number, cell_before)
    select row_number() over (order by cell, source_id), number, cell
    from catalog_records
    where data_set_id = ${dataSetId} and closed_at is null and number <= ${lastNumber}
  `);
}

export type DifferenceCounts = { added: number; changed: number; closed: number };

/** Counts the differences once they are listed, and makes each of their ranges quick to read. */
export async function countDifferences(db: BulkConnection): Promise<DifferenceCounts> {
  await db.execute(`
    create index on catalog_differences (position);
    analyze catalog_differences (position)
  `);
  const { rows } = await db.query<DifferenceCounts>(sql`
    select count(*) filter (where number is null) as added,
      count(*) filter (where number is not null and row_id is not null) as changed,
      count(*) filter (where row_id is null) as closed
    from catalog_differences
  `);
  return rows[0] ?? { added: 0, changed: 0, closed: 0 };
}

/** A range of differences that is one transaction. */
export type Shard = { first: number; last: number };

export function* shardsOf({ added, changed, closed }: DifferenceCounts): Iterable<Shard> {
  const total = added + changed + closed;
  for (let first = 1; first <= total; first += rowsPerTransaction) {
    yield { first, last: first + rowsPerTransaction - 1 };
  }
}
