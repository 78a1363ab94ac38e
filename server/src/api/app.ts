import { type ServiceError, InvalidRequest } from "../platform/errors.ts";
import { basePath } from "../platform/contract.ts";
import { maxHeaderSize } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { fastify, type FastifyReply, type FastifyRequest } from "fastify";
import type { Authorize, CostLimit, KeyVerifier } from "../domains/api-keys/index.ts";
import { Business } from "../domains/businesses/index.ts";
import { collectionRoutes, type Collections, collectionSchemas } from "../domains/collections/index.ts";
import { downloadRoutes, type Downloads, exportRoutes, type Exports, exportSchemas } from "../domains/exports/index.ts";
import { scrapeRoutes, type Scrapes, scrapeSchemas } from "../domains/scrapes/index.ts";
import { type Search, searchRoutes, searchSchemas } from "../domains/search/index.ts";
import {
  type Deliveries,
  type Endpoints,
  eventStreamRoutes,
  type EventStreams,
  webhookRoutes,
  webhookSchemas,
} from "../domains/webhooks/index.ts";
import { type ConnectionLimits, limitConnections } from "../platform/http/connection-limits.ts";
import { inEnvelope } from "../platform/http/envelope.ts";
import { ErrorEnvelope } from "../platform/http/error-body.ts";
import { createOpenAnswers } from "../platform/http/open-answers.ts";
import { isHost } from "../platform/http/origin.ts";
import { type HttpServer } from "../platform/http/server.ts";
import { bodyBytesMax } from "../platform/http/service-errors.ts";
import { newId } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import type { Tracing } from "../platform/tracing.ts";
import { createRecheck, guardRoutes } from "./authentication.ts";
import { commonHeaders } from "./common-headers.ts";
import { announceDeprecations, type Deprecation, deprecations } from "./deprecations.ts";
import { createErrorHandler, handleClientError, refuseConnect } from "./errors.ts";
import { type Health, healthRoutes } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { openApi } from "./openapi/index.ts";
import { pages } from "./pages.ts";
import { createBodyReader } from "./request-body.ts";
import { checkRequests } from "./request-checks.ts";
import { observeRequests } from "./request-log.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";
import { buildSerializer } from "./serializer.ts";
import { validatorOptions } from "./validator.ts";

export type ApiDeps = {
  authorize: Authorize;
  costs: CostLimit;
  /** Checks keys again while a stream lasts. */
  verifier: KeyVerifier;
  search: Search;
  scrapes: Scrapes;
  collections: Collections;
  exports: Exports;
  downloads: Downloads;
  /** What download links begin with; undefined for the host that a request names. */
  publicUrl: string | undefined;
  webhookEndpoints: Endpoints;
  webhookDeliveries: Deliveries;
  eventStreams: Pick<EventStreams, "start" | "stop">;
  health: Health;
  metrics: Metrics;
  log: Log;
  tracing?: Tracing;
  trustedProxies: readonly string[];
  /** None when nobody connects. */
  connectionLimits?: ConnectionLimits;
  /** What is announced to go, in place of the list that the service has. */
  deprecations?: readonly Deprecation[];
  /** Edges beside the API on the same port, such as the dashboard's. */
  otherEdges?: readonly OtherEdge[];
};

/** Adds its routes to the server; it may serve the routes of the domains to callers that it knows by other means. */
export type OtherEdge = (app: HttpServer, domainRoutes: (app: HttpServer) => void) => Promise<void>;

declare module "fastify" {
  interface FastifyInstance {
    routeTable: RouteTable;
    /** What is loaded when it is first used, or ahead of that. */
    lateLoads: (() => Promise<unknown>)[];
  }
}

/** Builds the HTTP server of the roles `api` and `all`. */
export async function createApi(deps: ApiDeps): Promise<HttpServer> {
  const app = createServer(deps);
  const bodies = createBodyReader(deps.costs);
  app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit: bodyBytesMax }, bodies.read);
  app.addHook("onClose", bodies.close);
  app.decorate("lateLoads", []);
  announceDeprecations(app, deps.deprecations ?? deprecations);
  await openApi(app, deps.costs);
  const domainSchemas = [searchSchemas, scrapeSchemas, collectionSchemas, exportSchemas, webhookSchemas];
  const schemas = [ErrorEnvelope, Business, ...domainSchemas.flat()];
  for (const schema of schemas) app.addSchema(schema);

  healthRoutes(app, deps.health, deps.metrics);
  pages(app);
  await app.register(
    async (scope) => {
      const api = scope as HttpServer;
      guardRoutes(api, deps.authorize);
      api.addHook("preSerialization", wrapInEnvelope);
      domainRoutes(api);
      downloadRoutes(api, deps.downloads);
      eventStreamRoutes(api, deps.eventStreams, createRecheck(deps));
    },
    { prefix: basePath },
  );
  for (const mount of deps.otherEdges ?? []) await mount(app, domainRoutes);
  return app;

  function domainRoutes(server: HttpServer) {
    searchRoutes(server, deps.search);
    scrapeRoutes(server, deps.scrapes);
    collectionRoutes(server, deps.collections);
    exportRoutes(server, deps.exports, deps.publicUrl);
    webhookRoutes(server, deps.webhookEndpoints, deps.webhookDeliveries);
  }
}

/** Builds the HTTP server of the role `worker`, which only reports its health. */
export function createHealthServer({ health, ...deps }: Pick<ApiDeps, "health"> & ServerDeps): HttpServer {
  const app = createServer(deps);
  healthRoutes(app, health, deps.metrics);
  return app;
}

type ServerDeps = Pick<ApiDeps, "log" | "metrics" | "trustedProxies" | "connectionLimits" | "tracing">;

function createServer({ log, metrics, tracing, trustedProxies, connectionLimits }: ServerDeps): HttpServer {
  const answers = createOpenAnswers();
  const app = fastify({
    logger: false,
    genReqId: () => newId("req"),
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    exposeHeadRoutes: true,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // Node answers a missing Host header by itself, and not in our envelope; checkHost does.
    http: { maxHeaderSize, headersTimeout: 15_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, answers.of(socket)),
    rewriteUrl: readablePath,
    // Ids of any length reach their route: a malformed one names nothing, and gets the same 404 as an unknown one.
    routerOptions: { maxParamLength: maxHeaderSize },
    frameworkErrors(error, request, reply) {
      putCommonHeaders(request, reply);
      createErrorHandler(log)(error, request, reply);
    },
    ajv: validatorOptions,
    schemaController: { compilersFactory: { buildSerializer } },
  }).withTypeProvider<TypeBoxTypeProvider>();

  answers.watch(app.server);
  // Node answers an unknown expectation by itself, and not in our envelope; HTTP allows to ignore it.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  if (connectionLimits) {
    const { closeUnused, noteKnown } = limitConnections(app.server, {
      ...connectionLimits,
      answers,
      unlimited: trustedProxies,
    });
    app.addHook("preClose", (done) => {
      closeUnused();
      done();
    });
    // Before the answer begins: an event stream ends after hours.
    app.addHook("preHandler", ({ principal, raw }: Partial<FastifyRequest>, _reply, done) => {
      if (principal && raw) noteKnown(raw.socket);
      done();
    });
  }
  const routes = createRouteTable(app);
  app.server.on("connect", ({ socket }) => {
    const methods = routes.list().map(({ method }) => method);
    refuseConnect(socket, methods, answers.of(socket));
  });
  app.decorate("routeTable", routes);
  app.decorateRequest("failure");
  app.decorateRequest("principal");
  app.removeAllContentTypeParsers();
  app.setErrorHandler(createErrorHandler(log));
  app.addHook("onRequest", (request, reply, done) => {
    putCommonHeaders(request, reply);
    const refusal = checkHost(request);
    // Whoever sent such a request and we may not agree on where the next one begins.
    if (refusal) reply.header("connection", "close");
    // Before its body is looked at: what no route takes has no rules to break.
    done(refusal ?? (request.is404 ? routes.explainMiss(request.method, request.originalUrl, reply) : undefined));
  });
  checkRequests(app);
  observeRequests(app, { log, metrics, tracing });
  return app;
}

function putCommonHeaders(request: FastifyRequest, reply: FastifyReply) {
  reply.headers(commonHeaders);
  reply.header("x-request-id", request.id);
}

/** Takes a path literally whose escapes are not UTF-8, so that it is routed, and refused, like any other. */
function readablePath({ url = "/" }: { url?: string | undefined }): string {
  if (!url.includes("%")) return url;
  const [path = ""] = url.split(/[?#]/, 1);
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll("%", "%25") + url.slice(path.length);
  }
}

function checkHost({ raw, headers }: FastifyRequest): ServiceError | undefined {
  if (headers.host === undefined) return raw.httpVersion === "1.0" ? undefined : badHost("is required");
  if (isGivenTwice(raw.rawHeaders, "host")) return badHost("must be given once");
  return headers.host === "" || isHost(headers.host)
    ? undefined
    : badHost("must be a name or address, with or without a port");
}

/** Node keeps the first of two Host headers; a proxy before us may have routed by the second. */
function isGivenTwice(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index];
    if (given?.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

function badHost(detail: string): ServiceError {
  return InvalidRequest({ what: "The request headers are invalid" }, { details: [`header /host: ${detail}`] });
}

function wrapInEnvelope(
  request: FastifyRequest,
  _reply: unknown,
  data: unknown,
  done: (error: null, payload: unknown) => void,
) {
  done(null, inEnvelope(data, request.id));
}
