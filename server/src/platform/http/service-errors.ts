import type { FastifyError } from "fastify";
import { InvalidRequest, OutcomeUnknown, ServiceError, TemporarilyUnavailable } from "../errors.ts";
import { OutboundFailure } from "../net/outbound.ts";
import { isOutage, isUnconfirmed } from "../postgres/database.ts";
import { TaskFailed } from "../thread-pool.ts";
import { InternalError, PayloadTooLarge, UnsupportedMediaType } from "./errors.ts";
import { JsonProblem } from "./json.ts";
import { violations } from "./violations.ts";

export const bodyBytesMax = 64 * 1024;

/**
 * What a thrown error is to the caller; what we did not foresee is an internal error with its cause. `bytesMax` is what
 * the route takes of a body.
 */
export function toServiceError(thrown: FastifyError | Error, bytesMax = () => bodyBytesMax): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof JsonProblem) {
    return InvalidRequest({ what: "The body cannot be read" }, { details: thrown.details });
  }
  if ("validation" in thrown && thrown.validation) {
    const { validation, validationContext } = thrown;
    return InvalidRequest(
      { what: `${partNames[validationContext ?? ""] ?? "The request is"} invalid` },
      { details: violations(validation, validationContext ?? "body") },
    );
  }
  const status = "statusCode" in thrown ? thrown.statusCode : undefined;
  if (status === 413) return PayloadTooLarge({ bytesMax: bytesMax() });
  if (status === 415) return UnsupportedMediaType();
  if (status !== undefined && status >= 400 && status < 500) {
    return InvalidRequest({ what: "The request could not be read" }, { details: [`request: ${thrown.message}`] });
  }
  if (thrown instanceof TaskFailed) {
    const what = "The threads that read large requests are busy";
    return TemporarilyUnavailable({ what }, { cause: thrown, retryAfterSeconds: 1 });
  }
  if (isUnconfirmed(thrown)) return OutcomeUnknown(undefined, { cause: thrown, retryAfterSeconds });
  if (isAway(thrown)) {
    return TemporarilyUnavailable({ what: "A part of this service is away" }, { cause: thrown, retryAfterSeconds });
  }
  return InternalError(undefined, { cause: thrown });
}

const retryAfterSeconds = 5;

/** Whether a part of our own is out of reach, as opposed to at fault: the database or the resolver. */
function isAway(thrown: Error): boolean {
  return isOutage(thrown) || (thrown instanceof OutboundFailure && thrown.isOurs);
}

const partNames: Record<string, string> = {
  body: "The request body is",
  headers: "The request headers are",
  params: "The request path is",
  querystring: "The query parameters are",
};
