import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Counters } from "../platform/counters.ts";

/** Figures that other parts keep, read when somebody looks. */
type Readings = { clockAheadSeconds(): number; counters?: Counters };

const sharedMs = 250;

export function createMetrics({ clockAheadSeconds, counters }: Readings) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "waypost_" });
  const requests = new Histogram({
    name: "waypost_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last of its answer.",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30],
    registers: [registry],
  });

  const clockAhead = new Gauge({
    name: "waypost_clock_ahead_seconds",
    help: "How far this process's clock is ahead of the database's; beyond 60 in either direction it deletes nothing.",
    registers: [],
    collect() {
      this.set(clockAheadSeconds());
    },
  });
  registry.registerMetric(clockAhead);

  // Looked up by name: finding a series by its labels costs more than counting in it. There are no
  // more of them than routes and statuses.
  const seriesByName = new Map<string, { observe(seconds: number): void }>();

  for (const { name, help, labelNames, series } of counters?.list() ?? []) {
    const counted = new Counter({
      name,
      help,
      labelNames: [...labelNames],
      registers: [],
      collect() {
        this.reset();
        for (const { labels, value } of series.values()) this.inc(labels, value);
      },
    });
    registry.registerMetric(counted);
  }

  let latest: { madeAt: number; text: Promise<string> } | undefined;

  return {
    contentType: registry.contentType,
    /** One text for all who ask within a moment: making it costs milliseconds, and anybody may ask. */
    text(): Promise<string> {
      const now = performance.now();
      if (!latest || now - latest.madeAt > sharedMs) latest = { madeAt: now, text: registry.metrics() };
      return latest.text;
    },
    observeRequest(method: string, route: string, status: number, seconds: number) {
      const name = `${method} ${route} ${status}`;
      let series = seriesByName.get(name);
      if (!series) seriesByName.set(name, (series = requests.labels({ method, route, status })));
      series.observe(seconds);
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
