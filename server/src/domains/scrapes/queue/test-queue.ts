import { isOwn } from "../../../sources/lanes.ts";
import { onlySource } from "../../../sources/selection.ts";
import type { Source } from "../../../sources/source.ts";
import { simulatedBusiness, storeSimulated } from "../../businesses/index.ts";
import { createScrapeQueue, type ScrapeQueueDeps } from "./queue.ts";

type TestQueueDeps = Omit<
  ScrapeQueueDeps,
  "environment" | "isLocal" | "sources" | "businesses" | "toRecords" | "enrichment"
> & {
  fixtures: Source;
};

/** The jobs of test keys: fixtures answer, businesses are simulated and stored once for all jobs, no website is visited. */
export function createTestScrapeQueue({ fixtures, ...deps }: TestQueueDeps) {
  return createScrapeQueue({
    ...deps,
    environment: "test",
    enrichment: undefined,
    sources: onlySource(fixtures),
    isLocal: isOwn(fixtures),
    businesses: {
      asRequestedByOwners: async (listings) => listings,
      identify: async (_tx, _source, listings) => listings.map(simulatedBusiness),
    },
    toRecords: storeSimulated,
  });
}
