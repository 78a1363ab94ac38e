import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { deleteAreas, swapAreas } from "./swap-areas.ts";

export type Swapped = { added: number; changed: number; closed: number; unchanged: number; areas: number };

/**
 * Keeps, for the rest of the transaction, what the change touches, so that each later step looks only
 * there: the cells whose places change, the source ids that another data set may have too, and the
 * extents of changed areas, which are single points where an area has no shape.
 */
export async function createChangeTables(db: BulkConnection): Promise<void> {
  await db.execute(`
    create temporary table catalog_changed_cells (cell integer not null) on commit drop;
    create temporary table catalog_touched_ids (source_id text not null) on commit drop;
    create temporary table catalog_changed_extents (extent box not null, has_shape boolean not null) on commit drop;
  `);
}

/**
 * Refreshes the planner's statistics when more than a tenth of a table changed; of smaller changes the
 * server's autovacuum keeps count.
 */
export async function refreshStatistics(db: BulkConnection): Promise<void> {
  await db.execute(`
    do $$
    begin
      if (select count(*) from catalog_changed_cells) * 10
        > (select reltuples from pg_class where oid = 'catalog_records'::regclass) then
        analyze catalog_records;
      end if;
      if (select count(*) from catalog_changed_extents) * 10
        > (select reltuples from pg_class where oid = 'catalog_areas'::regclass) then
        analyze catalog_areas;
      end if;
    end
    $$
  `);
}

export async function upsertDataSet(
  db: BulkConnection,
  { name, origin }: { name: string; origin: string },
  importedAt: Date,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(sql`
    insert into catalog_data_sets (name, origin, imported_at)
    values (${name}, ${origin}, ${importedAt})
    on conflict (name) do update set origin = excluded.origin, imported_at = excluded.imported_at
    returning id
  `);
  const [row] = rows;
  if (!row) throw new Error("The data set was not written.");
  return row.id;
}

/** Makes the data set what was staged: rows that say the same stay as they are. */
export async function swapIn(db: BulkConnection, dataSetId: number, now: Date): Promise<Swapped> {
  // Note the old cell of a place that moved before its row is overwritten.
  await db.query(sql`
    insert into catalog_changed_cells (cell)
    select r.cell
    from catalog_records r
    join catalog_stage s on s.source_id = r.source_id and s.kind = 'place'
    where r.data_set_id = ${dataSetId} and r.hash <> s.hash and r.cell <> s.cell
  `);
  const changed = await db.query(sql`
    with updated as (
      update catalog_records r
      set hash = s.hash, cell = s.cell, latitude = s.latitude, longitude = s.longitude,
        country_code = s.country_code, rank = s.rank, name_words = s.name_words, other_words = s.other_words,
        categories = s.categories, contacts = s.contacts, record = s.record, closed_at = null
      from catalog_stage s
      where s.kind = 'place'
        and r.source_id = s.source_id
        and r.data_set_id = ${dataSetId}
        and (r.hash <> s.hash or r.closed_at is not null)
      returning r.cell
    )
    insert into catalog_changed_cells (cell)
    select cell from updated
  `);
  const closed = await db.query(sql`
    with updated as (
      update catalog_records r
      set closed_at = ${now}
      where r.data_set_id = ${dataSetId}
        and r.closed_at is null
        and not exists (select from catalog_stage s where s.kind = 'place' and s.source_id = r.source_id)
      returning r.cell, r.source_id
    ),
    touched as (
      insert into catalog_touched_ids (source_id)
      select source_id from updated
    )
    insert into catalog_changed_cells (cell)
    select cell from updated
  `);
  // In the order of the cells, so that neighbors, which are found together, lie together.
  const added = await db.query(sql`
    with inserted as (
      insert into catalog_records (
        number, place, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank,
        name_words, other_words, categories, contacts, record
      )
      select n.number, n.number, ${dataSetId}, n.source_id, split_part(n.source_id, ':', 1), n.hash, n.cell,
        n.latitude, n.longitude, n.country_code, n.rank, n.name_words, n.other_words, n.categories, n.contacts,
        n.record
      from (
        select nextval('catalog_record_numbers') as number, s.source_id, s.hash, s.cell, s.latitude, s.longitude,
          s.country_code, s.rank, s.name_words, s.other_words, s.categories, s.contacts, s.record
        from (
          select source_id, hash, cell, latitude, longitude, country_code, rank, name_words, other_words,
            categories, contacts, record
          from catalog_stage
          where kind = 'place'
            and not exists (
              select
              from catalog_records r
              where r.data_set_id = ${dataSetId} and r.source_id = catalog_stage.source_id
            )
          order by cell, source_id
        ) s
      ) n
      returning cell
    )
    insert into catalog_changed_cells (cell)
    select cell from inserted
  `);
  // Even an unchanged record now comes from the data set imported last.
  await db.query(sql`
    insert into catalog_touched_ids (source_id)
    select source_id
    from catalog_stage
    where kind = 'place' and exists (select from catalog_data_sets where id <> ${dataSetId})
  `);
  const areas = await swapAreas(db, dataSetId);
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) as count
    from catalog_stage
    where kind = 'place'
  `);
  const unchanged = (rows[0]?.count ?? 0) - added.rowCount - changed.rowCount;
  return {
    added: added.rowCount,
    changed: changed.rowCount,
    closed: closed.rowCount,
    unchanged,
    areas,
  };
}

/** Of records with one source_id in several data sets only the one imported last is seen. */
export async function markSuperseded(db: BulkConnection): Promise<void> {
  await db.execute("analyze catalog_touched_ids");
  await db.query(sql`
    with ranked as (
      select r.number, row_number() over (
        partition by r.source_id
        order by r.closed_at is not null, d.imported_at desc, d.id desc
      ) > 1 as superseded
      from catalog_records r
      join catalog_data_sets d on d.id = r.data_set_id
      where r.source_id in (select source_id from catalog_touched_ids)
    ),
    updated as (
      update catalog_records r
      set superseded = ranked.superseded
      from ranked
      where ranked.number = r.number and ranked.superseded <> r.superseded
      returning r.cell
    )
    insert into catalog_changed_cells (cell)
    select cell from updated
  `);
}

/** Takes a data set away for good. */
export async function deleteDataSet(db: BulkConnection, dataSetId: number): Promise<number> {
  await deleteAreas(db, dataSetId);
  const { rowCount } = await db.query(sql`
    with gone as (
      delete from catalog_records
      where data_set_id = ${dataSetId}
      returning cell, source_id
    ),
    touched as (
      insert into catalog_touched_ids (source_id)
      select source_id from gone
    )
    insert into catalog_changed_cells (cell)
    select cell from gone
  `);
  await db.query(sql`delete from catalog_data_sets where id = ${dataSetId}`);
  return rowCount;
}
