import type { Box, Point } from "../geography/points.ts";
import type { KeyType, ListType } from "./schema.ts";

/**
 * One thing that a place can be found by, normalized. A word is one of its name or of what else it is called; a name is
 * the whole of its name. A kind may also be an attribute or postcode, which begin with @, or a kind of hours:
 * `@open_sunday`, `@open_late`, `@open_early`, `@always_open`. Hours are those of the week by the clock of the place, 0 for
 * Monday's first to 167, with blanks between them; a place meets them that is open at some time in one of them.
 */
export type Term = { type: Exclude<ListType, "begin"> | KeyType | "hours"; text: string };

/** A place meets a clause by any of its terms. */
export type Clause = {
  any: readonly Term[];
  /** Whether a place that does not meet it answers at all. */
  must: boolean;
  /** How many edits a word may be away from the term. */
  typos: 0 | 1 | 2;
  /** Whether the term may be the beginning of a word. */
  prefix: boolean;
  /** What a place gains that meets it, and what it gains besides when it meets it in the best way. */
  worth: number;
  well: number;
};

/** Where a place must lie: in one of the boxes, and in each of the others that there are. */
export type Window = {
  boxes: readonly Box[];
  /** The code of a country. */
  country: string | null;
  circle: { center: Point; radiusM: number } | null;
  /** The ids of areas that all contain it. */
  areas: readonly string[];
};

/** The nearer first; at `scaleM` nearness is worth half. */
export type ByNearness = { by: "nearness"; center: Point; scaleM: number };
/** The one that more is known of first. */
export type ByQuality = { by: "quality" };

export type Search = {
  all: readonly Clause[];
  /** How many of the words that need not be met must be met. */
  least: number;
  /** What a place is worth that answers; null when only a whole name answers. */
  base: number | null;
  /** The same for one that is called by the words and no others; null when that is nothing special. */
  whole: number | null;
  /** What the share of its name that the words are is worth at most. */
  coverage: number;
  window: Window;
  order: ByNearness | ByQuality;
  limit: number;
};

/** A place by its number, and where it lies; a higher score comes first, and of equal ones the lower number. */
export type Hit = { place: number; score: number; latitude: number; longitude: number };

/** When a search ends at the latest. */
export type Limits = {
  /** By the clock that all threads share; what was not looked at by then is left out. */
  until: number;
  signal: AbortSignal;
};

/** The best places, best first; incomplete when something that could answer was left out. */
export type Found = { generation: number; hits: readonly Hit[]; isComplete: boolean };

/** A place as the file has it, for a listing. */
export type FoundPlace = {
  place: number;
  businessId: string;
  revision: number;
  /** Of each record its data set, country, areas and content; the leading one first. */
  records: readonly (readonly [dataSetId: number, countryCode: string, areas: readonly string[], record: unknown])[];
};

/** What a phrase is in the catalog, and how many of its places lie there, are called so or have it. */
export type NameHit = {
  /** As it was asked. */
  phrase: string;
  /** By how many edits the catalog spells it otherwise. */
  edits: 0 | 1 | 2;
  places: number;
} & (
  | (NamedObject & { form: NameForm })
  | { type: "postcode"; country: string }
  | { type: "street" | "brand" | "word" }
  // Where the first of them are.
  | { type: KeyType; at: readonly Spot[] }
);

/** A place by its number, and where it lies. */
export type Spot = { place: number; latitude: number; longitude: number; country: string };

/** How a phrase names an object: as the data says, with abbreviations in full or in Latin letters, or only its first part. */
export const nameForms = ["written", "plain", "short"] as const;
export type NameForm = (typeof nameForms)[number];

/** A town, a boundary or a landmark: what has a place on the map of its own. */
export type NamedObject = {
  type: "area" | "landmark";
  /** The source id, by which a window names it. */
  id: string;
  name: string;
  kind: string;
  country: string | null;
  center: Point;
  box: Box | null;
  population: number | null;
  /** The administrative level, where it is such a unit. */
  level: number | null;
};

/** What finds places. Each answer is of one generation of the catalog, and says which. */
export type PlaceIndex = {
  generation(limits: Limits): Promise<number>;
  /**
   * What each phrase is, in one read; with edits also what is spelled nearly so, of areas and brands, and of landmarks
   * what is one edit away.
   */
  lookup(
    phrases: readonly string[],
    edits: 0 | 1 | 2,
    limits: Limits,
  ): Promise<{ generation: number; names: readonly NameHit[] }>;
  search(search: Search, limits: Limits): Promise<Found>;
  /** The places that meet a search after one, in the order of their numbers; fewer than the limit are the last. */
  walk(search: Search, after: number, limits: Limits): Promise<{ generation: number; hits: readonly Hit[] }>;
  /** How many places lie in the tiles of this size that touch the boxes; of those of another size there is no count. */
  density(
    boxes: readonly Box[],
    shift: number,
    limits: Limits,
  ): Promise<{ generation: number; tiles: readonly TilePlaces[] }>;
  records(places: readonly number[], limits: Limits): Promise<{ generation: number; places: readonly FoundPlace[] }>;
};

/** How many places a tile of `geography/cells.ts` has. */
export type TilePlaces = readonly [tile: number, places: number];

/** Milliseconds since a moment that is the same for all threads of the process. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * What a place can gain by where it lies and by how much is known of it; what it loses that is closed for good, closed for
 * now, or that its publisher is not sure of. One that is closed for good answers no kind at all.
 */
export const weights = { nearness: 60, rank: 10, closed: -140, closedForNow: -40, unsure: -30, doubtful: -60 } as const;
