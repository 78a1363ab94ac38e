import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenedSession } from "../domains/members/index.ts";

const name = "waypost_session";
/** Browsers accept this name only with Secure, without a domain and for the whole host. */
const secureName = `__Host-${name}`;

export function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.cookies[isSecure(request) ? secureName : name];
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, { token, expiresAt }: OpenedSession) {
  reply.setCookie(isSecure(request) ? secureName : name, token, { ...attributes(request), expires: expiresAt });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply) {
  reply.clearCookie(isSecure(request) ? secureName : name, attributes(request));
}

function attributes(request: FastifyRequest) {
  return { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(request) } as const;
}

/** TLS ends at a proxy; Fastify reads X-Forwarded-Proto from trusted ones alone. */
function isSecure(request: FastifyRequest): boolean {
  return request.protocol === "https";
}
