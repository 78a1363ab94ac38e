import type { ErrorCode } from "./openapi.ts";

/** What goes wrong on the way, before or after the service has had its say. */
export type ClientErrorCode =
  /** No connection, or it broke. */
  | "connection_failed"
  /** No whole answer within `timeoutMs`. */
  | "request_timed_out"
  /** An answer that is not Waypost's: a proxy's page, a redirect. */
  | "unexpected_answer"
  /** A wait ended before what it waited for; the work goes on. */
  | "wait_timed_out";

export type WaypostErrorCode = ErrorCode | ClientErrorCode;

type Facts<Code extends WaypostErrorCode> = {
  code: Code;
  message: string;
  status?: number | undefined;
  details?: readonly string[] | undefined;
  retryable?: boolean | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
};

/**
 * Everything that a call can fail with, told apart by `code`. A service newer than this package may send codes
 * that the type does not list: keep a default branch.
 */
export class WaypostError<Code extends WaypostErrorCode = WaypostErrorCode> extends Error {
  override readonly name = "WaypostError";
  readonly code: Code;
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** One sentence per violation. */
  readonly details: readonly string[];
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor({ code, message, status, details, retryable, requestId, retryAfterMs, cause }: Facts<Code>) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details ?? [];
    this.retryable = retryable ?? false;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }

  /** The sentence with the code and, where there was an answer, the id of the request. */
  override toString(): string {
    const request = this.requestId === undefined ? "" : `, request ${this.requestId}`;
    return `${this.name}: ${this.message} (${this.code}${request})`;
  }
}

/** Whether something caught is a WaypostError, of these codes when some are named. */
export function isWaypostError<Code extends WaypostErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is WaypostError<Code> {
  return error instanceof WaypostError && (codes.length === 0 || codes.includes(error.code as Code));
}
