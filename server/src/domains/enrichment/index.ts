export { createEnrichment } from "./service.ts";
export type { EnrichmentResult } from "./enrichment.ts";
