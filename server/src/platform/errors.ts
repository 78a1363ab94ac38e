/**
 * What went wrong, in the terms an edge needs to act on it. Domains speak in kinds;
 * each edge translates them once (HTTP: platform/http/error-body.ts).
 */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "exhausted"
  | "forbidden"
  | "not_found"
  | "busy"
  | "conflict"
  | "gone"
  | "mismatch"
  | "limit_reached"
  | "internal"
  | "bad_upstream"
  | "unavailable"
  | "timed_out";

export type ErrorOptions = {
  /** One sentence per violation, each naming the field and the rule. */
  details?: readonly string[];
  /** When trying again is worth it. */
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** An expected outcome with a code; anything else that is thrown is a fault of ours. */
export class ServiceError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly details: readonly string[];
  readonly retryAfterSeconds: number | undefined;
  /** What the message was made from, for edges that say more than the message. */
  readonly facts: unknown;

  constructor(code: string, kind: ErrorKind, message: string, options: ErrorOptions = {}, facts?: unknown) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.kind = kind;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = facts;
  }
}

export type ErrorDefinition<Facts = void> = {
  (facts: Facts, options?: ErrorOptions): ServiceError;
  readonly code: string;
  readonly kind: ErrorKind;
};

/** Declares an error once; the API reference and the code that throws it share this object. */
export function defineError<Facts = void>(
  code: string,
  kind: ErrorKind,
  message: (facts: Facts) => string,
): ErrorDefinition<Facts> {
  const make = (facts: Facts, options?: ErrorOptions) => new ServiceError(code, kind, message(facts), options, facts);
  return Object.assign(make, { code, kind });
}

export const InvalidRequest = defineError(
  "invalid_request",
  "invalid",
  ({ what }: { what: string }) => `${what}. Correct the request as details says and send it again.`,
);

export const IdempotencyInProgress = defineError(
  "idempotency_in_progress",
  "busy",
  () => "A request with this Idempotency-Key is still running; send the same request again after Retry-After.",
);

export const IdempotencyKeyReused = defineError(
  "idempotency_key_reused",
  "mismatch",
  () => "This Idempotency-Key was used with another body; choose a fresh key for a new request.",
);

/** The database went away before it confirmed a write. */
export const OutcomeUnknown = defineError(
  "temporarily_unavailable",
  "unavailable",
  () =>
    "A part of this service went away before it confirmed the request, which may have been done; send the same request again after Retry-After: with its Idempotency-Key nothing is done twice, without one look first.",
);

/** Something of our own is away: the database, the resolver, storage. Nothing was done. */
export const TemporarilyUnavailable = defineError(
  "temporarily_unavailable",
  "unavailable",
  ({ what }: { what: string }) => `${what}, and nothing was done; send the same request again after Retry-After.`,
);
