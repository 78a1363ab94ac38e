import type { Place } from "../../sources/place.ts";
import type { Operation } from "./scrape.ts";

/** What a test-mode query asks to see. */
export type Steer = "empty" | "partial" | "failed" | "slow" | "canceled";

export const slowSeconds = 10;

const steered = /^test:(empty|partial|failed|slow|canceled)(?![a-z])/;

/** A query that begins with `test:` steers the fixture, so that an integrator can try every path. */
export function steerOf(q: string): Steer | undefined {
  const [, steer] = steered.exec(q.trim().toLowerCase()) ?? [];
  return steer as Steer | undefined; // the pattern lists the steers
}

/** What of a fixture the standalone operations answer with: the media they are named after, alone. */
export function narrowed(operation: Operation, place: Place): Place {
  if (operation === "places.reviews") return { ...place, photosState: "not_requested", photos: [] };
  if (operation === "places.photos") return { ...place, reviewsState: "not_requested", reviews: [] };
  return place;
}
