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
  | "method_not_allowed"
  | "busy"
  | "conflict"
  | "too_large"
  | "unsupported_media"
  | "mismatch"
  | "limit_reached"
  | "internal"
  | "bad_upstream"
  | "unavailable"
  | "timed_out";

type ErrorOptions = {
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

  constructor(code: string, kind: ErrorKind, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.kind = kind;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
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
  const make = (facts: Facts, options?: ErrorOptions) => new ServiceError(code, kind, message(facts), options);
  return Object.assign(make, { code, kind });
}

/** Something of our own is away: the database, the resolver, storage. Nothing was done. */
export const TemporarilyUnavailable = defineError(
  "temporarily_unavailable",
  "unavailable",
  ({ what }: { what: string }) => `${what}, and nothing was done; send the same request again after Retry-After.`,
);
