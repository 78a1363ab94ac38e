import cookie from "@fastify/cookie";
import { type ApiKeys, type Environment, needOf } from "../domains/api-keys/index.ts";
import type { Billing } from "../domains/billing/index.ts";
import type { Collections } from "../domains/collections/index.ts";
import type { Members } from "../domains/members/index.ts";
import type { Organizations } from "../domains/organizations/index.ts";
import type { EventStreams } from "../domains/webhooks/index.ts";
import type { Clock } from "../platform/clock.ts";
import { inEnvelope } from "../platform/http/envelope.ts";
import type { PlaceIndex } from "../place-index/port.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { Log } from "../platform/log.ts";
import type { Outbound } from "../platform/net/outbound.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { SourceSelection } from "../sources/selection.ts";
import { actAsPrincipal, createSessionAuthentication, requireEntitlement } from "./authentication.ts";
import { catalogRoutes } from "./catalog-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import { createIdentityProvider, type OidcSettings } from "./oidc/provider.ts";
import { oidcRoutes } from "./oidc/routes.ts";
import { dashboardPages } from "./pages.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { tileRoutes } from "./tile-routes.ts";
import { usageRoutes } from "./usage-routes.ts";

export type { OidcSettings } from "./oidc/provider.ts";
export { isDashboardBuilt } from "./pages.ts";

/** A base map in place of the built-in one: raster tiles by the template of their addresses, or a MapLibre style. */
export type OperatorMap = { tiles: string | null; style: string | null; attribution: string | null };

export type ConsoleDeps = {
  db: Database;
  placeIndex: PlaceIndex;
  billing: Billing;
  sources: SourceSelection;
  members: Members;
  organizations: Organizations;
  apiKeys: ApiKeys;
  collections: Collections;
  consoleStreams: EventStreams;
  clock: Clock;
  /** Where the built dashboard lies. */
  dashboardFolder: string;
  /** The provider that people may sign in through; undefined for passwords only. */
  oidc: OidcSettings | undefined;
  oidcOutbound: Outbound;
  /** What the maps show in place of the built-in base map. */
  operatorMap: OperatorMap | undefined;
  publicUrl: string | undefined;
  log: Log;
};

const environments: readonly Environment[] = ["live", "test"];

/**
 * The dashboard's edge: its pages, its own routes under `/console/api`, and the routes of the
 * domains under `/console/api/live` and `/console/api/test`, where a session takes the place of an
 * API key.
 */
export function createConsole(deps: ConsoleDeps) {
  const { oidc: settings, oidcOutbound: outbound, clock } = deps;
  const provider = settings && createIdentityProvider({ settings, outbound, clock });
  return async function mount(app: HttpServer, domainRoutes: (app: HttpServer) => void): Promise<void> {
    app.decorateRequest("signedIn");
    const mapUrl = deps.operatorMap?.tiles ?? deps.operatorMap?.style ?? undefined;
    await dashboardPages(app, { folder: deps.dashboardFolder, mapUrl, publicUrl: deps.publicUrl });
    await app.register(
      async (scope) => {
        const routes = scope as HttpServer;
        await routes.register(cookie); // here, since its hooks cost every request of the scope
        routes.addHook("onRoute", (route) => {
          const operationId = route.schema?.operationId;
          if (operationId !== undefined) route.config = { ...route.config, need: needOf(operationId) };
          route.schema = { ...route.schema, hide: true };
        });
        routes.addHook("onRequest", createSessionAuthentication(deps));
        routes.addHook("preSerialization", (request, _reply, data, done) => done(null, inEnvelope(data, request.id)));
        signInRoutes(routes, deps.members);
        oidcRoutes(routes, { ...deps, provider });
        memberRoutes(routes, deps.members, deps.organizations);
        keyRoutes(routes, deps.apiKeys, deps.clock);
        usageRoutes(routes, deps);
        catalogRoutes(routes, deps);
        tileRoutes(routes, deps);
        routes.get("/map", { config: { role: "viewer" }, handler: async () => ({ map: deps.operatorMap ?? null }) });
        eventRoutes(routes, deps);
        for (const environment of environments) {
          await routes.register(
            async (inner) => {
              inner.addHook("onRequest", actAsPrincipal(environment));
              inner.addHook("preHandler", requireEntitlement);
              domainRoutes(inner);
            },
            { prefix: `/${environment}` },
          );
        }
      },
      { prefix: "/console/api" },
    );
  };
}
