import { IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Bounds what one connection's chunked bodies cost in a row. Node hands over every chunk by itself, 10,900 in a read of
 * 64 KiB, and takes up to 32 reads of a connection before it does anything else: that took 200 ms.
 */
export function boundChunks(server: Server): void {
  server.prependListener("request", (request) => {
    if (request.headers["transfer-encoding"] !== undefined) joinSmallChunks(request);
  });
}

const smallBytesMax = 1_024;

/** The small chunks of a read reach the request together, and the next read waits for other connections. */
export function joinSmallChunks(request: IncomingMessage): void {
  const { socket } = request;
  let small: Buffer[] = [];

  // Node pushes buffers, and null at the end.
  request.push = (chunk: Buffer | null) => {
    if (chunk === null || chunk.length > smallBytesMax) {
      flush();
      return push(chunk);
    }
    if (small.push(chunk) === 1) {
      setImmediate(flushAfterRead);
      yieldAfterRead(socket);
    }
    return true;
  };

  function push(chunk: Buffer | null): boolean {
    return IncomingMessage.prototype.push.call(request, chunk);
  }

  function flush(): boolean {
    if (small.length === 0) return true;
    const joined = Buffer.concat(small);
    small = [];
    return push(joined);
  }

  function flushAfterRead() {
    if (!request.destroyed && !flush()) socket.pause();
  }
}

/** What Node keeps of a connection. `reading` is what Node wants; a stop in between leaves it as it is. */
type Handle = { reading: boolean; readStop(): void; readStart(): void };

const yielding = new WeakSet<Socket>();

/** Reads no more of the connection before the others have had their turn; what one read brought is parsed to its end. */
export function yieldAfterRead(socket: Socket): void {
  const handle = handleOf(socket);
  if (!handle || yielding.has(socket)) return;
  yielding.add(socket);
  handle.readStop();
  setImmediate(() => {
    yielding.delete(socket);
    if (handleOf(socket) === handle && handle.reading) handle.readStart();
  });
}

function handleOf(socket: Socket): Handle | null | undefined {
  return (socket as { _handle?: Handle | null })._handle;
}
