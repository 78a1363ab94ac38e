import { join } from "node:path";
import type { Queryable } from "../../platform/postgres/database.ts";
import { integer, setting } from "../../platform/settings.ts";
import { defineSource } from "../definition.ts";
import { defaultMemoryMb, description, megabyte } from "./description.ts";

export { listDataSets, readGeneration } from "./data-sets.ts";
export { listRunningImports } from "./running-imports.ts";
export { isTile, readCatalogBounds, readTile, type TileAddress } from "./tiles.ts";

export { sweepClosedRecords } from "./closed-records.ts";
export { sweepAbandonedStages } from "./stage-tables.ts";

/** Only a process that has another source beside the catalog needs the code of matching. */
export async function openCatalogMatch(deps: { db: Queryable }) {
  const { createCatalogMatch } = await import("./match.ts");
  return createCatalogMatch(deps);
}

export const catalog = defineSource({
  ...description,
  settings: {
    memoryMb: setting(
      "WAYPOST_CATALOG_MEMORY",
      String(defaultMemoryMb),
      integer(16, 1_048_576),
      "Megabytes of memory that each process may use for the catalog: its index, areas and listings together.",
    ),
  },
  async create({ reads, clock, counter, gauge, dataFolder }, { memoryMb }) {
    const { createCatalog } = await import("./catalog.ts");
    const { createRecentBlocks } = await import("./search/index.ts");
    return createCatalog({
      db: reads,
      memoryBytesMax: memoryMb * megabyte,
      now: clock.now,
      meters: { counter, gauge },
      recentBlocks: createRecentBlocks({ file: join(dataFolder, "catalog", "recent-blocks.json") }),
    });
  },
});
