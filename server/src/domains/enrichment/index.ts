export { enrichListings, type WebsiteReader } from "./enrich-listings.ts";
export type { EnrichmentResult } from "./enrichment.ts";
export { createPageReader } from "./page-reader.ts";
export { createEnrichment } from "./service.ts";
