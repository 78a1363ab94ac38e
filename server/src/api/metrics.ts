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

  // Looked up by name: finding a series by its labels costs more than counting in it. There are no
  // more of them than routes and statuses.
  const seriesByName = new Map<string, { observe(seconds: number): void }>();

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observeRequest(method: string, route: string, status: number, seconds: number) {
      const name = `${method} ${route} ${status}`;
      let series = seriesByName.get(name);
      if (!series) seriesByName.set(name, (series = requests.labels({ method, route, status })));
      series.observe(seconds);
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
