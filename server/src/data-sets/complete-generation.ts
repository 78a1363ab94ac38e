import type { BulkConnection } from "../platform/postgres/bulk.ts";
import { refreshStatistics } from "./4-write/write-records.ts";
import { markSuperseded } from "./4-write/supersede.ts";
import { placeInAreas } from "./5-contain/contain.ts";
import { mergeKinds } from "./6-merge/merge-kinds.ts";
import { numberPlaces } from "./7-index/number-places.ts";
import { listChangedCells } from "./next-generation/change-records.ts";
import type { Next } from "./next-generation/generation.ts";

/**
 * Everything that follows from changed records, where something changed, so that its cost is that of the change and not
 * of the catalog. `latest` is the data set that was imported last, null where one leaves.
 */
export async function completeGeneration(db: BulkConnection, next: Next, latest: number | null): Promise<void> {
  await markSuperseded(db, next, latest);
  await refreshStatistics(db, next);
  await placeInAreas(db, next);
  const changed = await listChangedCells(db);
  await mergeKinds(db, next, changed);
  await numberPlaces(db, next);
}
