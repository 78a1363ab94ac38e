import type { FastifyRequest } from "fastify";
import { UnsupportedMediaType } from "../platform/http/errors.ts";
import { parseStrictJson } from "../platform/http/json.ts";

/** Reads a body of JSON; one that is not said to be plain UTF-8 is refused unread. */
export async function readBody({ headers }: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (!isPlainUtf8(headers)) throw UnsupportedMediaType();
  return parseStrictJson(bytes);
}

const charsetParameter = /;\s*charset="?([^\s;"]*)/i;
/** UTF-8 by its names, and the part of it that has a name of its own. */
const utf8Names: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);

/** Whether the bytes are said to be text in UTF-8, and neither compressed as content nor on their way. */
function isPlainUtf8({
  "content-type": type = "",
  "content-encoding": coding = "identity",
  "transfer-encoding": transfer = "chunked",
}: FastifyRequest["headers"]): boolean {
  const [, charset = "utf-8"] = charsetParameter.exec(type) ?? [];
  return (
    utf8Names.has(charset.toLowerCase()) && coding.toLowerCase() === "identity" && transfer.toLowerCase() === "chunked"
  );
}
