import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "waypost_" });
  const requests = new Histogram({
    name: "waypost_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last of its answer.",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30],
    registers: [registry],
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observeRequest(method: string, route: string, status: number, seconds: number) {
      requests.observe({ method, route, status }, seconds);
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
