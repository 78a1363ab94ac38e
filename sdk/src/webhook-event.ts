import type { components } from "./openapi.ts";

type Schemas = components["schemas"];

export type ScrapeEvent =
  | Schemas["ScrapeStartedEvent"]
  | Schemas["ScrapeProgressEvent"]
  | Schemas["ScrapeCompletedEvent"]
  | Schemas["ScrapeFailedEvent"]
  | Schemas["ScrapeCanceledEvent"];
export type ExportEvent = Schemas["ExportReadyEvent"];
export type TestEvent = Schemas["WebhookTestEvent"];

/** What arrives at a webhook endpoint, told apart by `type`. Deduplicate by `id`. */
export type WebhookEvent = ScrapeEvent | ExportEvent | TestEvent;
