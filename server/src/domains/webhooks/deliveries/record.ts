import { idFromUuid } from "../../../platform/ids.ts";
import type { Attempt, Delivery } from "./delivery.ts";
import type { DeliveryRecord } from "./schema.ts";

/** A delivery as a client sees it, with its latest attempts. */
export function deliveryRecord(delivery: Delivery, attempts: readonly Attempt[]): DeliveryRecord {
  return {
    id: idFromUuid("dlv", delivery.id),
    endpoint_id: idFromUuid("whe", delivery.endpointId),
    event_id: delivery.id,
    event_type: delivery.eventType,
    resource: { type: delivery.resourceType, id: delivery.resourceId, sequence: String(delivery.sequence) },
    status: delivery.status,
    attempt_count: delivery.attempt,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    secret_version: delivery.secretVersion,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      resend: attempt.resend,
      secret_version: attempt.secretVersion,
      started_at: attempt.startedAt.toISOString(),
      latency_ms: attempt.latencyMs,
      http_status: attempt.httpStatus,
      error: attempt.error,
      response: attempt.response,
    })),
  };
}
