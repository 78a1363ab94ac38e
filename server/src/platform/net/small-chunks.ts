import type { Readable } from "node:stream";
import { OutboundFailure } from "./outbound-failure.ts";

const smallBytes = 64;
/** A page that a program writes word by word has fewer. */
const smallChunksMax = 16_384;

/**
 * Ends a body that comes in very many small chunks. Each costs its parser some 2 µs, however little is in it: a
 * megabyte that came byte by byte held the event loop for 600 ms at a time, and took 2.3 s.
 */
export function withFewSmallChunks<Body extends Readable>(body: Body): Body {
  const push = body.push.bind(body);
  let left = smallChunksMax;
  body.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null && chunk.length < smallBytes) left -= 1;
    if (left >= 0) return push(chunk, encoding);
    body.destroy(new OutboundFailure("bad_response", "The target's answer came in too many small chunks."));
    return false;
  };
  return body;
}
