import { defineError, type ServiceError } from "../../platform/errors.ts";
import type { Balance } from "./billing.ts";

export const AllowanceExhausted = defineError(
  "allowance_exhausted",
  "exhausted",
  ({ allowance, resetsAt }: { allowance: number; remaining: number; resetsAt: Date }) =>
    `The organization has used up its ${allowance} request units of this month; they reset at ${resetsAt.toISOString()}, or ask the operator for a larger allowance.`,
);

export const TestQuotaReached = defineError(
  "rate_limited",
  "limit_reached",
  ({ perDay, resetsAt }: { perDay: number; resetsAt: Date }) =>
    `The test keys of this organization have stored ${perDay} jobs, collections and searches today, which is their quota; it resets at ${resetsAt.toISOString()}, or ask the operator for a larger WAYPOST_TEST_QUOTA.`,
);

/** The balance behind a refused charge; undefined for any other error. */
export function exhaustedBalance({ code, facts }: ServiceError): Balance | undefined {
  if (code !== AllowanceExhausted.code) return undefined;
  const { remaining } = facts as { remaining: number }; // the facts that the definition above takes
  return { charged: 0, remaining };
}

export const AllowanceInvalid = defineError(
  "invalid_request",
  "invalid",
  () => "An allowance is a whole number of request units per month, 0 or more.",
);
