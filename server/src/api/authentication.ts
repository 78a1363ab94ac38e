import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  ConflictingCredentials,
  EntitlementRequired,
  type Environment,
  InsufficientScope,
  type KeyVerifier,
  LiveKeyRequired,
  NetworkNotAllowed,
  type Principal,
  RateLimited,
  type Scope,
  Unauthenticated,
} from "../domains/api-keys/index.ts";
import type { RateLimit } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is asking. Every route under the base path has one, unless its config says `public`. */
    principal: Principal;
  }
  interface FastifyContextConfig {
    public?: true;
    scope?: Scope;
    environment?: Environment;
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

/**
 * The checks before a request's content is looked at, in the order the reference promises:
 * conflicting credentials, key, network, rate, scope, environment.
 */
export function createAuthentication({ verifier, rateLimit }: { verifier: KeyVerifier; rateLimit: RateLimit }) {
  return async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { config } = request.routeOptions;
    if (config.public) return;

    const presented = presentedKey(request.raw);
    const verified = presented === undefined ? undefined : await verifier.verify(presented);
    if (!verified) {
      reply.header("WWW-Authenticate", 'Bearer realm="waypost"');
      throw Unauthenticated();
    }
    request.principal = verified.principal;
    if (!verified.allowsNetwork(request.ip)) throw NetworkNotAllowed({ address: request.ip });
    limitRate(reply, verified.principal.keyId);
    const { scope, environment } = config;
    if (scope && !verified.principal.scopes.has(scope)) {
      throw InsufficientScope({ scope }, { details: [`scope: ${scope} is required`] });
    }
    if (environment === "live" && verified.principal.environment !== "live") throw LiveKeyRequired();
  };

  function limitRate(reply: FastifyReply, keyId: string) {
    const { policy, limit, retryAfterSeconds } = rateLimit.take(keyId);
    reply.header("RateLimit-Policy", policy);
    reply.header("RateLimit", limit);
    if (retryAfterSeconds > 0) throw RateLimited({ perSecond: rateLimit.perSecond }, { retryAfterSeconds });
  }
}

/** Comes after validation: a live key's organization must be entitled. */
export function requireEntitlement(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) {
  const { config } = request.routeOptions;
  if (config.public || request.principal.environment === "test" || request.principal.entitled) return done();
  done(EntitlementRequired());
}

/**
 * The one key of a request, from `API-KEY` or `Authorization: Bearer`. Read from the raw list:
 * Node joins or drops headers that come twice, and a second, different key must not pass unseen.
 */
function presentedKey({ rawHeaders }: IncomingMessage): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const key = keyInHeader(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    if (key === undefined) continue;
    if (found !== undefined && found !== key) throw ConflictingCredentials();
    found = key;
  }
  return found;
}

function keyInHeader(name: string, value: string): string | undefined {
  if (name.length === 7 && name.toLowerCase() === "api-key") return value.trim();
  if (name.length !== 13 || name.toLowerCase() !== "authorization") return undefined;
  return /^bearer +(.*)$/i.exec(value)?.[1]?.trim();
}
