import type { Place } from "../../place.ts";

/** About 5 kB each, with what is kept elsewhere for as long as a listing lives; up to twice as many are kept. */
const youngMax = 8_192;

/**
 * The listings of one generation that were made or used lately, by place and language. They are
 * handed out again and again: nobody may change them.
 */
export function createListings() {
  let young = new Map<string, Place>();
  let old = new Map<string, Place>();

  function find(number: number, hl: string): Place | undefined {
    const key = keyOf(number, hl);
    const listing = young.get(key);
    if (listing) return listing;
    const rediscovered = old.get(key);
    if (rediscovered) put(key, rediscovered);
    return rediscovered;
  }

  /** Those unused since the young were full the time before are let go, all at once. */
  function put(key: string, listing: Place) {
    young.set(key, listing);
    if (young.size < youngMax) return;
    old = young;
    young = new Map();
  }

  return { find, keep: (number: number, hl: string, listing: Place) => put(keyOf(number, hl), listing) };
}

export type Listings = ReturnType<typeof createListings>;

function keyOf(number: number, hl: string): string {
  return `${number} ${hl}`;
}
