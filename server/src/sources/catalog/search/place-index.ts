import type { Point } from "../../../geography/points.ts";
import type { Prefetch } from "./block-cache.ts";
import type { Question } from "../../query/question.ts";
import type { Region } from "./region.ts";
import type { Leniency } from "./search-block.ts";
import type { Hit } from "./top.ts";

/** A question and the regions to look for answers in, each wider than the one before. */
export type Lookup = {
  question: Question;
  leniency: Leniency;
  regions: readonly Region[];
  /** How many of the best are kept. */
  limit: number;
  signal: AbortSignal;
  /** What was not looked at by this moment, by performance.now(), is left out. */
  until: number;
};

/** A lookup on its way through its regions. */
export type Looking = {
  /** Looks through the next region; without one it does nothing. */
  searchNext(): Promise<void>;
  hasNext(): boolean;
  /** How many answers were found, at least. */
  count(): number;
  /** The best of them by number and score, best first. */
  list(): Hit[];
  /** False when something that could answer was left out. */
  isComplete(): boolean;
};

/** Cells from the first to the last. */
export type CellRange = { first: number; last: number };

/** What finds places by a question: one generation of the catalog. */
export type PlaceIndex = {
  generation: number;
  look(lookup: Lookup): Looking;
  /** Whether the point lies among places. */
  hasPlacesAt(point: Point): boolean;
  /** What is read together with these cells, without repetition and in their order. */
  rangesAt(cells: readonly number[]): CellRange[];
  /** Reads what searches in these ranges need before they come. */
  prefetch(ranges: readonly CellRange[], limits: Prefetch): Promise<void>;
};
