import type { FastifyRequest } from "fastify";
import type { Origin } from "../domains/members/index.ts";

/** Where a session is opened from. */
export function originOf(request: FastifyRequest): Origin {
  return { userAgent: request.headers["user-agent"] ?? "", address: request.ip };
}
