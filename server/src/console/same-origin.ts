import type { FastifyRequest } from "fastify";
import { baseUrlOf } from "../platform/http/origin.ts";
import { requireOwnHost } from "../platform/http/own-host.ts";
import { ForeignOrigin } from "./errors.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses changes that another website made the browser send. Browsers say where a request comes
 * from in Sec-Fetch-Site, older ones in Origin; a program without a browser sends neither, and
 * has no cookie that somebody else could abuse. A website whose own name leads here is refused by that name.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const { method, headers, host } = request;
  requireOwnHost(host, publicUrl);
  if (safeMethods.has(method)) return;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) {
    if (site !== "same-origin") throw ForeignOrigin();
    return;
  }
  const { origin } = headers;
  if (origin === undefined) return;
  const own = [baseUrlOf(request), ...(publicUrl === undefined ? [] : [publicUrl])];
  if (!own.some((url) => new URL(url).origin === origin)) throw ForeignOrigin();
}
