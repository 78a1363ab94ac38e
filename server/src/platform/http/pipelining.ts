import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { joinSmallChunks, yieldAfterRead } from "./chunk-floods.ts";

/**
 * Handles no more than so many requests of one connection before their answers have left. Node hands over all that
 * one read brought, 2,600 requests in 64 KiB, and does nothing else meanwhile. The last request that is handled ends
 * the connection; its client sends the others again on a new one, as HTTP wants of clients that pipeline.
 */
export function boundPipelining(
  server: Server,
  { requestsMax, onBound }: { requestsMax: number; onBound(): void },
): void {
  const listeners = server.listeners("request");
  const waiting = new WeakMap<Socket, number>();

  // Each of the requests may listen for the end of their connection.
  server.on("connection", (socket: Socket) => socket.setMaxListeners(socket.getMaxListeners() + requestsMax));
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > requestsMax) return;
    waiting.set(socket, count);
    if (count === requestsMax) {
      response.shouldKeepAlive = false;
      ignoreMore(socket);
      onBound();
    } else {
      response.on("close", forgetResponse);
    }
    for (const listener of listeners) listener.call(server, request, response);
  });

  // A connection that has reached the bound stays there until it is closed.
  function forgetResponse(this: ServerResponse) {
    const { socket } = this.req;
    const count = waiting.get(socket) ?? 0;
    if (count < requestsMax) waiting.set(socket, count - 1);
  }
}

/** What Node keeps of a connection: it calls this for each request whose headers are complete, and makes the response there. */
type Parser = { onIncoming?: (request: IncomingMessage) => number };

/** Reads no further. What one read brought is parsed to its end; making 2,000 responses from it took 100 ms. */
function ignoreMore(socket: Socket): void {
  const { parser } = socket as { parser?: Parser | null };
  if (parser) {
    parser.onIncoming = (request) => {
      yieldAfterRead(socket);
      joinSmallChunks(request);
      return 0;
    };
  }
  socket.pause();
}
