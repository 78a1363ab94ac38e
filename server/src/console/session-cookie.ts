import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenedSession } from "../domains/members/index.ts";
import { clearCookie, readCookie, setCookie } from "./cookies.ts";

const name = "waypost_session";

export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, name);
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, { token, expiresAt }: OpenedSession) {
  setCookie(request, reply, name, token, expiresAt);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply) {
  clearCookie(request, reply, name);
}
