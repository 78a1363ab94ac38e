import type { FastifyReply, FastifyRequest } from "fastify";

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  return request.cookies[prefixedName(request, name)];
}

export function setCookie(request: FastifyRequest, reply: FastifyReply, name: string, value: string, expires: Date) {
  reply.setCookie(prefixedName(request, name), value, { ...attributes(request), expires });
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply, name: string) {
  reply.clearCookie(prefixedName(request, name), attributes(request));
}

/** Browsers accept a name with `__Host-` only with Secure, without a domain and for the whole host. */
function prefixedName(request: FastifyRequest, name: string): string {
  return isSecure(request) ? `__Host-${name}` : name;
}

function attributes(request: FastifyRequest) {
  return { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(request) } as const;
}

/** TLS ends at a proxy; Fastify reads X-Forwarded-Proto from trusted ones alone. */
function isSecure(request: FastifyRequest): boolean {
  return request.protocol === "https";
}
