import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../../platform/errors.ts";
import { type Outbound, OutboundFailure, type OutboundResponse } from "../../platform/net/outbound.ts";
import { DownloadFailed } from "../errors.ts";

export type Fetching = {
  outbound: Outbound;
  signal: AbortSignal;
  /** The waits before a request is sent again. */
  pausesMs?: readonly number[];
};

/** Of a file; `last` bytes of it, or those from one position on. `tag` names the version that earlier parts are of. */
export type Range = { last: number } | { from: number; bytes: number; tag?: string | undefined };

const requestMs = 180_000;
const redirectsMax = 5;
const retryAfterMsMax = 60_000;
/** Together longer than a server's restart, or a line's, usually takes. */
export const defaultPausesMs: readonly number[] = [1_000, 5_000, 20_000];
/** What passes by itself. */
const passingStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const lasting: ReadonlySet<OutboundFailure["reason"]> = new Set([
  "not_public",
  "bad_url",
  "too_many_redirects",
  "aborted",
]);

/** Fetches a part of a file, again after what passes by itself. The answer has the status 206, or 200 with the whole. */
export async function fetchRange(url: string, range: Range, fetching: Fetching): Promise<OutboundResponse> {
  const isEnd = "last" in range;
  const tag = isEnd ? undefined : range.tag;
  const headers = {
    Range: isEnd ? `bytes=-${range.last}` : `bytes=${range.from}-${range.from + range.bytes - 1}`,
    ...(tag === undefined ? {} : { "If-Range": tag }),
  };
  return fetchAgain(url, headers, isEnd ? range.last : range.bytes, fetching);
}

/** Fetches a whole file of at most so many bytes at once. */
export async function fetchWhole(url: string, bytesMax: number, fetching: Fetching): Promise<Buffer> {
  const { body, truncated, status } = await fetchAgain(url, {}, bytesMax, fetching);
  if (truncated || status !== 200)
    throw DownloadFailed({ url, reason: "it is too large for a server that does not give parts of a file" });
  return body;
}

async function fetchAgain(url: string, headers: Record<string, string>, bytesMax: number, fetching: Fetching) {
  const { signal, pausesMs = defaultPausesMs } = fetching;
  for (let tries = 0; ; tries += 1) {
    let pauseMs = pausesMs[tries];
    try {
      const answer = await ask(url, headers, bytesMax, fetching);
      if (answer.status === 200 || answer.status === 206) return answer;
      if (pauseMs === undefined || !passingStatuses.has(answer.status))
        throw DownloadFailed({ url, reason: `it answered ${answer.status}`, status: answer.status });
      pauseMs = Math.max(pauseMs, retryAfterMs(answer));
    } catch (error) {
      if (pauseMs === undefined || !isPassing(error)) throw error;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function ask(url: string, headers: Record<string, string>, bytesMax: number, { outbound, signal }: Fetching) {
  try {
    return await outbound.request({
      url,
      headers: { "Accept-Encoding": "identity", "User-Agent": "waypost", ...headers },
      deadlineMs: requestMs,
      bytesMax,
      redirectsMax,
      protocols: ["https:", "http:"],
      localNames: true,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundFailure)) throw error;
    throw DownloadFailed({ url, reason: reasonOf(error) }, { cause: error });
  }
}

/** Where the part of a file begins that an answer holds, and the length of the file, which a server need not know. */
export function partOf({ headers }: OutboundResponse): { start?: number; total?: number } {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headers["content-range"]?.trim() ?? "") ?? [];
  return start === undefined || total === undefined ? {} : { start: Number(start), total: Number(total) };
}

/** What names this version of a file; a weak tag does not. */
export function tagOf({ headers }: OutboundResponse): string | undefined {
  const { etag } = headers;
  return etag?.startsWith('"') ? etag : headers["last-modified"];
}

/** Whether a file is not there, or no longer. */
export function isGone(error: unknown): boolean {
  const { status } =
    ((error instanceof ServiceError ? error.facts : undefined) as { status?: number } | undefined) ?? {};
  return status === 404 || status === 410;
}

function retryAfterMs({ headers }: OutboundResponse): number {
  const seconds = Number(headers["retry-after"]);
  return seconds > 0 ? Math.min(retryAfterMsMax, seconds * 1_000) : 0;
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof OutboundFailure && !lasting.has(error.cause.reason);
}

function reasonOf({ reason, message }: OutboundFailure): string {
  if (reason === "not_public") return "its address is not public; WAYPOST_OUTBOUND_ALLOW=imports=… can allow it";
  if (reason === "bad_response") return "its server's answer breaks off or is not valid HTTP";
  return `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, "")}`;
}
