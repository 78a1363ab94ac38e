import type { BulkConnection } from "../platform/postgres/bulk.ts";
import { rebuildBlocks } from "../sources/catalog/import/build-blocks.ts";
import { refreshStatistics } from "./4-write/write-records.ts";
import { markSuperseded } from "./4-write/supersede.ts";
import { placeInAreas } from "./5-contain/contain.ts";
import { mergeKinds } from "./6-merge/merge-kinds.ts";
import { numberPlaces } from "./7-index/number-places.ts";
import { listChangedPlaces } from "./8-publish/changed-places.ts";
import { listChangedCells } from "./next-generation/change-records.ts";
import type { Next } from "./next-generation/generation.ts";

/**
 * Everything that follows from changed records, where something changed, so that its cost is that of the change and not
 * of the catalog. `latest` is the data set that was imported last, null where one leaves. Resolves to how many blocks
 * of the index processes that search have to read again; nobody has read one before the first import.
 */
export async function completeGeneration(
  db: BulkConnection,
  next: Next,
  latest: number | null,
  progress: (done: number, total: number) => void | Promise<void>,
): Promise<number> {
  await markSuperseded(db, next, latest);
  await refreshStatistics(db, next);
  await placeInAreas(db, next);
  const changed = await listChangedCells(db);
  const merged = await mergeKinds(db, next, changed);
  const changedBlocks = await rebuildBlocks(db, next, { changed, merged }, progress);
  await numberPlaces(db, next);
  await listChangedPlaces(db, next);
  return next.lastNumber === 0 ? 0 : changedBlocks;
}
