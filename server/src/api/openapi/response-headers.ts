import type { Need } from "../../domains/api-keys/index.ts";

type Header = { description: string; schema: { type: string }; example?: unknown };

const text = (description: string, example: string): Header => ({ description, schema: { type: "string" }, example });
const seconds: Header = {
  description: "Seconds to wait before the next request.",
  schema: { type: "integer" },
  example: 1,
};

const everywhere: Record<string, Header> = {
  "X-Request-Id": text("Names this request in the service's log; also in the body.", "req_01k5v7h2f4e8ka9s6c3d0b1x7k"),
  "SVC-Schema-Version": text("The version of the body's schema.", "2026-09-22"),
};

const ofGuarded: Record<string, Header> = {
  "RateLimit-Policy": text("The key's budget: q requests in w seconds.", '"default";q=100;w=2'),
  RateLimit: text("What is left of it: r requests, whole again in t seconds.", '"default";r=99;t=1'),
};

const replayed: Record<string, Header> = {
  "Idempotent-Replayed": text("`true` when this answers a call that was made before with the same key.", "true"),
};

/** The headers that an answer really carries, by its status and by what its operation needs. */
export function responseHeaders(status: string, need: Need | undefined): Record<string, Header> {
  const code = Number(status);
  const isKnownCaller = need !== undefined && code !== 401;
  return {
    ...everywhere,
    ...(isKnownCaller ? ofGuarded : {}),
    ...(need && need.idempotency !== "none" && code < 300 ? replayed : {}),
    ...(code === 401 ? { "WWW-Authenticate": text("How to authenticate.", 'Bearer realm="waypost"') } : {}),
    ...(code === 402 ? unitHeaders : {}),
    ...(code === 429 || code === 503 || (code === 409 && need?.idempotency !== "none")
      ? { "Retry-After": seconds }
      : {}),
  };
}

const unitHeaders: Record<string, Header> = {
  "X-SVC-Units-Charged": { description: "Nothing was charged.", schema: { type: "integer" }, example: 0 },
  "X-SVC-Units-Remaining": { description: "The units left this month.", schema: { type: "integer" }, example: 0 },
};
