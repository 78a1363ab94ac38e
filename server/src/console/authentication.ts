import type { FastifyRequest } from "fastify";
import { type Environment, missingEntitlement, missingRight } from "../domains/api-keys/index.ts";
import {
  type Members,
  hasRole,
  principalOf,
  type Role,
  RoleRequired,
  type SignedIn,
} from "../domains/members/index.ts";
import { SessionChanged } from "./errors.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { readSessionCookie } from "./session-cookie.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who is signed in. Every route of the console has one, unless its config says `public`. */
    signedIn: SignedIn;
  }
  interface FastifyContextConfig {
    /** The least role that may use a route of the console. */
    role?: Role;
  }
}

type AuthenticationDeps = { members: Members; publicUrl: string | undefined };

/** The checks before a request of the dashboard is looked at: origin, session, whom its page shows, role. */
export function createSessionAuthentication({ members, publicUrl }: AuthenticationDeps) {
  return async function authenticate(request: FastifyRequest): Promise<void> {
    requireSameOrigin(request, publicUrl);
    const { config } = request.routeOptions;
    if (config.public) return;

    request.signedIn = await members.sessions.require(readSessionCookie(request));
    requireShown(request);
    // A domain's route has a need instead; the role then decides the scopes.
    const role = config.role ?? (config.need ? "viewer" : "owner");
    if (!hasRole(request.signedIn.role, role)) throw RoleRequired({ role });
  };
}

/**
 * Tabs share one session, and each may switch it. A page names whom it shows, `person/organization`, so that what
 * somebody does on it never happens to another organization; a program without pages names nobody.
 */
function requireShown({ headers, signedIn: { personId, organizationId } }: FastifyRequest): void {
  const shown = headers["x-svc-acting-as"];
  if (shown !== undefined && shown !== `${personId}/${organizationId}`) throw SessionChanged();
}

/** Lets a session call a domain's route: the role gives the scopes, the path the environment. */
export function actAsPrincipal(environment: Environment) {
  return async function act(request: FastifyRequest): Promise<void> {
    const { need } = request.routeOptions.config;
    const principal = principalOf(request.signedIn, environment);
    const refusal = need && missingRight(principal, need);
    if (refusal) throw refusal;
    request.principal = principal;
  };
}

export async function requireEntitlement({ principal }: FastifyRequest): Promise<void> {
  const refusal = missingEntitlement(principal);
  if (refusal) throw refusal;
}
