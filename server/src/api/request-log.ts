import type { HttpServer } from "../platform/http/server.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "./metrics.ts";

/** One line per request, written at its end, with what an operator will ask; never a key or a query. */
export function observeRequests(app: HttpServer, log: Log, metrics: Metrics) {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const durationMs = reply.elapsedTime;
    metrics.observeRequest(request.method, route, reply.statusCode, durationMs / 1000);
    // The decoration is empty on public routes and on requests that were refused before the key was read.
    const principal = request.principal as typeof request.principal | undefined;
    log.info(
      {
        request_id: request.id,
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
    done();
  });
}
