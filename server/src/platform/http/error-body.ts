import { Type } from "../schema.ts";
import { schemaVersion } from "../contract.ts";
import type { ErrorDefinition, ErrorKind, ServiceError } from "../errors.ts";
import { RequestId, SchemaVersion } from "./envelope.ts";

/** What each kind of error is over HTTP, and whether sending the same request again may help. */
const httpByKind: Record<ErrorKind, { status: number; retryable: boolean }> = {
  invalid: { status: 400, retryable: false },
  unauthenticated: { status: 401, retryable: false },
  exhausted: { status: 402, retryable: false },
  forbidden: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  busy: { status: 409, retryable: true },
  conflict: { status: 409, retryable: false },
  gone: { status: 410, retryable: false },
  mismatch: { status: 422, retryable: false },
  limit_reached: { status: 429, retryable: true },
  internal: { status: 500, retryable: true },
  bad_upstream: { status: 502, retryable: true },
  unavailable: { status: 503, retryable: true },
  timed_out: { status: 504, retryable: true },
};

// HTTP alone knows these errors and has a status for each; elsewhere they would be plain invalid requests.
const statusByCode: Record<string, number> = {
  method_not_allowed: 405,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
};

/** The status of an error over HTTP, and whether sending the same request again may help. */
export function httpOf({ code, kind }: { code: string; kind: ErrorKind }): { status: number; retryable: boolean } {
  const { status, retryable } = httpByKind[kind];
  return { status: statusByCode[code] ?? status, retryable };
}

export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String({ description: "Stable; see the error reference." }),
        message: Type.String({ description: "What is true, and what to do." }),
        details: Type.Array(Type.String(), {
          description: "One sentence per violation, naming the field and the rule.",
        }),
        retryable: Type.Boolean({ description: "Whether sending the same request again is reasonable." }),
      },
      { additionalProperties: false },
    ),
    request_id: RequestId,
    schema_version: SchemaVersion,
  },
  { $id: "Error", additionalProperties: false },
);

export function errorBody(error: ServiceError, requestId: string): string {
  const { code, message, details } = error;
  return JSON.stringify({
    error: { code, message, details, retryable: httpOf(error).retryable },
    request_id: requestId,
    schema_version: schemaVersion,
  });
}

/** The responses of a route that may throw these; statuses with several errors name them all. */
export function errorResponses(...errors: readonly ErrorDefinition<never>[]) {
  const codesByStatus = new Map<number, Set<string>>();
  for (const error of errors) {
    const { status } = httpOf(error);
    codesByStatus.set(status, (codesByStatus.get(status) ?? new Set()).add(error.code));
  }
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      status,
      { description: [...codes].map((code) => `\`${code}\``).join(", "), ...Type.Ref("Error") },
    ]),
  );
}
