import type { Scrape, WebhookEndpoint } from "./types.ts";

type Subscribable = WebhookEndpoint["event_types"][number];
type Resource<Type extends string> = { type: Type; /** The plain UUID. */ id: string; sequence: string };

type EventOf<Type extends string, ResourceType extends string, Data> = {
  /** The same on every attempt: deduplicate by it. */
  id: string;
  type: Type;
  event_version: 1;
  schema_version: string;
  created_at: string;
  organization_id: string;
  request_id: string;
  resource: Resource<ResourceType>;
  /** `sequence` rises by one with each event of the resource: it says which of two is the newer. */
  data: Data & { version: string; sequence: number };
};

export type ScrapeEvent = EventOf<
  Extract<Subscribable, `scrape.${string}`>,
  "scrape_job",
  {
    job_id: string;
    operation: string;
    status: Scrape["status"];
    progress: Scrape["progress"];
    result_count: number;
    error_class: string | null;
  }
>;

export type ExportEvent = EventOf<
  "export.ready",
  "export",
  {
    export_id: string;
    job_id: string | null;
    format: string;
    status: string;
    row_count: number | null;
    size_bytes: number | null;
    error_class: string | null;
  }
>;

export type TestEvent = EventOf<"webhook.test", "webhook_endpoint", { endpoint_id: string }>;

/** What arrives at a webhook endpoint, told apart by `type`. */
export type WebhookEvent = ScrapeEvent | ExportEvent | TestEvent;
