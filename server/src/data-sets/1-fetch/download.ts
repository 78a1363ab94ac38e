import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type Outbound, OutboundFailure, type OutboundResponse } from "../../platform/net/outbound.ts";
import { DownloadFailed } from "../errors.ts";

type DownloadOptions = {
  outbound: Outbound;
  signal: AbortSignal;
  progress?: (bytesRead: number, bytesTotal: number | undefined) => void;
  chunkBytes?: number;
  bytesMax?: number;
  /** The wait before a part is fetched again. */
  pausesMs?: readonly number[];
};

const defaultChunk = 16 * 1024 * 1024;
const chunkMs = 180_000;
/** More than any extract of a continent has today. */
const defaultBytesMax = 64 * 1024 ** 3;
/** Of a server that gives a file only whole. */
const wholeBytesMax = 1024 ** 3;
const redirectsMax = 5;
/** Together longer than a server's restart, or a line's, usually takes. */
const defaultPausesMs = [1_000, 5_000, 20_000];
/** What passes by itself. */
const passingStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const lasting: ReadonlySet<OutboundFailure["reason"]> = new Set([
  "not_public",
  "bad_url",
  "too_many_redirects",
  "aborted",
]);

/** Fetches a file in ranges, so that neither its size nor a slow line needs memory or an endless wait. */
export async function download(url: string, path: string, options: DownloadOptions): Promise<void> {
  const { outbound, signal, progress = () => undefined } = options;
  const { chunkBytes = defaultChunk, bytesMax = defaultBytesMax, pausesMs = defaultPausesMs } = options;
  const file = await open(path, "w", 0o600);
  let publishedAt = Number.NaN;
  try {
    const first = await fetchRange(0);
    const { total } = partOf(first);
    publishedAt = Date.parse(first.headers["last-modified"] ?? "");
    if (first.status === 200 || total === undefined) {
      await file.writeFile(await wholeBody(first));
      return;
    }
    if (total > bytesMax) throw DownloadFailed({ url, reason: `it has ${total} bytes, more than is taken` });
    let at = 0;
    for (let answer = first; ; answer = await fetchRange(at, tagOf(first))) {
      const part = partOf(answer);
      if (answer.status !== 206 || part.total !== total || answer.body.length === 0) {
        throw DownloadFailed({ url, reason: "it changed while it was read; try again" });
      }
      if (part.start !== at)
        throw DownloadFailed({ url, reason: "its server answers with parts that Waypost did not ask for" });
      // Goes on after a short write, such as the last one that a full disk takes; `write` would not.
      await file.writeFile(answer.body);
      at += answer.body.length;
      progress(at, total);
      if (at >= total) return;
    }
  } finally {
    // The file is as old as its server says, and not as this copy of it.
    if (!Number.isNaN(publishedAt)) await file.utimes(new Date(), new Date(publishedAt));
    await file.close();
  }

  /** A part of a long download fails now and then; what came before it is worth a few more tries. */
  async function fetchRange(from: number, tag?: string): Promise<OutboundResponse> {
    const range = {
      Range: `bytes=${from}-${from + chunkBytes - 1}`,
      ...(tag === undefined ? {} : { "If-Range": tag }),
    };
    for (let tries = 0; ; tries += 1) {
      const pauseMs = from > 0 ? pausesMs[tries] : undefined;
      try {
        const answer = await ask(range, chunkBytes);
        if (answer.status === 200 || answer.status === 206) return answer;
        if (pauseMs === undefined || !passingStatuses.has(answer.status))
          throw DownloadFailed({ url, reason: `it answered ${answer.status}` });
      } catch (error) {
        if (pauseMs === undefined || !isPassing(error)) throw error;
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async function wholeBody(first: OutboundResponse): Promise<Buffer> {
    const isWhole = first.status === 200 && !first.truncated;
    const answer = isWhole ? first : await ask({}, Math.min(wholeBytesMax, bytesMax));
    if (answer.status !== 200 || answer.truncated) {
      throw DownloadFailed({ url, reason: "it is too large for a server that does not give parts of a file" });
    }
    progress(answer.body.length, answer.body.length);
    return answer.body;
  }

  async function ask(headers: Record<string, string>, bytes: number): Promise<OutboundResponse> {
    try {
      return await outbound.request({
        url,
        headers: { "Accept-Encoding": "identity", "User-Agent": "waypost", ...headers },
        deadlineMs: chunkMs,
        bytesMax: bytes,
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
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof OutboundFailure && !lasting.has(error.cause.reason);
}

/** Where the part of a file begins that an answer holds, and the length of the file, which a server need not know. */
function partOf({ headers }: OutboundResponse): { start?: number; total?: number } {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headers["content-range"]?.trim() ?? "") ?? [];
  return start === undefined || total === undefined ? {} : { start: Number(start), total: Number(total) };
}

function tagOf({ headers }: OutboundResponse): string | undefined {
  const { etag } = headers;
  return etag?.startsWith('"') ? etag : headers["last-modified"];
}

function reasonOf({ reason, message }: OutboundFailure): string {
  if (reason === "not_public") return "its address is not public; WAYPOST_OUTBOUND_ALLOW=imports=… can allow it";
  if (reason === "bad_response") return "its server's answer breaks off or is not valid HTTP";
  return `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, "")}`;
}
