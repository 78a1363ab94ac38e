import type { HttpServer } from "../platform/http/server.ts";
import { parseTraceparent, traceIdOf } from "../platform/traceparent.ts";
import { noTracing, type Span, type Tracing } from "../platform/tracing.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "./metrics.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's trace, or the span of this request in it; null when there is neither. */
    traceparent: string | null;
    span: Span | undefined;
  }
}

type ObserveDeps = { log: Log; metrics: Metrics; tracing?: Tracing | undefined };

/** What balancers, orchestrators and Prometheus ask over and over. */
const quietRoutes: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * One line per request, written at its end, with what an operator will ask; never a key or a query. Its
 * trace goes on to what the request sets off.
 */
export function observeRequests(app: HttpServer, { log, metrics, tracing = noTracing }: ObserveDeps) {
  app.decorateRequest("traceparent", null);
  app.decorateRequest("span");
  app.addHook("onRequest", (request, _reply, done) => {
    const { traceparent } = request.headers;
    if (traceparent !== undefined) request.traceparent = parseTraceparent(traceparent);
    if (tracing !== noTracing) {
      const { method, routeOptions } = request;
      const name = `${method} ${routeOptions.url ?? "unknown"}`;
      request.span = tracing.start(name, "server", request.traceparent, request.id);
      if (request.span) request.traceparent = request.span.traceparent;
    }
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const durationMs = reply.elapsedTime;
    metrics.observeRequest(request.method, route, reply.statusCode, durationMs / 1000);
    // The decoration is empty on public routes and on requests that were refused before the key was read.
    const principal = request.principal as typeof request.principal | undefined;
    // Every few seconds one says that all is well.
    const level = quietRoutes.has(route) && reply.statusCode === 200 ? "debug" : "info";
    log[level](
      {
        request_id: request.id,
        trace_id: traceIdOf(request.traceparent),
        method: request.method,
        route,
        status: reply.statusCode,
        duration_ms: Math.round(durationMs * 1000) / 1000,
        error_code: request.failure?.code,
        organization_id: principal?.organizationId,
        key_id: principal?.keyId,
        environment: principal?.environment,
        remote_address: request.ip,
        replayed: reply.getHeader("Idempotent-Replayed") === "true" || undefined,
      },
      "request.finished",
    );
    request.span?.end(reply.statusCode >= 500 ? request.failure : undefined);
    done();
  });
}
