import { defineError } from "../../platform/errors.ts";

// One sentence for every reason: a caller without a good key learns nothing about keys.
export const Unauthenticated = defineError(
  "unauthenticated",
  "unauthenticated",
  () =>
    "Send a valid API key in the header API-KEY, or as Authorization: Bearer. The key is missing, unknown, expired or revoked.",
);

export const ConflictingCredentials = defineError(
  "conflicting_credentials",
  "invalid",
  () => "The request carries two different API keys; send one.",
);

export const NetworkNotAllowed = defineError(
  "network_not_allowed",
  "forbidden",
  ({ address }: { address: string }) =>
    `This API key may not be used from ${address}; call from one of its allowed networks, or ask the operator to change them.`,
);

export const InsufficientScope = defineError(
  "insufficient_scope",
  "forbidden",
  ({ scope }: { scope: string }) => `This API key lacks the scope ${scope}; use a key that has it.`,
);

export const LiveKeyRequired = defineError(
  "live_key_required",
  "forbidden",
  () => "This operation needs a live key; test keys only answer with simulated data.",
);

export const EntitlementRequired = defineError(
  "entitlement_required",
  "forbidden",
  () => "The organization of this live key has no active API entitlement; ask the operator to activate it.",
);

export const RateLimited = defineError(
  "rate_limited",
  "limit_reached",
  ({ perSecond }: { perSecond: number }) =>
    `This API key sends more than ${perSecond} requests a second; wait as long as Retry-After says and send the request again.`,
);

export const CostLimited = defineError(
  "rate_limited",
  "limit_reached",
  ({ msPerSecond }: { msPerSecond: number }) =>
    `The requests of this organization or network take more than ${msPerSecond} ms of processor time a second; wait as long as Retry-After says and send the request again.`,
);

export const KeyNotFound = defineError(
  "not_found",
  "not_found",
  ({ keyId }: { keyId: string }) => `There is no API key ${keyId}; list the keys to see their ids.`,
);

export const KeyAmbiguous = defineError(
  "invalid_request",
  "invalid",
  ({ name, ids }: { name: string; ids: readonly string[] }) =>
    `Several API keys are called ${name}: say which one by its id, ${ids.join(" or ")}.`,
);

export const KeyNotActive = defineError(
  "state_conflict",
  "conflict",
  ({ keyId, status }: { keyId: string; status: string }) =>
    `API key ${keyId} is ${status}; only an active key that has not been rotated yet can be rotated.`,
);

export const KeyNotShownAgain = defineError(
  "state_conflict",
  "conflict",
  ({ keyId }: { keyId: string }) =>
    `This call made API key ${keyId} already, which cannot be shown again; revoke it if nobody has it, and make another one.`,
);

export const KeyRequestInvalid = defineError(
  "invalid_request",
  "invalid",
  () => "The request does not fit the rules for API keys.",
);
