import type { FastifyRequest } from "fastify";
import type { CostLimit } from "../domains/api-keys/index.ts";
import { UnsupportedMediaType } from "../platform/http/errors.ts";
import { JsonProblem, parseStrictJson } from "../platform/http/json.ts";
import type { ReadJson } from "../platform/http/json-thread.ts";
import { bodyBytesMax } from "../platform/http/service-errors.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { createThreadPool } from "../platform/thread-pool.ts";

/** A megabyte takes a thread 20 to 200 ms. */
const workMs = 5_000;
const waitMs = 10_000;
const waitingMax = 100;
const heapMegabytes = 256;

/**
 * Reads bodies of JSON at the cost of their organization. One that no ordinary route takes is read in a thread: it
 * would hold up everybody else.
 */
export function createBodyReader(costs: CostLimit) {
  const script = new URL("../platform/http/json-thread.ts", import.meta.url);
  const pool = createThreadPool<Uint8Array, ReadJson>({ script, threadsMax: 1, waitingMax, heapMegabytes });

  /** One that is not said to be plain UTF-8 is refused unread. */
  async function read(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
    if (!isPlainUtf8(request.headers)) throw UnsupportedMediaType();
    const payer = payerOf(request);
    costs.require(payer);
    if (bytes.length > bodyBytesMax) return readInThread(payer, bytes);
    const began = performance.now();
    try {
      return parseStrictJson(bytes);
    } finally {
      costs.spend(payer, performance.now() - began);
    }
  }

  async function readInThread(payer: string, bytes: Buffer): Promise<unknown> {
    const answer = await pool.run(bytes, { workMs, signal: AbortSignal.timeout(waitMs) });
    costs.spend(payer, answer.ms);
    if ("problems" in answer) throw new JsonProblem(answer.problems);
    return answer.value;
  }

  return { read, close: pool.close };
}

/** The organization, or the network of a caller who is not known yet. */
function payerOf({ principal, ip }: { principal?: FastifyRequest["principal"]; ip: string }): string {
  return principal?.organizationId ?? clientNetwork(ip);
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
