import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { addRecords } from "./add-records.ts";
import { updateCountriesOfAreas } from "./contain.ts";
import {
  countDifferences,
  createDifferences,
  type DifferenceCounts,
  listDifferences,
  listLeaving,
} from "./differences.ts";
import type { Next } from "./next.ts";
import { createSettle } from "./settle.ts";
import { reserveNumbers, storeDifferences } from "./store-shards.ts";
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
  sessions: readonly [BulkConnection, ...BulkConnection[]],
  { next, dataSetId, stageTable, now }: { next: Next; dataSetId: number; stageTable: string; now: Date },
): Promise<Swapped> {
  const [db] = sessions;
  const { rows: known } = await db.query<Known>(sql`
    select exists (select from catalog_records) as "isFilled",
      exists (select from catalog_data_sets where not is_pending) as "isShown",
      exists (select from catalog_records where data_set_id = ${dataSetId}) as "hasRecords",
      exists (select from catalog_data_sets where id <> ${dataSetId}) as "hasOthers",
      (select count(*) from catalog_records where number > ${next.lastNumber}) as "addedBefore"
  `);
  const areas = await changeAreas(db, dataSetId);
  await updateCountriesOfAreas(db);
  const { isFilled = true, isShown = true, hasRecords = true, hasOthers = true, addedBefore = 0 } = known[0] ?? {};
  const counts = hasRecords
    ? await applyDifferences(db, { next, dataSetId, now }, () => listDifferences(db, next, dataSetId))
    : await addRecords(sessions, { dataSetId, stageTable, isFirst: !isFilled && !isShown, now });
  if (hasOthers) await touchShared(db, dataSetId);
  const staged = hasRecords ? await countStaged(db) : counts.added;
  const added = addedBefore + counts.added;
  return { ...counts, added, unchanged: staged - added - counts.changed, areas };
}

type Known = { isFilled: boolean; isShown: boolean; hasRecords: boolean; hasOthers: boolean; addedBefore: number };

/** Leaves a data set out of the next generation. */
export async function leaveOut(db: BulkConnection, next: Next, dataSetId: number, now: Date): Promise<void> {
  await removeAreas(db, dataSetId);
  await updateCountriesOfAreas(db);
  await applyDifferences(db, { next, dataSetId, now }, () => listLeaving(db, next, dataSetId));
}

async function applyDifferences(
  db: BulkConnection,
  { next, dataSetId, now }: { next: Next; dataSetId: number; now: Date },
  list: () => Promise<void>,
): Promise<DifferenceCounts> {
  await list();
  const counts = await countDifferences(db);
  await noteDifferentCells(db, next);
  const numbersAfter = await reserveNumbers(db, counts.added);
  const settle = await createSettle(db);
  await storeDifferences(db, { dataSetId, now, counts, numbersAfter, sessions: 1, settle });
  return counts;
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
