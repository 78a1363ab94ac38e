export { scrapeRows } from "./export-rows.ts";
export { createFinishWatch } from "./finish-watch.ts";
export { createScrapeQueue } from "./queue/queue.ts";
export { readScrapeBacklog } from "./queue/backlog-store.ts";
export { createSignals } from "./signals.ts";
export { scrapeRoutes, scrapeSchemas } from "./routes.ts";
export { CreateScrape, ListScrapes } from "./schema.ts";
export { createScrapes, type Scrapes, sweepScrapes } from "./service.ts";
export { createTestScrapeQueue } from "./queue/test-queue.ts";
