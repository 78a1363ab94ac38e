/** What the service answered instead of what was wanted, in its own words. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly string[];
  readonly retryable: boolean;
  readonly requestId: string | undefined;

  constructor(status: number, body: ErrorBody | undefined) {
    super(body?.error.message ?? "The service did not answer. Check that it runs, then try again.");
    this.name = "Problem";
    this.status = status;
    this.code = body?.error.code ?? "no_answer";
    this.details = body?.error.details ?? [];
    this.retryable = body?.error.retryable ?? true;
    this.requestId = body?.request_id;
  }

  /** What is wrong with one field, by its JSON pointer. */
  about(pointer: string): string | undefined {
    const detail = this.details.find((each) => each.startsWith(`${pointer}:`));
    return detail?.slice(pointer.length + 1).trim();
  }
}

/** True when the service answered that there is no such thing, and not that it cannot answer now. */
export function isMissing(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** True when nobody answered, or the service has lost a part of itself: the same call works again by itself. */
export function isOutage(error: unknown): boolean {
  return error instanceof Problem && (error.code === "no_answer" || error.code === "temporarily_unavailable");
}

export type ErrorBody = {
  error: { code: string; message: string; details: string[]; retryable: boolean };
  request_id: string;
};
