import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { addRecords } from "./add-records.ts";
import { updateCountriesOfAreas } from "../5-contain/contain.ts";
import {
  countDifferences,
  createDifferences,
  type DifferenceCounts,
  listDifferences,
  listLeaving,
} from "./differences.ts";
import { fillWithheld } from "./fill-withheld.ts";
import type { Next } from "../next-generation/generation.ts";
import { createSettle } from "./set-hint-bits.ts";
import { reserveNumbers, storeDifferences } from "./store-shards.ts";
import { changeAreas, removeAreas } from "../next-generation/change-areas.ts";

export type Written = { added: number; changed: number; closed: number; unchanged: number; areas: number };

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

/** Writes the staged data set to the next generation, range by range. Records that do not differ stay as they are. */
export async function writeDataSet(
  sessions: readonly [BulkConnection, ...BulkConnection[]],
  { next, dataSetId, stageTable, now }: { next: Next; dataSetId: number; stageTable: string; now: Date },
): Promise<Written> {
  const [db] = sessions;
  await createDifferences(db);
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

/** Removes a data set from the next generation. */
export async function removeFromNext(db: BulkConnection, next: Next, dataSetId: number): Promise<void> {
  await createDifferences(db);
  await removeAreas(db, dataSetId);
  await updateCountriesOfAreas(db);
  await applyDifferences(db, { next, dataSetId, now: new Date(0) }, () => listLeaving(db, next, dataSetId));
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
  if (counts.changed > 0) await fillWithheld(db);
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
