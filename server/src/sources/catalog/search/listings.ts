import type { Place } from "../../place.ts";

/** About how much memory one takes, with what is kept elsewhere for as long as it lives. */
const bytesPerListing = 5_000;

// Two maps and not one with both in its key: making such a key costs more than finding it.
type Shelf = { count: number; byLanguage: Map<string, Map<number, Place>> };

/**
 * The listings of one generation that were made or used lately, by place and language. They are
 * handed out again and again: nobody may change them.
 */
export function createListings({ bytesMax }: { bytesMax: number }) {
  // The old ones take as much as the young.
  const youngMax = Math.max(1, Math.floor(bytesMax / bytesPerListing / 2));
  let young: Shelf = { count: 0, byLanguage: new Map() };
  let old = young;

  function find(number: number, hl: string): Place | undefined {
    const listing = young.byLanguage.get(hl)?.get(number);
    if (listing) return listing;
    const rediscovered = old.byLanguage.get(hl)?.get(number);
    if (rediscovered) keep(number, hl, rediscovered);
    return rediscovered;
  }

  /** Those unused since the young were full the time before are let go, all at once. */
  function keep(number: number, hl: string, listing: Place) {
    let listings = young.byLanguage.get(hl);
    if (!listings) young.byLanguage.set(hl, (listings = new Map()));
    if (!listings.has(number)) young.count += 1;
    listings.set(number, listing);
    if (young.count < youngMax) return;
    old = young;
    young = { count: 0, byLanguage: new Map() };
  }

  return { find, keep, bytes: () => (young.count + (old === young ? 0 : old.count)) * bytesPerListing };
}

export type Listings = ReturnType<typeof createListings>;
