import type { CounterFactory } from "../../platform/meters.ts";

/** Where a field was found: the index of its path, or not at all. */
export type FieldPlace = number | "missing" | "unreadable";

/**
 * Counts per field how often a record did not hold it where it is expected. A rate that jumps says
 * that a position has moved, before anybody misses the field.
 */
export type Drift = { count(field: string, place: FieldPlace): void };

export function createDrift(counter: CounterFactory): Drift & { records: ReturnType<CounterFactory> } {
  const fields = counter(
    "waypost_webmap_field_drift_total",
    "Records of the web map in which a field was missing, unreadable, or at a fall-back position.",
    ["field", "outcome"],
  );
  const records = counter("waypost_webmap_records_total", "Business records read from the web map.", []);
  return {
    records,
    count(field, place) {
      if (place === 0) return;
      fields({ field, outcome: typeof place === "number" ? "fallback" : place });
    },
  };
}
