import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { OpenAnswers } from "./open-answers.ts";

type SlowReaderOptions = {
  answers: OpenAnswers;
  /** What a reader must take of an answer that waits for it, on average over the interval; 0 for any rate. */
  bytesPerSecondMin: number;
  intervalMs: number;
  onSlow(socket: Socket): void;
};

type Wait = { since: number; sentBytes: number };

/**
 * Finds readers that take a little now and then, so that no timer ever rings for them, while they hold a connection and
 * an answer. A socket counts a write when all of it has left, so a reader has as long as what waits takes at the least
 * rate. Event streams have a bound of their own.
 */
export function watchSlowReaders(server: Server, options: SlowReaderOptions): void {
  const { answers, bytesPerSecondMin, intervalMs, onSlow } = options;
  if (bytesPerSecondMin === 0) return;
  let waits = new Map<Socket, Wait>();

  function look() {
    const now = performance.now();
    const before = waits;
    waits = new Map();
    for (const socket of answers.sockets()) {
      if (socket.writableLength === 0 || [...answers.of(socket)].some(isEventStream)) continue;
      const sentBytes = socket.bytesWritten - socket.writableLength;
      const wait = before.get(socket) ?? { since: now, sentBytes };
      const dueBytes = (bytesPerSecondMin * (now - wait.since)) / 1_000;
      if (sentBytes - wait.sentBytes >= dueBytes) waits.set(socket, { since: now, sentBytes });
      else if (dueBytes < socket.writableLength) waits.set(socket, wait);
      else onSlow(socket);
    }
  }

  const timer = setInterval(look, intervalMs).unref();
  server.on("close", () => clearInterval(timer));
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader("content-type")).startsWith("text/event-stream");
}
