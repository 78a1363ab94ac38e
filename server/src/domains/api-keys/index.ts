export {
  type ApiKey,
  type Environment,
  environments,
  keyStatus,
  newKeyText,
  parseKeyText,
  type Principal,
  type Scope,
  scopes,
} from "./api-key.ts";
export { type Authorization, type Authorize, createAuthorize, missingEntitlement, missingRight } from "./authorize.ts";
export { type CostLimit, createCostLimit } from "./cost-limit.ts";
export {
  ConflictingCredentials,
  EntitlementRequired,
  InsufficientScope,
  KeyAmbiguous,
  KeyNotFound,
  KeyRequestInvalid,
  LiveKeyRequired,
  NetworkNotAllowed,
  RateLimited,
  Unauthenticated,
} from "./errors.ts";
export { type Need, needOf, needs, type OperationId } from "./needs.ts";
export { agentKeyHeaders, presentedKey } from "./presented-key.ts";
export { createRateLimit, type RateState } from "./rate-limit.ts";
export { type ApiKeys, createApiKeys, type RevealedKey } from "./service.ts";
export { notifyKeysChanged } from "./store.ts";
export { createKeyVerifier, type KeyVerifier } from "./verifier.ts";
