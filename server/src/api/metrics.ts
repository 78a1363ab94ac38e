import { createMeters, type ProcessMeters } from "../platform/meters.ts";

const sharedMs = 250;

/** What the HTTP edge measures, and the text of everything that the process does. */
export function createMetrics(meters: ProcessMeters = createMeters()) {
  const requests = meters.histogram(
    "waypost_http_request_duration_seconds",
    "Time from the first byte of a request to the last of its answer.",
    ["method", "route", "status"],
    [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30],
  );
  let latest: { madeAt: number; text: Promise<string> } | undefined;

  return {
    contentType: meters.contentType,
    /** One text for all who ask within a moment: making it costs milliseconds, and anybody may ask. */
    text(): Promise<string> {
      const now = performance.now();
      if (!latest || now - latest.madeAt > sharedMs) latest = { madeAt: now, text: meters.text() };
      return latest.text;
    },
    observeRequest(method: string, route: string, status: number, seconds: number) {
      requests({ method, route, status: String(status) }, seconds);
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
