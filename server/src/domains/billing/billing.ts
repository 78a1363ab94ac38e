import { Type } from "../../platform/schema.ts";

/**
 * Request units. An organization may use so many per calendar month, in UTC. A *charge* is final.
 * A *reservation* counts at once and is open until it is settled (it stays counted) or released
 * (it is refunded); one whose process died is released when its lease ends. A release refunds
 * the month that was charged, even when another has begun meanwhile.
 */

/** What a call took, and what is left of the month. */
export type Balance = { charged: number; remaining: number };

export type Allowance = { allowance: number; isDefault: boolean; used: number; remaining: number; resetsAt: Date };

/** The allowance of an organization without a ceiling, and what it has left: the largest number that JSON carries exactly. */
export const noCeiling = Number.MAX_SAFE_INTEGER;

/** Never negative, also after an operator has lowered the allowance. */
export function unitsLeft(allowance: number, used: number): number {
  return allowance === noCeiling ? noCeiling : Math.max(0, allowance - used);
}

/** Longer than any answer may take, so that no living process loses its reservation. */
export const reservationLeaseMs = 120_000;

/** The month a moment falls in, named by its first day: `2026-09-01`. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}

/** The first moment of the next month, when counting starts again at zero. */
export function resetAfter(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1));
}

export function monthsBefore(moment: Date, months: number): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - months, 1));
}

/** What the answers to billable calls carry, as the API reference tells it. */
export const UnitHeaders = {
  "X-SVC-Units-Charged": Type.Integer({ minimum: 0, description: "The request units this call took." }),
  "X-SVC-Units-Remaining": Type.Integer({
    minimum: 0,
    description:
      "The request units left this month; up to ten seconds old when the call took none. 9007199254740991 where there is no ceiling.",
  }),
};

export function unitHeaders({ charged, remaining }: Balance): Record<string, string> {
  return { "X-SVC-Units-Charged": String(charged), "X-SVC-Units-Remaining": String(remaining) };
}
