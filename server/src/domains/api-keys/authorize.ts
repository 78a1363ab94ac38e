import { type ServiceError, TemporarilyUnavailable } from "../../platform/errors.ts";
import type { Principal } from "./api-key.ts";
import {
  EntitlementRequired,
  InsufficientScope,
  LiveKeyRequired,
  NetworkNotAllowed,
  RateLimited,
  Unauthenticated,
} from "./errors.ts";
import type { Need } from "./needs.ts";
import type { RateLimit, RateState } from "./rate-limit.ts";
import type { KeyVerifier, VerifiedKey } from "./verifier.ts";

/** What a caller presents: the one key of its request, and the address it comes from. */
export type Credential = { key: string | undefined; address: string };

/** Who is asking, as far as that is known, what is left of its rate, and why it may not go on. */
export type Authorization = { principal?: Principal; rate?: RateState } & (
  | { principal: Principal; refusal?: undefined }
  | { refusal: ServiceError }
);

type AuthorizeDeps = {
  verifier: KeyVerifier;
  rateLimit: RateLimit;
  /** Whether the first keys are still to be made. They may be known to callers already, so none is refused as unknown. */
  isSettingUp(): boolean;
};

const setUpRetrySeconds = 1;

/**
 * The checks before a request's content is looked at, the same for every edge and in the order the
 * reference promises: key, network, rate, scope, environment. Without a need, the caller checks the
 * last two itself, once it knows the operation.
 */
export function createAuthorize({ verifier, rateLimit, isSettingUp }: AuthorizeDeps) {
  /** Returns without a promise what it knows at once. */
  return function authorize({ key, address }: Credential, need?: Need): Authorization | Promise<Authorization> {
    if (isSettingUp()) {
      const what = "The first start of this service makes its keys";
      return { refusal: TemporarilyUnavailable({ what }, { retryAfterSeconds: setUpRetrySeconds }) };
    }
    const verified = key === undefined ? undefined : verifier.verify(key);
    if (verified instanceof Promise) return verified.then((known) => judge(known, address, need));
    return judge(verified, address, need);
  };

  function judge(verified: VerifiedKey | undefined, address: string, need: Need | undefined): Authorization {
    if (!verified) return { refusal: Unauthenticated() };
    const { principal, allowsNetwork } = verified;
    if (!allowsNetwork(address)) return { principal, refusal: NetworkNotAllowed({ address }) };

    const rate = rateLimit.take(principal.keyId);
    if (rate.retryAfterSeconds > 0) {
      const { perSecond, retryAfterSeconds } = rate;
      return { principal, rate, refusal: RateLimited({ perSecond }, { retryAfterSeconds }) };
    }
    const refusal = need && missingRight(principal, need);
    return refusal ? { principal, rate, refusal } : { principal, rate };
  }
}

export type Authorize = ReturnType<typeof createAuthorize>;

/** Why a known caller may not use an operation, by its scopes and its environment; undefined when it may. */
export function missingRight(principal: Principal, { scope, environment }: Need): ServiceError | undefined {
  if (!principal.scopes.has(scope)) {
    return InsufficientScope({ scope }, { details: [`scope: ${scope} is required`] });
  }
  return environment === "live" && principal.environment !== "live" ? LiveKeyRequired() : undefined;
}

/** Comes after validation: why a live key's organization may not use the live API; undefined when it may. */
export function missingEntitlement({ environment, entitled }: Principal): ServiceError | undefined {
  return environment === "test" || entitled ? undefined : EntitlementRequired();
}
