import type { Server } from "node:http";
import type { Socket } from "node:net";

type UnreadAnswersOptions = {
  /** How many bytes may wait in memory for all readers together. */
  bytesMax: number;
  intervalMs: number;
  /** Is called for each reader that has to go. */
  onOver(socket: Socket): void;
};

/**
 * Bounds what waits for slow readers in memory: each of them may be within its own limits while thousands of them are
 * not. When more waits than may, those go first whose answer waited at the last look too, the longest answer first.
 * It looks now and then, so that a request costs nothing more.
 */
export function boundUnreadAnswers(server: Server, { bytesMax, intervalMs, onOver }: UnreadAnswersOptions): void {
  const sockets = new Set<Socket>();
  let waitedBefore = new Set<Socket>();

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  function look() {
    const waiting = [...sockets].filter((socket) => socket.writableLength > 0);
    let bytes = waiting.reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (bytes > bytesMax) waiting.sort((one, other) => rank(other) - rank(one));
    for (const socket of waiting) {
      if (bytes <= bytesMax) break;
      bytes -= socket.writableLength;
      onOver(socket);
    }
    waitedBefore = new Set(waiting);
  }

  /** No answer is as long as the step between those that have waited and those that are new. */
  function rank(socket: Socket): number {
    return socket.writableLength + (waitedBefore.has(socket) ? Number.MAX_SAFE_INTEGER / 2 : 0);
  }

  const timer = setInterval(look, intervalMs).unref();
  server.on("close", () => clearInterval(timer));
}
