import type { EventType } from "../events/event-types.ts";

/**
 * An endpoint is *active*, or *paused* by its owner, or *disabled* by us: after too many
 * terminal failures, when its target is not public, or when it answered 410. Its owner moves it
 * between active and paused, and out of disabled. While it is not active its deliveries wait.
 */
export type EndpointStatus = "active" | "paused" | "disabled";
export type DisabledReason = "repeated_failures" | "non_public_target" | "gone";

export type Endpoint = {
  /** The plain UUID. */
  id: string;
  organizationId: string;
  url: string;
  eventTypes: EventType[];
  description: string | null;
  status: EndpointStatus;
  statusReason: DisabledReason | null;
  warnedAt: Date | null;
  secretVersion: number;
  createdAt: Date;
  updatedAt: Date;
};

export const endpointsMax = 20;

/** Terminal failures in a row after which the owner is warned and the endpoint disabled. */
export const failuresToWarn = 3;
export const failuresToDisable = 5;
