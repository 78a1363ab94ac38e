import type net from "node:net";

type Read = (size?: number) => Buffer | null;

const continuation = Buffer.from("HTTP/1.1 100");
const headBytesMax = 16_384;
const continuationsMax = 8;

/**
 * Reads a socket without the `100 Continue` before an answer. Servers and proxies send it although nobody asked for it,
 * and a client must bear that (RFC 9110, section 15.2); undici ends the connection. One request is under way on a
 * socket at a time, so what is read first after something was written is the start of an answer.
 */
export function withoutContinuations(socket: net.Socket, read: Read): Read {
  let written = socket.bytesWritten;
  /** The start of an answer, until it is known not to be a continuation. */
  let start: Buffer | undefined;
  let continuations = 0;

  return (size) => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      start = Buffer.alloc(0);
      continuations = 0;
    }
    for (;;) {
      const chunk = read(size);
      if (chunk === null || start === undefined) return chunk;
      start = Buffer.concat([start, chunk]);
      for (let end = endOfContinuation(start); end > 0 && continuations < continuationsMax;) {
        start = start.subarray(end);
        continuations += 1;
        end = endOfContinuation(start);
      }
      if (mayGoOn(start) && continuations < continuationsMax) continue;
      const answer = start;
      start = undefined;
      return answer;
    }
  };
}

/** Where the continuation ends; 0 when it is none, or its end has not come. */
function endOfContinuation(start: Buffer): number {
  if (!isContinuation(start)) return 0;
  const blankLine = start.indexOf("\r\n\r\n");
  return blankLine < 0 ? 0 : blankLine + 4;
}

/** Whether this may be the beginning of a continuation. */
function mayGoOn(start: Buffer): boolean {
  if (start.length < continuation.length) return continuation.subarray(0, start.length).equals(start);
  return isContinuation(start) && start.length < headBytesMax;
}

function isContinuation(start: Buffer): boolean {
  return start.subarray(0, continuation.length).equals(continuation);
}
