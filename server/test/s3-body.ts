import type { IncomingMessage } from "node:http";
import { crc32 } from "node:zlib";
import { header, sha256 } from "./s3-signature.ts";

export class S3Problem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Reads a body and holds it to the hash or the checksum that came with it. */
export async function readS3Body(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = Buffer.concat(chunks);
  const declared = header(request, "x-amz-content-sha256");
  if (declared === "STREAMING-UNSIGNED-PAYLOAD-TRAILER") return unframed(request, sent);
  if (declared.startsWith("STREAMING-")) throw new S3Problem(501, "NotImplemented");
  if (declared !== "UNSIGNED-PAYLOAD" && declared !== sha256(sent))
    throw new S3Problem(400, "XAmzContentSHA256Mismatch");
  requireChecksum(header(request, "x-amz-checksum-crc32"), sent);
  return sent;
}

/** The content of chunks `<size in hex>\r\n<bytes>\r\n`, and the checksum in the trailer behind the last. */
function unframed(request: IncomingMessage, sent: Buffer): Buffer {
  if (!header(request, "content-encoding").split(",").includes("aws-chunked")) {
    throw new S3Problem(400, "InvalidRequest");
  }
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = sent.indexOf("\r\n", at);
    const size = Number.parseInt(sent.toString("latin1", at, lineEnd), 16);
    at = lineEnd + 2;
    if (!(size > 0)) break;
    parts.push(sent.subarray(at, at + size));
    at += size + 2;
  }
  const content = Buffer.concat(parts);
  if (content.length !== Number(header(request, "x-amz-decoded-content-length"))) {
    throw new S3Problem(400, "IncompleteBody");
  }
  const trailer = /^x-amz-checksum-crc32:(\S+)/m.exec(sent.toString("latin1", at))?.[1];
  if (trailer === undefined) throw new S3Problem(400, "MalformedTrailerError");
  requireChecksum(trailer, content);
  return content;
}

function requireChecksum(given: string, content: Buffer) {
  if (given === "") return;
  const right = Buffer.alloc(4);
  right.writeUInt32BE(crc32(content));
  if (given !== right.toString("base64")) throw new S3Problem(400, "BadDigest");
}
