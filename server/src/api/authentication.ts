import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type Authorize,
  ConflictingCredentials,
  EntitlementRequired,
  InsufficientScope,
  type KeyVerifier,
  missingEntitlement,
  type Need,
  NetworkNotAllowed,
  presentedKey,
  type Principal,
  RateLimited,
  type RateState,
  Unauthenticated,
} from "../domains/api-keys/index.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is asking. Every route under the base path has one, unless its config says `public`. */
    principal: Principal;
  }
  interface FastifyContextConfig {
    public?: true;
    /** What the operation needs of its caller; filled in from the table of needs by its operation id. */
    need?: Need;
  }
}

/** What every authenticated route may answer with before its handler runs. */
export const authenticationErrors = [
  ConflictingCredentials,
  Unauthenticated,
  NetworkNotAllowed,
  RateLimited,
  InsufficientScope,
  EntitlementRequired,
] as const;

/** Hands the request's credential to `authorize`, and its verdict to the reply. */
export function createAuthentication(authorize: Authorize) {
  return async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { need } = request.routeOptions.config;
    if (!need) return;

    const { principal, rate, refusal } = await authorize({ key: presentedKey(request.raw), address: request.ip }, need);
    if (principal) request.principal = principal;
    if (rate) sendRate(reply, rate);
    if (refusal) throw refusal;
  };
}

function sendRate(reply: FastifyReply, { burst, windowSeconds, remaining, fullInSeconds }: RateState) {
  reply.header("RateLimit-Policy", `"default";q=${burst};w=${windowSeconds}`);
  reply.header("RateLimit", `"default";r=${remaining};t=${fullInSeconds}`);
}

/** Checks the key of a request again that has been answered for a long time. */
export function createRecheck({ verifier }: { verifier: KeyVerifier }) {
  return async function isStillAllowed(request: FastifyRequest): Promise<boolean> {
    const verified = await verifier.verify(presentedKey(request.raw) ?? "");
    const { need } = request.routeOptions.config;
    if (!need || !verified?.principal.entitled || !verified.allowsNetwork(request.ip)) return false;
    return verified.principal.scopes.has(need.scope);
  };
}

/** Comes after validation: a live key's organization must be entitled. */
export function requireEntitlement(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) {
  done(request.routeOptions.config.need ? missingEntitlement(request.principal) : undefined);
}
