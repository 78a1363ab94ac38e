import type { EventOf } from "../webhooks/index.ts";
import type { Collection, Status } from "./collection.ts";

type CollectionEvent = EventOf<"collection">;

/** A pause has no event of its own. */
type ReportedStatus = Exclude<Status, "paused">;

const eventTypes: Record<ReportedStatus, CollectionEvent["type"]> = {
  queued: "scrape.started",
  running: "scrape.started",
  succeeded: "scrape.completed",
  partial: "scrape.completed",
  failed: "scrape.failed",
  canceled: "scrape.canceled",
};

/** The collection as it stands, without records and data URLs. */
export function collectionEvent(collection: Collection, type?: CollectionEvent["type"]): CollectionEvent {
  const status = collection.status === "paused" ? "running" : collection.status;
  return {
    organizationId: collection.organizationId,
    type: type ?? eventTypes[status],
    resource: { type: "collection", id: collection.uuid },
    requestId: collection.requestId,
    traceparent: collection.traceparent,
    isSimulated: collection.environment === "test",
    endpointId: collection.webhookEndpointId,
    data: {
      collection_id: collection.id,
      operation: "places.collect",
      status,
      progress: { completed_queries: collection.cellsDone, total_queries: collection.cellsTotal },
      result_count: collection.resultCount,
      error_class: collection.errorCode ?? (status === "partial" ? collection.statusReason : null),
    },
  };
}
