import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

export type Body = { body: Buffer; truncated: boolean };

/** Encodings that readBody undoes, as an Accept-Encoding header. */
export const acceptedEncodings = "gzip, deflate, br";

/**
 * Reads a body up to a number of bytes, counted both as they arrive and as they unfold: a few
 * kilobytes of gzip can stand for gigabytes. An encoding that the request did not accept is left as it is.
 */
export async function readBody(source: Readable, encoding: string | undefined, bytesMax: number): Promise<Body> {
  const arriving = new Limit(bytesMax);
  const chunks = arriving.pass(source);
  const first = await chunks.next();
  if (first.done) return { body: Buffer.alloc(0), truncated: arriving.isReached };

  const decoder = decoderFor(encoding, first.value);
  const whole = prepend(first.value, chunks);
  if (!decoder) return { body: await collect(whole), truncated: arriving.isReached };

  const unfolding = new Limit(bytesMax);
  let body: Buffer = Buffer.alloc(0);
  try {
    await pipeline(whole, decoder, async (decoded: AsyncIterable<Buffer>) => {
      body = await collect(unfolding.pass(decoded));
    });
  } catch (error) {
    // Leaving a decoder before its end counts as an error of the pipeline, and is ours.
    if (!unfolding.isReached) throw error;
  }
  return { body, truncated: arriving.isReached || unfolding.isReached };
}

class Limit {
  isReached = false;
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Passes on at most as many bytes as there may be, then stops reading. */
  async *pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    let left = this.bytesMax;
    for await (const chunk of source) {
      if (chunk.length > left) {
        this.isReached = true;
        if (left > 0) yield chunk.subarray(0, left);
        return;
      }
      left -= chunk.length;
      yield chunk;
    }
  }
}

// A stream cut at the limit ends in the middle of its encoding; flushing instead of finishing
// gives what there is.
function decoderFor(encoding: string | undefined, firstChunk: Buffer): Transform | undefined {
  switch ((encoding ?? "").trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case "deflate": {
      // Servers send it with the zlib header, as the standard says, and without.
      const hasHeader = ((firstChunk[0] ?? 0) & 0x0f) === 8;
      return (hasHeader ? createInflate : createInflateRaw)({ finishFlush: constants.Z_SYNC_FLUSH });
    }
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  yield* rest;
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all.length === 1 && all[0] ? all[0] : Buffer.concat(all);
}
