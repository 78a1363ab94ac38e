export { type Enriched, type Enrichment, enrichListings } from "./extras.ts";
export { searchRoutes, searchSchemas } from "./routes.ts";
export { SearchRequest } from "./schema.ts";
export { createSearch, effectiveParams, type Search } from "./service.ts";
