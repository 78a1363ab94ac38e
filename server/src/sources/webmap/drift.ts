import type { CounterFactory } from "../../platform/meters.ts";

/** Where a field was found: the index of its path, or not at all. */
export type FieldPlace = number | "missing" | "unreadable";

/**
 * Counts per field how often a record did not hold it where it is expected. A rate that jumps says
 * that a position has moved, before anybody misses the field.
 */
export type Drift = { count(field: string, place: FieldPlace): void };

type DriftMeter = Drift & {
  records: ReturnType<CounterFactory>;
  /** Counts rows that are businesses in a layout that is not known here, as a field `record`. */
  unreadable(count: number): void;
};

export function createDrift(counter: CounterFactory): DriftMeter {
  const fields = counter(
    "waypost_webmap_field_drift_total",
    "Records of the web map in which a field was missing, unreadable, or at a fall-back position.",
    ["field", "outcome"],
  );
  const records = counter("waypost_webmap_records_total", "Business records of the web map, read or unreadable.", []);
  return {
    records,
    count(field, place) {
      if (place === 0) return;
      fields({ field, outcome: typeof place === "number" ? "fallback" : place });
    },
    unreadable(count) {
      if (count === 0) return;
      records({}, count);
      fields({ field: "record", outcome: "unreadable" }, count);
    },
  };
}
