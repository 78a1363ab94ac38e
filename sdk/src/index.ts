export { Waypost } from "./client.ts";
export type { Collections } from "./collections.ts";
export { type ClientErrorCode, isWaypostError, WaypostError, type WaypostErrorCode } from "./errors.ts";
export type { Events, EventStreamOptions, StreamedEvent } from "./events.ts";
export type { ExportFile, Exports } from "./exports.ts";
export type { ErrorCode } from "./openapi.ts";
export type { CallOptions, CreateOptions, ResponseFacts, WaypostOptions } from "./options.ts";
export type { ListOptions, Paged } from "./paging.ts";
export type { WaitOptions } from "./polling.ts";
export type { CreateScrapeOptions, ListScrapesOptions, NewScrape, ResultsOptions, Scrapes } from "./scrapes.ts";
export type * from "./types.ts";
export {
  type VerificationFailure,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./verify-webhook.ts";
export type { ExportEvent, ScrapeEvent, TestEvent, WebhookEvent } from "./webhook-event.ts";
export type { Webhooks } from "./webhooks.ts";
