/** What a query asks of each place, once it has been read. */
export type Question = {
  /** Every word of the query, for places that are called so. */
  words: readonly string[];
  /** Bit by word: those a place must have when it is of one of the categories. */
  restMask: number;
  categories: readonly string[];
  /** The words are nothing but the name of the categories, so the kind of a place says more than its name. */
  isKind: boolean;
  /** Nothing but an area was named: whatever is there answers. */
  isAnything?: boolean;
};

/** How far a place may be from the words: as written, with typos, or with some words missing. */
export type Leniency = "exact" | "typos" | "partial";

export const wordsMax = 12;
