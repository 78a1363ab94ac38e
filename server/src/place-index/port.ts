import type { Box, Point } from "../geography/points.ts";
import type { Contains } from "../geography/shape.ts";

/** One thing that a place can be found by, as the index keeps it. Word: one normalized word of its names. */
export type Term = { type: "word" | "kind"; text: string };

/** A place meets a clause by any of its terms. One that need not be met ranks the places that meet it first. */
export type Clause = {
  any: readonly Term[];
  must: boolean;
  /** How many edits a word may be away from the term. */
  typos: 0 | 1 | 2;
  /** Whether the term may be the beginning of a word. */
  prefix: boolean;
};

/** Where a place must lie: in one of the boxes and, where there is one, in the outline. */
export type Window = { boxes: readonly Box[]; contains: Contains | null };

/** Among places that meet the clauses equally well, the nearer first; at `scaleM` nearness is worth half. */
export type ByNearness = { by: "nearness"; center: Point; scaleM: number };
/** Among places that meet the clauses equally well, the one that more is known of first. */
export type ByQuality = { by: "quality" };

export type Search = {
  all: readonly Clause[];
  window: Window;
  order: ByNearness | ByQuality;
  limit: number;
  /** What was not looked at by this moment, by performance.now(), is left out. */
  until: number;
  signal: AbortSignal;
};

/** A place by its number; a higher score comes first. */
export type Hit = { place: number; score: number };

/** The best places, best first; incomplete when something that could answer was left out. */
export type Found = { hits: readonly Hit[]; isComplete: boolean };

/** What finds places, in one generation of the catalog. */
export type PlaceIndex = {
  search(search: Search): Promise<Found>;
};
