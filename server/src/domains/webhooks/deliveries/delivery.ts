import type { EventName } from "../events/event-types.ts";
import type { ResourceType } from "../events/schemas.ts";

/**
 * A delivery is *pending* while attempts lie ahead of it, and ends in one of three ways: *delivered*
 * by a 2xx response, *failed* with its last attempt, or *terminated* because its endpoint was deleted
 * or stayed inactive until the schedule had passed. A worker that holds the lease moves it;
 * deleting its endpoint and revoking its secret also move it, and raise the lease token so that the
 * worker's write is refused.
 */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "terminated";

export type Delivery = {
  /** The plain UUID of the delivery and of its event. */
  id: string;
  endpointId: string;
  eventType: EventName;
  resourceType: ResourceType;
  resourceId: string;
  sequence: number;
  status: DeliveryStatus;
  attempt: number;
  /** When the next attempt is due; null while one is running, and when none is left. */
  nextAttemptAt: Date | null;
  secretVersion: number;
  createdAt: Date;
  finishedAt: Date | null;
};

export type Attempt = {
  deliveryId: string;
  number: number;
  resend: boolean;
  secretVersion: number;
  startedAt: Date;
  latencyMs: number;
  httpStatus: number | null;
  error: string | null;
  response: string | null;
};

/** What is kept of a receiver's answer, and how long its body may take: the status alone decides. */
export const responseBytesMax = 2048;
export const responseBodyMs = 1_000;
export const attemptsShownMax = 20;
