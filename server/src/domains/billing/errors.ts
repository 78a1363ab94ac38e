import { defineError } from "../../platform/errors.ts";

export const AllowanceExhausted = defineError(
  "allowance_exhausted",
  "exhausted",
  ({ allowance, resetsAt }: { allowance: number; remaining: number; resetsAt: Date }) =>
    `The organization has used up its ${allowance} request units of this month; they reset at ${resetsAt.toISOString()}, or ask the operator for a larger allowance.`,
);

export const AllowanceInvalid = defineError(
  "invalid_request",
  "invalid",
  () => "An allowance is a whole number of request units per month, 0 or more.",
);
