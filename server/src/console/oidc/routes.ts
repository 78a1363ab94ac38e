import type { FastifyRequest } from "fastify";
import { Type } from "../../platform/schema.ts";
import type { Members } from "../../domains/members/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { baseUrlOf } from "../../platform/http/origin.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import type { Log } from "../../platform/log.ts";
import { originOf } from "../origin.ts";
import { setSessionCookie } from "../session-cookie.ts";
import { pagePath, setPending, takePending } from "./pending-cookie.ts";
import type { IdentityProvider } from "./provider.ts";

type OidcDeps = {
  members: Members;
  /** None when people sign in by password only. */
  provider: IdentityProvider | undefined;
  publicUrl: string | undefined;
  clock: Clock;
  log: Log;
};

const Open = Type.Object({}, { additionalProperties: true });
const callbackPath = "/console/api/oidc/callback";

/** Signing in through an identity provider: the browser leaves for it, and comes back with its answer. */
export function oidcRoutes(app: HttpServer, { members, provider, publicUrl, clock, log }: OidcDeps) {
  app.get("/session/methods", {
    config: { public: true },
    handler: async () => ({ oidc: provider ? { name: provider.name } : null }),
  });
  if (!provider) return;

  app.get("/oidc/start", {
    schema: { querystring: Type.Object({ next: Type.Optional(Type.String({ maxLength: 1_000 })) }) },
    config: { public: true },
    async handler(request, reply) {
      const next = pagePath(request.query.next ?? "/");
      const begun = await provider.begin(redirectUri(request));
      if (!begun) return reply.redirect(signInPage("unavailable", next), 303);
      setPending(request, reply, { ...begun.pending, next }, clock.now());
      return reply.redirect(begun.url, 303);
    },
  });

  // The provider decides which parameters come back.
  app.get("/oidc/callback", {
    schema: { querystring: Open },
    config: { public: true },
    async handler(request, reply) {
      const leaving = takePending(request, reply);
      if (!leaving) return reply.redirect(signInPage("stale", "/"), 303);

      const callback = new URL(redirectUri(request));
      callback.search = new URL(request.url, callback).search;
      const outcome = await members.signInWithIdentity(() => provider.finish(callback, leaving), originOf(request));
      if ("problem" in outcome) {
        const { problem, cause } = outcome;
        log.warn({ request_id: request.id, problem, reason: reasonOf(cause) }, "sign_in.refused");
        return reply.redirect(signInPage(problem, leaving.next), 303);
      }
      setSessionCookie(request, reply, outcome.session);
      return reply.redirect(`/console${leaving.next}`, 303);
    },
  });

  function redirectUri(request: FastifyRequest): string {
    return `${publicUrl ?? baseUrlOf(request)}${callbackPath}`;
  }
}

function signInPage(problem: string, next: string): string {
  const search = new URLSearchParams({ problem, ...(next === "/" ? {} : { next }) });
  return `/console/sign-in?${search.toString()}`;
}

/** What went wrong in the library's own words, without anything that the browser sent. */
function reasonOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const below = cause.cause instanceof Error ? `: ${cause.cause.message}` : "";
  return cause.message + below;
}
