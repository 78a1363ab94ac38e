export { scrapeRows } from "./export-rows.ts";
export { createFinishWatch } from "./finish-watch.ts";
export { createScrapeQueue, type ScrapeQueueDeps } from "./queue/queue.ts";
export { createSignals } from "./queue/signals.ts";
export { scrapeRoutes, scrapeSchemas } from "./routes.ts";
export { CreateScrape, Scrape, ScrapeResults } from "./schema.ts";
export type { ClaimedScrape } from "./scrape.ts";
export { createScrapes, type Scrapes, sweepScrapes } from "./service.ts";
export { createTestScrapeQueue } from "./queue/test-queue.ts";
