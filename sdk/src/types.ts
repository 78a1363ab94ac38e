import type { components, operations } from "./openapi.ts";

type Schemas = components["schemas"];
type Answer<Name extends keyof operations> = operations[Name]["responses"] extends {
  200: { content: { "application/json": { data: infer Data } } };
}
  ? Data
  : never;

export type Business = Schemas["Business"];
export type SearchRequest = Schemas["SearchRequest"];
export type SearchResult = Answer<"search">;

export type CreateScrape = Schemas["CreateScrape"];
export type Scrape = Schemas["Scrape"];
export type ScrapeStatus = Scrape["status"];
export type ScrapeResultsPage = Answer<"getScrapeResults">;

export type CreateCollection = Schemas["CreateCollection"];
export type EstimateCollection = Schemas["EstimateCollection"];
export type CollectionEstimate = Schemas["CollectionEstimate"];
export type Collection = Schemas["Collection"];
export type CollectionStatus = Collection["status"];
export type CollectionResultsPage = Answer<"getCollectionResults">;
export type CollectionCoverage = Answer<"getCollectionCoverage">;
export type CollectionCell = CollectionCoverage["features"][number];

export type CreateExport = Schemas["CreateExport"];
export type Export = Schemas["Export"];
export type ExportStatus = Export["status"];
export type ExportFormat = Export["format"];

export type CreateWebhookEndpoint = Schemas["CreateWebhookEndpoint"];
export type UpdateWebhookEndpoint = Schemas["UpdateWebhookEndpoint"];
export type RotateWebhookSecret = Schemas["RotateWebhookSecret"];
export type WebhookEndpoint = Schemas["WebhookEndpoint"];
export type WebhookEndpointWithSecret = Schemas["WebhookEndpointWithSecret"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
/** What a deletion answers. */
export type Deleted = Answer<"deleteScrape">;
export type DeletedWebhookEndpoint = Answer<"deleteWebhookEndpoint">;

/** One page of a list. */
export type ListPage<Item> = { data: Item[]; pagination: { next_cursor: string | null } };
