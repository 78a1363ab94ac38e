import type { EventOf } from "../webhooks/index.ts";
import type { ClaimedScrape, Scrape } from "./scrape.ts";

type ScrapeEvent = EventOf<"scrape_job">;

/** The event type of a job's current status. */
const eventTypes: Record<Scrape["status"], ScrapeEvent["type"]> = {
  queued: "scrape.started",
  running: "scrape.started",
  succeeded: "scrape.completed",
  partial: "scrape.completed",
  failed: "scrape.failed",
  canceled: "scrape.canceled",
};

/** The job as it stands, without result rows and data URLs. */
export function scrapeEvent(
  scrape: Scrape & Partial<Pick<ClaimedScrape, "lastSequence">>,
  type = eventTypes[scrape.status],
): ScrapeEvent {
  return {
    organizationId: scrape.organizationId,
    type,
    resource: { type: "scrape_job", id: scrape.uuid },
    requestId: scrape.requestId,
    traceparent: scrape.traceparent,
    isSimulated: scrape.environment === "test",
    endpointId: scrape.webhookEndpointId,
    lastSequence: scrape.lastSequence,
    data: {
      job_id: scrape.id,
      operation: scrape.operation,
      status: scrape.status,
      progress: { completed_queries: scrape.completedQueries, total_queries: scrape.totalQueries },
      result_count: scrape.resultCount,
      error_class: scrape.errorCode,
    },
  };
}
