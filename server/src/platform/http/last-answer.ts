import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What Node keeps of a connection: the response that it writes next. */
type Connection = { _httpMessage?: ServerResponse | null };

const ending = new WeakSet<Socket>();

/**
 * Ends a connection with an answer to something that never became a request. The answers of the whole requests before
 * it go first: they have been charged, or have made something.
 */
export function answerLast(socket: Socket, answer: string): void {
  if (ending.has(socket) && !socket.readableEnded) return;
  ending.add(socket);
  sendInTurn(socket, answer);
}

function sendInTurn(socket: Socket, answer: string): void {
  if (!socket.writable) return;
  const { _httpMessage: response } = socket as Connection;
  if (!response) {
    socket.end(answer);
  } else if (!response.req.complete) {
    // What could not be read is this request's own body.
    if (response.headersSent) socket.destroy();
    else socket.end(answer);
  } else if (socket.readableEnded) {
    socket.destroy();
  } else {
    response.once("close", () => sendInTurn(socket, answer));
  }
}
