import { type ErrorKind, ServiceError, InvalidRequest } from "../../platform/errors.ts";

type Rehearsal = {
  kind: ErrorKind;
  retryAfterSeconds?: number;
  facts?: unknown;
  /** What the details of the real one name; the pointer says where the query stands. */
  detail?: (pointer: string) => string;
};

/** Every documented error code, with what an edge needs to answer it as if it had happened. */
export const rehearsals: Readonly<Record<string, Rehearsal>> = {
  invalid_request: { kind: "invalid", detail: (pointer) => `${pointer}: must not rehearse an error` },
  conflicting_credentials: { kind: "invalid" },
  unauthenticated: { kind: "unauthenticated" },
  allowance_exhausted: { kind: "exhausted", facts: { remaining: 0 } },
  insufficient_scope: { kind: "forbidden", detail: () => "scope: scrapes:write is required" },
  network_not_allowed: { kind: "forbidden" },
  live_key_required: { kind: "forbidden" },
  entitlement_required: { kind: "forbidden" },
  capability_unavailable: { kind: "forbidden" },
  not_found: { kind: "not_found" },
  method_not_allowed: { kind: "invalid" },
  idempotency_in_progress: { kind: "busy", retryAfterSeconds: 1 },
  state_conflict: { kind: "conflict" },
  export_expired: { kind: "gone" },
  precondition_failed: { kind: "invalid" },
  range_not_satisfiable: { kind: "invalid", facts: { sizeBytes: 0 } },
  payload_too_large: { kind: "invalid" },
  unsupported_media_type: { kind: "invalid" },
  idempotency_key_reused: { kind: "mismatch" },
  rate_limited: { kind: "limit_reached", retryAfterSeconds: 1 },
  internal_error: { kind: "internal" },
  temporarily_unavailable: { kind: "unavailable", retryAfterSeconds: 5 },
  source_failed: { kind: "bad_upstream" },
  source_unavailable: { kind: "unavailable", retryAfterSeconds: 30 },
  source_timeout: { kind: "timed_out" },
};

const rehearsed = /^test:error:(.*)$/s;

/**
 * Throws the documented error that a test key's query names with `test:error:<code>`, so that an
 * integrator can rehearse every error. Called before anything is stored or charged. The pointer says
 * where the query stands in the request.
 */
export function rehearseError(q: string, pointer: string): void {
  // Case does not count in the other queries that steer fixtures either.
  const [, code] = rehearsed.exec(q.trim().toLowerCase()) ?? [];
  if (code === undefined) return;
  const rehearsal = Object.hasOwn(rehearsals, code) ? rehearsals[code] : undefined;
  if (!rehearsal) {
    const codes = Object.keys(rehearsals).join(", ");
    throw InvalidRequest(
      { what: "The query names no documented error" },
      { details: [`${pointer}: test:error: must be followed by one of ${codes}`] },
    );
  }
  const { kind, retryAfterSeconds, facts, detail } = rehearsal;
  const options = {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(detail ? { details: [detail(pointer)] } : {}),
  };
  throw new ServiceError(code, kind, `This rehearses ${code}, as the query says; nothing was done.`, options, facts);
}
