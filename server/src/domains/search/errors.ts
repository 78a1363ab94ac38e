import { defineError, type ServiceError } from "../../platform/errors.ts";
import { type Source, SourceFailure, type SourceQuery } from "../../sources/source.ts";

export const CapabilityUnavailable = defineError(
  "capability_unavailable",
  "forbidden",
  ({ operation }: { operation: string }) =>
    `${operation} is not available to live keys here, because no source is configured for it; use a test key, or ask the operator to configure a source.`,
);

export const PlaceMissing = defineError(
  "invalid_request",
  "invalid",
  () =>
    "The query names a kind of business and no place to look in; name a place in q, or send ll or gl. Nothing was charged.",
);

export const SourceFailed = defineError(
  "source_failed",
  "bad_upstream",
  () => "The source answered with something that is no usable page; nothing was charged, send the same request again.",
);

export const SourceUnavailable = defineError(
  "source_unavailable",
  "unavailable",
  ({ advice }: { advice?: string | undefined } = {}) =>
    advice === undefined
      ? "The source cannot be reached now; nothing was charged, send the same request again after Retry-After."
      : `The source cannot be reached now; nothing was charged. ${advice}`,
);

export const SourceTimeout = defineError(
  "source_timeout",
  "timed_out",
  () => "The source did not answer in time; nothing was charged, send the same request again.",
);

/** Refuses a question without a place to a source that needs one: no attempt could answer it. */
export function requirePlace(source: Source, params: SourceQuery, pointer: string): void {
  if (!source.lacksPlace?.(params)) return;
  throw PlaceMissing(undefined, {
    details: [`${pointer}: must name a place, such as "hotels in Vaduz", unless ll or gl is sent`],
  });
}

const retryAfterUsualSeconds = 30;

/** A failure of a source in our own terms; anything else is what it was. */
export function sourceError(thrown: unknown): unknown {
  if (!(thrown instanceof SourceFailure)) return thrown;
  return byCode[thrown.code](thrown);
}

const byCode: Record<SourceFailure["code"], (failure: SourceFailure) => ServiceError> = {
  source_failed: (cause) => SourceFailed(undefined, { cause }),
  source_unavailable: (cause) =>
    SourceUnavailable(
      { advice: cause.advice },
      { cause, retryAfterSeconds: cause.retryAfterSeconds ?? retryAfterUsualSeconds },
    ),
  source_timeout: (cause) => SourceTimeout(undefined, { cause }),
};
