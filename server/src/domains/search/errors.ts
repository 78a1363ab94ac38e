import { defineError } from "../../platform/errors.ts";

export const CapabilityUnavailable = defineError(
  "capability_unavailable",
  "forbidden",
  ({ operation }: { operation: string }) =>
    `${operation} is not available to live keys here, because no source is configured for it; use a test key, or ask the operator to configure a source.`,
);
