import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createTurns } from "../turns.ts";

/** A file compressed once. Every reader is sent the same buffers, so that one who never reads costs no copy. */
export type StaticFile = { type: string; hash: string; cacheControl: string; plain: Buffer; br: Buffer; gzip: Buffer };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
// Quality 5 compresses nearly as well as 11 in a twentieth of the time, at each start.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export async function createStaticFile(
  plain: Buffer,
  { type, cacheControl = "no-cache" }: { type: string; cacheControl?: string },
): Promise<StaticFile> {
  const [br, gzipped] = await Promise.all([brotli(plain, brotliOptions), zip(plain)]);
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { type, hash, cacheControl, plain, br, gzip: gzipped };
}

/** Up to here a file costs about as much as any other answer. */
const smallBytesMax = 64 * 1024;
const takeTurn = createTurns();

/** Sends a file as this reader accepts it. Large ones leave one by one: the kernel copies each of them. */
export async function sendFile(
  file: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
  /** Hears what sending took of this thread. */
  onSent: (ms: number) => void = () => undefined,
): Promise<FastifyReply> {
  const body = negotiate(file, request, reply);
  if (body && body.length > smallBytesMax) await takeTurn();
  const began = performance.now();
  reply.send(body);
  onSent(performance.now() - began);
  return reply;
}

/** Sets status and headers, and returns the body that this reader accepts: none when it has the file already. */
function negotiate(file: StaticFile, request: FastifyRequest, reply: FastifyReply): Buffer | undefined {
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding = accepts(accepted, "br") ? "br" : accepts(accepted, "gzip") ? "gzip" : undefined;
  // A strong tag stands for the very bytes, so each encoding has one of its own.
  const etag = encoding ? `"${file.hash}-${encoding}"` : `"${file.hash}"`;
  reply.header("ETag", etag);
  reply.header("Vary", "Accept-Encoding");
  reply.header("Cache-Control", file.cacheControl);
  if (isKnown(etag, request.headers["if-none-match"])) {
    reply.code(304);
    return undefined;
  }
  if (encoding) reply.header("Content-Encoding", encoding);
  reply.type(file.type);
  return file[encoding ?? "plain"];
}

/** Whether a header Accept-Encoding names the coding, and not with a weight of 0, which refuses it. */
function accepts(header: string, coding: string): boolean {
  return header.split(",").some((item) => {
    const [name = "", weight = ""] = item.split(";", 2).map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}

/** Whether a header If-None-Match names the tag. A proxy that recompresses marks it as weak. */
export function isKnown(etag: string, ifNoneMatch = ""): boolean {
  return ifNoneMatch.split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()));
}
