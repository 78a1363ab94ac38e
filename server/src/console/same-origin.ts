import type { FastifyRequest } from "fastify";
import { ForeignOrigin } from "./errors.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses changes that another website made the browser send. Browsers say where a request comes
 * from in Sec-Fetch-Site, older ones in Origin; a program without a browser sends neither, and
 * has no cookie that somebody else could abuse.
 */
export function requireSameOrigin({ method, headers, host }: FastifyRequest): void {
  if (safeMethods.has(method)) return;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) {
    if (site !== "same-origin") throw ForeignOrigin();
    return;
  }
  const { origin } = headers;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw ForeignOrigin();
}
