const minute = 60_000;
const hour = 60 * minute;

/** The delays before attempts 2 to 7. */
export const retryDelaysMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour] as const;

export const attemptsMax = retryDelaysMs.length + 1;

/** How long attempts go on when every one of them fails. */
export const scheduleMs = retryDelaysMs.reduce((sum, delay) => sum + delay, 0);

const jitterMax = 0.1;

/**
 * The delay after a failed attempt: up to a tenth shorter than scheduled, so that deliveries that
 * failed together do not retry together, or as long as the receiver's Retry-After, up to twice the
 * delay. Undefined after the last attempt.
 */
export function retryDelayMs(attempt: number, random: number, retryAfter: number | undefined): number | undefined {
  const delay = retryDelaysMs[attempt - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 - jitterMax * random);
  return Math.round(Math.max(jittered, Math.min(retryAfter ?? 0, 2 * delay)));
}

const ownFaultDelaysMs = [5_000, 15_000, minute, 5 * minute] as const;
const ownFaultGraceMs = 24 * hour;
const resendFaultsMax = ownFaultGraceMs / (5 * minute);

/** The delay after an attempt that a fault of our own prevented. */
export function ownFaultDelayMs(faultsBefore: number): number {
  return ownFaultDelaysMs[Math.min(faultsBefore, ownFaultDelaysMs.length - 1)] ?? minute;
}

type Delayed = { scheduleEndsAt: Date; resend: boolean; ownFaults: number };

/**
 * Faults of our own prolong a delivery by at most a day after its schedule's end, and a resend, which may come long after
 * that, by about a day of its own.
 */
export function mayRetryOwnFault({ scheduleEndsAt, resend, ownFaults }: Delayed, now: Date): boolean {
  if (resend && ownFaults < resendFaultsMax) return true;
  return now.getTime() < scheduleEndsAt.getTime() + ownFaultGraceMs;
}

/** Parses `Retry-After`: seconds or an HTTP date. Undefined when it is neither, or lies in the past. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return ms > 0 ? ms : undefined;
}
