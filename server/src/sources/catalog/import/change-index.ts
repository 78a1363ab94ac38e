import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { rebuildBlocks } from "./build-blocks.ts";
import { applyRecordChanges } from "./change-records.ts";
import { listChangedPlaces } from "./changed-places.ts";
import { placeInAreas } from "./contain.ts";
import { SwitchUncertain } from "./errors.ts";
import { mergeKinds } from "./merge-kinds.ts";
import { deleteReplaced, type Next, openNext, showNext } from "./next.ts";
import { markSuperseded } from "./supersede.ts";
import { createChangeTables, refreshStatistics } from "./swap.ts";
import { applyAreaChanges } from "./swap-areas.ts";

export type Change<Result> = {
  /** The data set that now says the latest; null when one leaves. */
  latest: number | null;
  result: Result;
  /** Follows once the next generation has its places. */
  beforeSwitch?(): Promise<void>;
  /** Within the transaction that switches. */
  atSwitch(): Promise<void>;
  /** Follows the switch, and what it replaced is deleted after that. So many blocks are others for those who search. */
  afterSwitch?(changedBlocks: number): Promise<void>;
};

/**
 * Writes the next generation in bounded transactions: the change itself, then what follows from it, which looks
 * only where something changed, so that its cost is that of the change and not of the catalog. One transaction
 * then switches to it. A change with the same source continues after an interruption.
 */
export async function changeIndex<Result>(
  db: BulkConnection,
  source: string,
  progress: (done: number, total: number) => Promise<void>,
  prepare: (next: Next) => Promise<Change<Result>>,
): Promise<Result> {
  const next = await openNext(db, source);
  // Until the switch nothing waits for the disk: its commit makes all before it durable, and a server that crashes
  // earlier empties the stage, so that the import begins again.
  await db.execute("set synchronous_commit = off");
  await createChangeTables(db);
  const change = await prepare(next);
  await markSuperseded(db, next, change.latest);
  await refreshStatistics(db, next);
  await placeInAreas(db, next);
  await change.beforeSwitch?.();
  const changed = await listChangedCells(db);
  const merged = await mergeKinds(db, next, changed);
  const changedBlocks = await rebuildBlocks(db, next, { changed, merged }, progress);
  await listChangedPlaces(db, next);

  await db.execute("reset synchronous_commit");
  await db.execute("begin");
  await change.atSwitch();
  await applyAreaChanges(db);
  await applyRecordChanges(db);
  await showNext(db, next);
  await commitSwitch(db);

  try {
    // Nobody has blocks in memory that those of a first import follow.
    await change.afterSwitch?.(next.lastNumber === 0 ? 0 : changedBlocks);
    await deleteReplaced(db);
  } catch {
    // Interrupted, or without a database: the change is made all the same, and the next one deletes what this replaced.
  }
  return change.result;
}

/** A commit whose answer is lost may have been made. */
async function commitSwitch(db: BulkConnection): Promise<void> {
  try {
    await db.execute("commit");
  } catch (cause) {
    throw SwitchUncertain(undefined, { cause });
  }
}

/** As JSON, which the driver reads faster than an array. */
async function listChangedCells(db: BulkConnection): Promise<number[]> {
  const { rows } = await db.query<{ cells: number[] | null }>(sql`
    select to_json(array_agg(distinct cell)) as cells
    from catalog_changed_cells
  `);
  return rows[0]?.cells ?? [];
}
