import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createNetworkCheck } from "../net/networks.ts";
import { clientNetwork } from "../net/client-network.ts";
import type { OpenAnswers } from "./open-answers.ts";
import { createSeats } from "./seats.ts";
import { boundUnreadAnswers } from "./unread-answers.ts";

export type ConnectionLimits = {
  connectionsMax: number;
  /** Of one IPv4 address or one IPv6 /64. */
  connectionsPerAddressMax: number;
  /** How long a reader may take nothing of an answer that waits for it. */
  stalledReaderMs: number;
  /** How many bytes of answers may wait in memory for all readers together. */
  unreadBytesMax: number;
  onClosed(reason: "total" | "gave_way" | "address" | "pipelining" | "stalled_reader" | "unread_answers"): void;
};

/** How many more connections Node takes than may stay: whoever gives way to a newcomer takes a moment to be gone. */
const leavingMax = 64;
/** How many requests a connection may make before it is closed, so how many may be sent ahead of their answers. */
const requestsPerConnectionMax = 100;
const unreadLookMs = 250;
const closeEveryMs = 50;
/** How long a request may take to arrive whole once the server closes. */
const arrivalMs = 2_000;

/** CIDR blocks that the limit per address does not count: everybody comes from a proxy's address. */
type LimitOptions = ConnectionLimits & { unlimited: readonly string[]; answers: OpenAnswers };

/** Closes connections over the limits as they come, and those whose reader stopped reading. */
export function limitConnections(server: Server, options: LimitOptions) {
  const { connectionsMax, connectionsPerAddressMax, stalledReaderMs, unreadBytesMax } = options;
  const { unlimited, answers, onClosed } = options;
  const isUnlimited = createNetworkCheck(unlimited);
  const countByNetwork = new Map<string, number>();

  const isBusy = (socket: Socket) => answers.of(socket).size > 0;
  const seats = createSeats({ seatsMax: connectionsMax, isBusy, onClosed });
  server.maxConnections = connectionsMax + leavingMax;
  server.on("drop", () => onClosed("total"));
  server.on("connection", (socket: Socket) => {
    if (!socket.destroyed) seats.enter(socket);
  });
  server.prependListener("request", ({ socket }) => seats.noteRequest(socket));
  server.prependListener("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isUnlimited(address)) return;
    const network = clientNetwork(address);
    const count = (countByNetwork.get(network) ?? 0) + 1;
    if (count > connectionsPerAddressMax) {
      onClosed("address");
      socket.destroy();
      return;
    }
    countByNetwork.set(network, count);
    socket.once("close", () => {
      const left = (countByNetwork.get(network) ?? 1) - 1;
      if (left > 0) countByNetwork.set(network, left);
      else countByNetwork.delete(network);
    });
  });

  boundRequests(server, requestsPerConnectionMax, () => onClosed("pipelining"));
  // Node's own timer of a socket starts anew with each byte that leaves, so it rings only for a reader
  // that takes nothing. An answer that is still being made has nothing to take: it is let be.
  server.setTimeout(stalledReaderMs);
  boundUnreadAnswers(server, {
    bytesMax: unreadBytesMax,
    intervalMs: unreadLookMs,
    onOver(socket) {
      onClosed("unread_answers");
      socket.destroy();
    },
  });
  server.on("timeout", (socket: Socket) => {
    const isStalled = socket.writableLength > 0;
    if (answers.of(socket).size > 0 && !isStalled) return;
    if (isStalled) onClosed("stalled_reader");
    socket.destroy();
  });

  /**
   * Ends, until the server is closed, the connections that wait for no answer. For Node those are idle only after a
   * first answer: without this, one on which nothing was ever sent holds up the end.
   */
  function closeUnused(): void {
    const began = performance.now();
    const timer = setInterval(() => {
      const isLate = performance.now() - began > arrivalMs;
      for (const socket of answers.sockets()) {
        if (answers.of(socket).size === 0 && (isLate || socket.bytesRead === 0)) socket.destroy();
      }
    }, closeEveryMs);
    server.once("close", () => clearInterval(timer));
  }

  return { closeUnused, noteKnown: seats.noteKnown };
}

/**
 * Ends a connection with the answer to its last request. What its client sent after that one is dropped; it sends it
 * again on a new connection, as HTTP wants of clients that pipeline.
 */
function boundRequests(server: Server, requestsMax: number, onDropped: () => void): void {
  const counts = new WeakMap<Socket, number>();
  const dropped = new WeakSet<object>();
  server.maxRequestsPerSocket = requestsMax;
  // Each of the requests may listen for the end of their connection.
  server.on("connection", (socket: Socket) => socket.setMaxListeners(socket.getMaxListeners() + requestsMax));
  server.prependListener("request", ({ socket }, response) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    if (count === requestsMax) response.setHeader("Connection", "close");
  });
  server.on("dropRequest", (_request, socket) => {
    if (dropped.has(socket)) return;
    dropped.add(socket);
    socket.pause();
    onDropped();
  });
}
