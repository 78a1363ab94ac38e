import type { NewEvent } from "../webhooks/index.ts";
import type { ClaimedScrape, Scrape } from "./scrape.ts";

/** What the event of a job's present status is called. */
const eventTypes: Record<Scrape["status"], NewEvent["type"]> = {
  queued: "scrape.started",
  running: "scrape.started",
  succeeded: "scrape.completed",
  partial: "scrape.completed",
  failed: "scrape.failed",
  canceled: "scrape.canceled",
};

/** The job as it stands, without rows and without addresses of data. */
export function scrapeEvent(
  scrape: Scrape & Partial<Pick<ClaimedScrape, "lastSequence">>,
  type = eventTypes[scrape.status],
): NewEvent {
  return {
    organizationId: scrape.organizationId,
    type,
    resource: { type: "scrape_job", id: scrape.uuid },
    requestId: scrape.requestId,
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
