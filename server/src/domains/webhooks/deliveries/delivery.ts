import type { EventType, testEventType } from "../events/event.ts";

/**
 * A delivery is *pending* while attempts lie ahead of it, and ends in one of three ways: *delivered*
 * by a 2xx answer, *failed* with its seventh attempt, or *terminated* because its endpoint was
 * deleted, or was not active until the schedule had passed. A dispatcher moves it, holding a lease;
 * deleting its endpoint and revoking its secret move it too, and take the lease away by raising its
 * token.
 */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "terminated";

export type Delivery = {
  /** The plain UUID of the delivery and of its event. */
  id: string;
  endpointId: string;
  eventType: EventType | typeof testEventType;
  resourceType: string;
  resourceId: string;
  sequence: number;
  status: DeliveryStatus;
  attempt: number;
  /** When the next attempt is due; null while one is under way, and when none is ahead. */
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

const minute = 60_000;
const hour = 60 * minute;

/** The waits before attempts 2 to 7. */
export const retryDelaysMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour] as const;

export const attemptsMax = retryDelaysMs.length + 1;

/** How long attempts go on when every one of them fails. */
export const scheduleMs = retryDelaysMs.reduce((sum, delay) => sum + delay, 0);

export const responseBytesMax = 2048;
export const attemptsShownMax = 20;

const jitterMax = 0.1;

/**
 * The wait after a failed attempt: up to a tenth shorter than the schedule says, so that what failed
 * together does not come back together, or longer when the receiver asked for it, up to twice.
 * Undefined after the last.
 */
export function retryDelayMs(attempt: number, random: number, askedMs: number | undefined): number | undefined {
  const delay = retryDelaysMs[attempt - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 - jitterMax * random);
  return Math.round(Math.max(jittered, Math.min(askedMs ?? 0, 2 * delay)));
}

const ownFaultDelaysMs = [5_000, 15_000, minute, 5 * minute] as const;
const ownFaultGraceMs = 24 * hour;

/** The wait after an attempt that could not be made, through no fault of the receiver. */
export function ownFaultDelayMs(faultsBefore: number): number {
  return ownFaultDelaysMs[Math.min(faultsBefore, ownFaultDelaysMs.length - 1)] ?? minute;
}

/** Nothing waits for ever: a day after the schedule's end a fault of ours ends the delivery too. */
export function ownFaultsMayGoOn(scheduleEndsAt: Date, now: Date): boolean {
  return now.getTime() < scheduleEndsAt.getTime() + ownFaultGraceMs;
}

/** Reads `Retry-After`: seconds or an HTTP date. Undefined when it is neither, or lies in the past. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return ms > 0 ? ms : undefined;
}
