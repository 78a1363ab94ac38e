import { schemaVersion } from "../platform/contract.ts";

/** Sent with every answer. Pages that show something widen the content policy for themselves. */
export const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
};

/** What every answer carries. In lower case, as Fastify sends them: changing the seven names for each answer took 0.6 µs. */
export const commonHeaders = Object.fromEntries(
  Object.entries({ ...securityHeaders, "SVC-Schema-Version": schemaVersion }).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]),
);
