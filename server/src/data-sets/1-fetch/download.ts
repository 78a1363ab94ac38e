import { open } from "node:fs/promises";
import type { OutboundResponse } from "../../platform/net/outbound.ts";
import { DownloadFailed } from "../errors.ts";
import { defaultPausesMs, fetchRange, type Fetching, fetchWhole, partOf, tagOf } from "./ranges.ts";

type DownloadOptions = Fetching & {
  progress?: (bytesRead: number, bytesTotal: number | undefined) => void;
  chunkBytes?: number;
  bytesMax?: number;
};

const defaultChunk = 16 * 1024 * 1024;
/** More than any extract of a continent has today. */
const defaultBytesMax = 64 * 1024 ** 3;
/** Of a server that gives a file only whole. */
const wholeBytesMax = 1024 ** 3;

/** Fetches a file in ranges, so that neither its size nor a slow line needs memory or an endless wait. */
export async function download(url: string, path: string, options: DownloadOptions): Promise<void> {
  const { outbound, signal, progress = () => undefined } = options;
  const { chunkBytes = defaultChunk, bytesMax = defaultBytesMax, pausesMs = defaultPausesMs } = options;
  /** Nothing is lost yet when the first part fails, and a server that is not there is soon named. */
  const once = { outbound, signal, pausesMs: [] };
  const file = await open(path, "w", 0o600);
  let publishedAt = Number.NaN;
  try {
    const first = await fetchRange(url, { from: 0, bytes: chunkBytes }, once);
    const { total } = partOf(first);
    publishedAt = Date.parse(first.headers["last-modified"] ?? "");
    if (first.status === 200 || total === undefined) {
      await file.writeFile(await wholeBody(first));
      return;
    }
    if (total > bytesMax) throw DownloadFailed({ url, reason: `it has ${total} bytes, more than is taken` });
    let at = 0;
    for (let answer = first; ; answer = await next(at, tagOf(first))) {
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
  function next(from: number, tag: string | undefined): Promise<OutboundResponse> {
    return fetchRange(url, { from, bytes: chunkBytes, tag }, { outbound, signal, pausesMs });
  }

  async function wholeBody(first: OutboundResponse): Promise<Buffer> {
    const isWhole = first.status === 200 && !first.truncated;
    const body = isWhole ? first.body : await fetchWhole(url, Math.min(wholeBytesMax, bytesMax), once);
    progress(body.length, body.length);
    return body;
  }
}
