import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type Authorization,
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
import type { HttpServer } from "../platform/http/server.ts";

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

type Done = (error?: Error) => void;

/**
 * Puts the checks of what a route needs before it. Each route has hooks of its own, because Fastify makes an object
 * with all options of the route for every hook that reads its need, which takes 1 µs.
 */
export function guardRoutes(app: HttpServer, authorize: Authorize) {
  app.addHook("onRoute", (route) => {
    const need = route.config?.need;
    if (!need) return;
    route.onRequest = [createAuthentication(authorize, need), ...[route.onRequest ?? []].flat()];
    route.preHandler = [requireEntitlement, ...[route.preHandler ?? []].flat()];
  });
}

/** Hands the request's credential to `authorize`, and its verdict to the reply. */
function createAuthentication(authorize: Authorize, need: Need) {
  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const verdict = authorize({ key: presentedKey(request.raw), address: request.ip }, need);
    if (verdict instanceof Promise) void applyLate(verdict, request, reply, done);
    else done(apply(verdict, request, reply));
  };
}

async function applyLate(verdict: Promise<Authorization>, request: FastifyRequest, reply: FastifyReply, done: Done) {
  let refusal: Error | undefined;
  try {
    refusal = apply(await verdict, request, reply);
  } catch (error) {
    refusal = error as Error;
  }
  done(refusal);
}

function apply({ principal, rate, refusal }: Authorization, request: FastifyRequest, reply: FastifyReply) {
  if (principal) request.principal = principal;
  if (rate) sendRate(reply, rate);
  return refusal;
}

function sendRate(reply: FastifyReply, { burst, windowSeconds, remaining, fullInSeconds }: RateState) {
  reply.header("ratelimit-policy", `"default";q=${burst};w=${windowSeconds}`);
  reply.header("ratelimit", `"default";r=${remaining};t=${fullInSeconds}`);
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
function requireEntitlement(request: FastifyRequest, _reply: FastifyReply, done: Done) {
  done(missingEntitlement(request.principal));
}
