import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { noteChangedCells } from "../next-generation/change-records.ts";
import {
  type Cells,
  countDifferences,
  createDifferences,
  type DifferenceCounts,
  findMiddleCell,
  listAdded,
} from "./differences.ts";
import { rowsPerTransaction } from "../next-generation/generation.ts";
import { createRecordIndexes, dropRecordIndexes } from "../next-generation/record-indexes.ts";
import { inSessions } from "../next-generation/sessions.ts";
import { createSettle } from "./set-hint-bits.ts";
import { createStageView } from "../3-stage/stage-store.ts";
import { reserveNumbers, storeDifferences } from "./store-shards.ts";

type Adding = { dataSetId: number; stageTable: string; isFirst: boolean; now: Date };

/**
 * Adds every staged place of a data set that has no records. Two sessions take half of the cells each, and number
 * their records as one would. Into an empty catalog, where `isFirst` says so, indexes follow the records.
 */
export async function addRecords(
  sessions: readonly [BulkConnection, ...BulkConnection[]],
  { dataSetId, stageTable, isFirst, now }: Adding,
): Promise<DifferenceCounts> {
  const [db, second] = sessions;
  if (second) await prepareSecond(second, stageTable);
  const halves = second ? halvesAt(await findMiddleCell(db, stageTable)) : [everywhere];
  const listed = await inSessions(sessions, async (session, index) => {
    await listAdded(session, halves[index] ?? nowhere);
    const { added } = await countDifferences(session);
    return { added, cells: await listCells(session) };
  });
  const added = listed.reduce((sum, half) => sum + half.added, 0);
  for (const { cells } of listed) await noteChangedCells(db, cells);
  if (isFirst && added > rowsPerTransaction) await dropRecordIndexes(db);

  const numbersAfter = await reserveNumbers(db, added);
  const settle = await createSettle(db);
  await inSessions(sessions, (session, index, stopping) => {
    const before = listed.slice(0, index).reduce((sum, half) => sum + half.added, 0);
    const counts = { added: listed[index]?.added ?? 0, changed: 0, closed: 0 };
    const firstAfter = numbersAfter + before;
    const storing = { dataSetId, now, counts, numbersAfter: firstAfter, sessions: sessions.length, settle };
    return storeDifferences(session, storing, stopping);
  });
  await createRecordIndexes(sessions);
  return { added, changed: 0, closed: 0 };
}

const everywhere: Cells = { from: null, to: null };
const nowhere: Cells = { from: 0, to: 0 };

function halvesAt(middle: number | null): Cells[] {
  return middle === null
    ? [everywhere]
    : [
        { from: null, to: middle },
        { from: middle, to: null },
      ];
}

async function prepareSecond(second: BulkConnection, stageTable: string): Promise<void> {
  await createStageView(second, stageTable);
  await createDifferences(second);
}

async function listCells(db: BulkConnection): Promise<number[]> {
  const { rows } = await db.query<{ cells: number[] | null }>(sql`
    select to_json(array_agg(distinct cell)) as cells
    from catalog_differences
  `);
  return rows[0]?.cells ?? [];
}
