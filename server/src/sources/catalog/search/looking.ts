import type { Question } from "../../query/question.ts";
import type { Region } from "./region.ts";

/**
 * How far a place may be from the question: as written, with typos, of the kind but without the other
 * words, or with some words missing.
 */
export type Leniency = "exact" | "typos" | "relaxed" | "partial";

export type Hit = { number: number; score: number };

/** A question and the regions to look for answers in, each wider than the one before. */
export type Lookup = {
  question: Question;
  leniency: Leniency;
  regions: readonly Region[];
  /** How many of the best are kept. */
  limit: number;
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

export type Look = (lookup: Lookup) => Looking;

/** Several readings may find one place; it counts where it is best. */
export function together(lists: readonly Hit[][]): Hit[] {
  const [only, ...others] = lists;
  if (only && others.length === 0) return only;
  const best = new Map<number, Hit>();
  for (const hit of lists.flat()) {
    const known = best.get(hit.number);
    if (!known || hit.score > known.score) best.set(hit.number, hit);
  }
  return [...best.values()].sort((one, other) => other.score - one.score || one.number - other.number);
}
