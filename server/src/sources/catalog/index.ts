import { join } from "node:path";
import type { Queryable } from "../../platform/postgres/database.ts";
import { createScratchFile } from "../../platform/scratch-file.ts";
import { integer, setting } from "../../platform/settings.ts";
import { defineSource } from "../definition.ts";
import { defaultDiskMb, defaultMemoryMb, description, megabyte } from "./description.ts";

export { isTile, readCatalogBounds, readTile, type TileAddress } from "./tiles.ts";

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
    diskMb: setting(
      "WAYPOST_CATALOG_DISK",
      String(defaultDiskMb),
      integer(0, 1_048_576),
      "Megabytes of disk in the data folder that each process may use for copies of records, so that searches need not read them from the database; 0 for none.",
    ),
  },
  async create({ reads, clock, counter, gauge, dataFolder }, { memoryMb, diskMb }) {
    const { createCatalog } = await import("./catalog.ts");
    const { createRecentBlocks } = await import("./search/index.ts");
    const folder = join(dataFolder, "catalog");
    return createCatalog({
      db: reads,
      memoryBytesMax: memoryMb * megabyte,
      now: clock.now,
      meters: { counter, gauge },
      recentBlocks: createRecentBlocks({ file: join(folder, "recent-blocks.json") }),
      ...(diskMb > 0 ? { recordFile: createScratchFile({ folder, bytesMax: diskMb * megabyte }) } : {}),
    });
  },
});
