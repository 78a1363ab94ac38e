import { type ServiceError, TemporarilyUnavailable, InvalidRequest } from "../platform/errors.ts";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Unauthenticated } from "../domains/api-keys/index.ts";
import { exhaustedBalance, unitHeaders } from "../domains/billing/index.ts";
import { missedBytes } from "../domains/exports/index.ts";
import { errorBody, httpOf } from "../platform/http/error-body.ts";
import { MethodNotAllowed } from "../platform/http/errors.ts";
import { bodyBytesMax, toServiceError } from "../platform/http/service-errors.ts";
import { newId } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { traceFields } from "../platform/traceparent.ts";
import { commonHeaders } from "./common-headers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the request ended with, for its line in the log. */
    failure: ServiceError | undefined;
  }
}

/** Answers every error in the documented envelope; an unexpected error goes to the log alone. */
export function createErrorHandler(log: Log) {
  return function handleError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const error = toServiceError(thrown, () => request.routeOptions.bodyLimit ?? bodyBytesMax);
    // Thrown in our own terms it was foreseen: a test key rehearses it, and no operator must look into that.
    if (error.kind === "internal" && error !== thrown) log.error({ ...tieOf(request), err: thrown }, "request.failed");
    if (error.code === TemporarilyUnavailable.code) log.warn({ ...tieOf(request), err: thrown }, "request.put_off");
    request.failure = error;
    return sendError(error, request, reply);
  };
}

function tieOf({ id: requestId, traceparent }: FastifyRequest) {
  return traceFields({ requestId, traceparent });
}

export function sendError(error: ServiceError, request: FastifyRequest, reply: FastifyReply) {
  reply.headers(errorHeaders(error));
  if (error.code === MethodNotAllowed.code && !reply.hasHeader("Allow")) reply.header("Allow", request.method);
  return reply
    .code(httpOf(error).status)
    .header("Content-Type", "application/json; charset=utf-8")
    .send(errorBody(error, request.id));
}

/** The headers that belong to an error, whichever route it comes from. */
function errorHeaders(error: ServiceError): Record<string, string> {
  const balance = exhaustedBalance(error);
  const missed = missedBytes(error);
  return {
    ...(error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) }),
    ...(error.code === Unauthenticated.code ? { "WWW-Authenticate": 'Bearer realm="waypost"' } : {}),
    ...(balance ? unitHeaders(balance) : {}),
    ...(missed === undefined ? {} : { "Content-Range": `bytes */${missed}` }),
  };
}

const requestTimeout = "ERR_HTTP_REQUEST_TIMEOUT";
/** Connections that end with such an answer: what else comes on them is broken too. */
const ending = new WeakSet<Socket>();

/**
 * Answers what never became a request: a broken request line, headers over the limit, a request
 * that was not sent in time. There is only a socket to write to. `open` are the answers that have not left it yet.
 */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  open: ReadonlySet<ServerResponse> = new Set(),
) {
  // Browsers open connections ahead of their requests. An answer on one that is unused would be taken for the answer to
  // its first request; a connection that is closed is opened again.
  const isUnused = error.code === requestTimeout && socket.bytesRead === 0;
  if (error.code === "ECONNRESET" || isUnused || !socket.writable) {
    socket.destroy();
    return;
  }
  if (ending.has(socket) && !socket.readableEnded) return;
  ending.add(socket);
  answerLast(socket, clientErrorAnswer(error.code), open);
}

/** The answers to whole requests go first: they have been charged, or have made something. */
function answerLast(socket: Socket, answer: string, open: ReadonlySet<ServerResponse>): void {
  if (!socket.writable) return;
  const [oldest] = open;
  if (!oldest) {
    socket.end(answer);
  } else if (!oldest.req.complete) {
    // What could not be read is this request's own body.
    if (oldest.headersSent) socket.destroy();
    else socket.end(answer);
  } else if (socket.readableEnded) {
    socket.destroy();
  } else {
    oldest.once("close", () => answerLast(socket, answer, open));
  }
}

/** Answers CONNECT, for which Node hands over the socket: this is no proxy. */
export function refuseConnect(socket: Socket, methods: readonly string[], open: ReadonlySet<ServerResponse>) {
  const allow = [...new Set(methods)].toSorted().join(", ");
  socket.on("error", () => undefined);
  answerLast(socket, answerText(MethodNotAllowed({ method: "CONNECT", allow }), { Allow: allow }), open);
}

function clientErrorAnswer(code: string | undefined): string {
  return answerText(InvalidRequest({ what: "The request could not be read" }, { details: [clientErrorDetail(code)] }));
}

/** An answer that no response writes. */
function answerText(error: ServiceError, more: Record<string, string> = {}): string {
  const { status } = httpOf(error);
  const requestId = newId("req");
  const body = errorBody(error, requestId);
  const headers = {
    ...commonHeaders,
    ...more,
    "X-Request-Id": requestId,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

function clientErrorDetail(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW") return "headers: must be at most 16 KiB together";
  if (code === requestTimeout) return "request: must be sent whole within 30 seconds, and its headers within 15";
  return "request: must be well-formed HTTP/1.1";
}
