import type { Areas } from "./areas.ts";
import { type QueryText, type Reading, readQuery } from "./read-query.ts";

const readingsMax = 2_000;

/**
 * Reads queries, and keeps the readings of the latest: the check of coverage and the search read the same
 * query, and clients repeat theirs. Areas belong to one generation of the catalog, and so do these.
 */
export function createReadings(areas: Areas) {
  const recent = new Map<string, readonly Reading[]>();

  return (query: QueryText): readonly Reading[] => {
    const { q, hl, gl = "", ll = "" } = query;
    const key = `${q}\0${hl}\0${gl}\0${ll}`;
    let readings = recent.get(key);
    if (!readings) {
      readings = readQuery(query, areas);
      if (recent.size >= readingsMax) recent.clear();
      recent.set(key, readings);
    }
    return readings;
  };
}
