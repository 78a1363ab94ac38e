import { isWaypostError } from "./errors.ts";
import { backoffMs, type Sleep } from "./retry.ts";
import type { OpenStream, Rest } from "./transport.ts";

type Resuming = {
  /** Opens what comes after the bytes that are there. */
  reopen(rest: Rest): Promise<OpenStream>;
  sleep: Sleep;
  /** How often in a row a connection may bring nothing. */
  maxRetries: number;
  signal: AbortSignal | undefined;
};

/** The bytes of a file as they come. A connection that breaks off is opened again at the byte where it broke. */
export async function* resumed(
  { headers, chunks: first }: OpenStream,
  { reopen, sleep, maxRetries, signal }: Resuming,
): AsyncGenerator<Uint8Array> {
  const etag = strongTag(headers);
  let chunks = first;
  let from = 0;
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const chunk of chunks) {
        from += chunk.length;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      if (etag === undefined || failures >= maxRetries || !isBreak(error)) throw error;
      await sleep(backoffMs(failures), signal);
      // Another file by now, or something on the way that knows no ranges: there is nothing to go on with.
      const rest = await reopen({ from, etag }).catch((refusal: unknown) => {
        throw isWaypostError(refusal, "unexpected_answer") ? error : refusal;
      });
      chunks = rest.chunks;
    }
  }
}

function isBreak(error: unknown): boolean {
  return isWaypostError(error, "connection_failed", "request_timed_out");
}

/** Names these exact bytes; undefined where what came was encoded on the way, so that its bytes count otherwise. */
function strongTag(headers: Headers): string | undefined {
  const etag = headers.get("etag");
  return etag?.startsWith('"') && !headers.has("content-encoding") ? etag : undefined;
}
