import type { Queryable } from "../../platform/postgres/database.ts";
import { defineSource } from "../definition.ts";
import { description } from "./description.ts";
import type { explain as Explain } from "./explain.ts";

export { isTile, readCatalogBounds, readTile, type TileAddress } from "./tiles.ts";

/** Only a process that has another source beside the catalog needs the code of matching. */
export async function openCatalogMatch(deps: { db: Queryable }) {
  const { createCatalogMatch } = await import("./match.ts");
  return createCatalogMatch(deps);
}

export const catalog = defineSource({
  ...description,
  settings: {},
  async create({ reads, clock, placeIndex }) {
    const { createCatalog } = await import("./catalog.ts");
    return createCatalog({ db: reads, index: placeIndex, now: clock.now });
  },
});

export type { ExplainRequest } from "./explain.ts";

/** Says how a question is read and searched; the reader is loaded for that alone. */
export async function explain(...asked: Parameters<typeof Explain>) {
  return (await import("./explain.ts")).explain(...asked);
}
