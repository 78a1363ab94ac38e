import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { changeColumns } from "./change-records.ts";
import { hasOutlines, updateCountriesOfAreas } from "./contain.ts";
import {
  countDifferences,
  createDifferences,
  type DifferenceCounts,
  listAdded,
  listDifferences,
  listLeaving,
  type Shard,
  shardsOf,
} from "./differences.ts";
import { createLocate, type Locate, type Placed } from "./locate.ts";
import { type Next, rowsPerTransaction } from "./next.ts";
import { createRecordIndexes, dropRecordIndexes } from "./record-indexes.ts";
import { changeAreas, removeAreas } from "./swap-areas.ts";

export type Swapped = { added: number; changed: number; closed: number; unchanged: number; areas: number };

/**
 * Keeps, for as long as the connection lasts, what the change touches, so that each later step looks only
 * there: the cells whose places change, the source ids that another data set may have too, and the
 * extents of changed areas, which are single points where an area has no shape.
 */
export async function createChangeTables(db: BulkConnection): Promise<void> {
  await db.execute(`
    create temporary table catalog_changed_cells (cell integer not null);
    create temporary table catalog_touched_ids (at integer generated always as identity, source_id text not null);
    create temporary table catalog_changed_extents (extent box not null, has_shape boolean not null);
  `);
  await createDifferences(db);
}

/**
 * Refreshes the planner's statistics when more than a tenth of a table changed; of smaller changes the
 * server's autovacuum keeps count. Of records only what statements compare: the other columns took two
 * thirds of the time.
 */
export async function refreshStatistics(db: BulkConnection, { lastNumber }: Next): Promise<void> {
  await db.execute(`
    do $$
    begin
      if (
        (select last_value from catalog_record_numbers) - ${lastNumber} + (select count(*) from catalog_record_changes)
      ) * 10 > (select reltuples from pg_class where oid = 'catalog_records'::regclass) then
        analyze catalog_records (number, data_set_id, source_id, dataset_kind, cell, place, superseded, closed_at);
      end if;
      if (select count(*) from catalog_changed_extents) * 10
        > (select reltuples from pg_class where oid = 'catalog_areas'::regclass) then
        analyze catalog_areas;
      end if;
      analyze catalog_record_changes;
      analyze catalog_area_changes;
    end
    $$
  `);
}

/** Writes the data set as it is staged to the next generation, range by range; rows that say the same stay as they are. */
export async function stageNext(
  db: BulkConnection,
  { next, dataSetId, now }: { next: Next; dataSetId: number; now: Date },
): Promise<Swapped> {
  const { rows: known } = await db.query<Known>(sql`
    select exists (select from catalog_records) as "isFilled",
      exists (select from catalog_records where data_set_id = ${dataSetId}) as "hasRecords",
      exists (select from catalog_data_sets where id <> ${dataSetId}) as "hasOthers",
      (select count(*) from catalog_records where number > ${next.lastNumber}) as "addedBefore"
  `);
  const areas = await changeAreas(db, dataSetId);
  await updateCountriesOfAreas(db);
  const { isFilled = true, hasRecords = true, hasOthers = true, addedBefore = 0 } = known[0] ?? {};
  await (hasRecords ? listDifferences(db, next, dataSetId) : listAdded(db));
  const counts = await countDifferences(db);
  if (!isFilled && counts.added > rowsPerTransaction) await dropRecordIndexes(db);
  await applyDifferences(db, { next, dataSetId, now, counts });
  await createRecordIndexes(db);
  if (hasOthers) await touchShared(db, dataSetId);
  const staged = hasRecords ? await countStaged(db) : counts.added;
  const added = addedBefore + counts.added;
  return { ...counts, added, unchanged: staged - added - counts.changed, areas };
}

type Known = { isFilled: boolean; hasRecords: boolean; hasOthers: boolean; addedBefore: number };

/** Leaves a data set out of the next generation. */
export async function leaveOut(db: BulkConnection, next: Next, dataSetId: number, now: Date): Promise<void> {
  await removeAreas(db, dataSetId);
  await updateCountriesOfAreas(db);
  await listLeaving(db, next, dataSetId);
  await applyDifferences(db, { next, dataSetId, now, counts: await countDifferences(db) });
}

async function applyDifferences(
  db: BulkConnection,
  { next, dataSetId, now, counts }: { next: Next; dataSetId: number; now: Date; counts: DifferenceCounts },
): Promise<void> {
  await noteDifferentCells(db, next);
  const locate = counts.added > 0 && (await hasOutlines(db)) ? createLocate(db) : undefined;
  for (const shard of shardsOf(counts)) {
    // Each statement looks up the few rows of its range; joined by hash it would read all records.
    await db.execute("begin; set local enable_hashjoin = off; set local enable_mergejoin = off");
    if (counts.changed > 0) await changeShard(db, shard);
    if (locate) await locateShard(db, shard, locate);
    if (counts.added > 0) await insertShard(db, dataSetId, shard);
    if (counts.closed > 0) await closeShard(db, shard, now);
    await db.execute("commit");
  }
}

/** Where records were and will be, and where an interrupted import has added some. */
async function noteDifferentCells(db: BulkConnection, { lastNumber }: Next): Promise<void> {
  await db.query(sql`
    insert into catalog_changed_cells (cell)
    select cell
    from catalog_differences
    where cell is not null
    union
    select cell_before
    from catalog_differences
    where cell_before is not null
    union
    select cell
    from catalog_records
    where number > ${lastNumber}
  `);
}

/** Notes what the shard says otherwise of records that searches read. */
async function changeShard(db: BulkConnection, { first, last }: Shard): Promise<void> {
  await db.query(sql`
    insert into catalog_record_changes (${changeColumns}, record)
    select r.number, r.data_set_id, r.source_id, r.dataset_kind, s.hash, s.cell, s.latitude, s.longitude,
      s.country_code, s.rank, s.name_words, s.other_words, s.categories, s.contacts, r.areas, r.place, r.superseded,
      null, s.record
    from catalog_differences d
    join catalog_stage s on s.row_id = d.row_id
    join catalog_records r on r.number = d.number
    where d.position between ${first} and ${last}
  `);
}

/** Notes which areas the places to add lie in: added without, each of them would be written twice. */
async function locateShard(db: BulkConnection, { first, last }: Shard, locate: Locate): Promise<void> {
  const { rows: places } = await db.query<Placed & { position: number }>(sql`
    select d.position, s.cell, s.latitude, s.longitude, s.country_code
    from catalog_differences d
    join catalog_stage s on s.row_id = d.row_id
    where d.position between ${first} and ${last} and d.number is null
    order by d.position
  `);
  const locations = await locate(places);
  await db.query(sql`
    update catalog_differences d
    set areas = string_to_array(l.areas, E'\\n'), country_code = l.country_code
    from unnest(
      ${places.map(({ position }) => position)}::integer[],
      ${locations.map(({ ids }) => ids.join("\n"))}::text[],
      ${locations.map(({ country }) => country)}::text[]
    ) as l (position, areas, country_code)
    where d.position = l.position
  `);
}

/** In the order of the cells, so that neighbors, which are found together, lie together. */
async function insertShard(db: BulkConnection, dataSetId: number, { first, last }: Shard): Promise<void> {
  await db.query(sql`
    insert into catalog_records (
      number, place, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank,
      name_words, other_words, categories, contacts, areas, record
    )
    select n.number, n.number, ${dataSetId}, n.source_id, split_part(n.source_id, ':', 1), n.hash, n.cell,
      n.latitude, n.longitude, n.country_code, n.rank, n.name_words, n.other_words, n.categories, n.contacts,
      n.areas, n.record
    from (
      select nextval('catalog_record_numbers') as number, s.source_id, s.hash, s.cell, s.latitude, s.longitude,
        s.country_code, s.rank, s.name_words, s.other_words, s.categories, s.contacts, s.areas, s.record
      from (
        select s.source_id, s.hash, s.cell, s.latitude, s.longitude,
          coalesce(d.country_code, s.country_code) as country_code, s.rank, s.name_words, s.other_words, s.categories,
          s.contacts, coalesce(d.areas, '{}') as areas, s.record
        from catalog_differences d
        join catalog_stage s on s.row_id = d.row_id
        where d.position between ${first} and ${last} and d.number is null
        order by d.position
      ) s
    ) n
  `);
}

/** Closes records in the next generation. */
async function closeShard(db: BulkConnection, { first, last }: Shard, now: Date): Promise<void> {
  await db.query(sql`
    with closed as (
      insert into catalog_record_changes (${changeColumns})
      select r.number, r.data_set_id, r.source_id, r.dataset_kind, r.hash, r.cell, r.latitude, r.longitude,
        r.country_code, r.rank, r.name_words, r.other_words, r.categories, r.contacts, r.areas, r.place, r.superseded,
        ${now}::timestamptz
      from catalog_differences d
      join catalog_records r on r.number = d.number
      where d.position between ${first} and ${last} and d.row_id is null
      returning source_id
    )
    insert into catalog_touched_ids (source_id)
    select source_id
    from closed
  `);
}

/** Even an unchanged record now comes from the data set imported last. */
async function touchShared(db: BulkConnection, dataSetId: number): Promise<void> {
  await db.query(sql`
    insert into catalog_touched_ids (source_id)
    select s.source_id
    from catalog_stage s
    where s.kind = 'place'
      and exists (
        select
        from catalog_records r
        where r.source_id = s.source_id and r.data_set_id <> ${dataSetId}
      )
  `);
}

async function countStaged(db: BulkConnection): Promise<number> {
  const { rows } = await db.query<{ staged: number }>(sql`
    select count(*) as staged
    from catalog_stage
    where kind = 'place'
  `);
  return rows[0]?.staged ?? 0;
}
