import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { schemaVersion } from "../platform/contract.ts";
import { InvalidRequest } from "../platform/errors.ts";
import type { HttpServer } from "../platform/http/server.ts";

const versionHeader = "svc-schema-version";

type Done = (error?: Error) => void;

/**
 * What every route refuses before it parses anything: another schema version than the one there is,
 * and a body where none is expected. Runs after the key was checked, which comes before it in the same list: hooks
 * before parsing have functions made for each request, 0.6 kB of the 26 kB that a read of a job takes.
 */
export function checkRequests(app: HttpServer) {
  app.addHook("onRoute", (route) => {
    const check = route.schema?.body ? checkVersion : checkVersionAndAbsence;
    route.onRequest = [check, ...[route.onRequest ?? []].flat()];
  });
}

function checkVersion({ headers }: FastifyRequest, _reply: FastifyReply, done: Done) {
  done(otherVersion(headers));
}

function checkVersionAndAbsence(request: FastifyRequest, _reply: FastifyReply, done: Done) {
  const { headers } = request;
  const refusal = otherVersion(headers);
  if (refusal) return done(refusal);
  const length = Number(headers["content-length"] ?? 0);
  const isChunked = headers["transfer-encoding"] !== undefined;
  if (length === 0 && !isChunked && !namesContentToParse(request)) return done();
  if (length > 0) return done(unexpectedBody());

  // A client that always names a content type may still send nothing: without these, Fastify parses nothing.
  if (headers["content-type"] !== undefined) delete headers["content-type"];
  if (!isChunked) return done();
  delete headers["transfer-encoding"];
  void requireEmpty(request.raw, done);
}

function otherVersion(headers: FastifyRequest["headers"]): Error | undefined {
  const version = headers[versionHeader];
  if (version === undefined || version === schemaVersion) return undefined;
  const details = [`header /${versionHeader}: must be ${schemaVersion}, the only schema version there is`];
  return InvalidRequest({ what: "The request headers are invalid" }, { details });
}

/** Fastify parses a body where a content type is named, except of GET and HEAD. */
function namesContentToParse({ method, headers }: FastifyRequest): boolean {
  return headers["content-type"] !== undefined && method !== "GET" && method !== "HEAD";
}

async function requireEmpty(payload: Readable, done: Done): Promise<void> {
  let error: Error | undefined;
  try {
    if (await hasBytes(payload)) error = unexpectedBody();
  } catch (cause) {
    // The client broke its body off, which is its own fault; Fastify says the same of a body that it reads.
    error = Object.assign(cause as Error, { statusCode: 400 });
  }
  done(error);
}

async function hasBytes(payload: Readable): Promise<boolean> {
  // Not destroyed on the way out: the answer still has to go through the same socket.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    if ((chunk as Buffer).length > 0) return true;
  }
  return false;
}

function unexpectedBody() {
  return InvalidRequest({ what: "The request has a body where none is expected" }, { details: ["/: must be absent"] });
}
