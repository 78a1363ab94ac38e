import type { Place } from "../../place.ts";

/** About how much memory one takes, with what is kept elsewhere for as long as it lives. */
const bytesPerListing = 5_000;

// Two maps and not one with both in its key: making such a key costs more than finding it.
type Shelf = { count: number; byLanguage: Map<string, Map<number, Place>> };

/**
 * The listings of one generation that were made or used lately, by place and language. They are
 * handed out again and again: nobody may change them. How much they may take can change meanwhile.
 */
export function createListings({ bytesMax }: { bytesMax: () => number }) {
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
    // The old ones take as much as the young.
    if (young.count < Math.floor(bytesMax() / bytesPerListing / 2)) return;
    old = young;
    young = { count: 0, byLanguage: new Map() };
  }

  function bytes(): number {
    return (young.count + (old === young ? 0 : old.count)) * bytesPerListing;
  }

  /** Lets go of what no longer fits, the old ones first. */
  function trim() {
    if (bytes() > bytesMax()) old = young;
    if (bytes() > bytesMax()) old = young = { count: 0, byLanguage: new Map() };
  }

  return { find, keep, trim, bytes };
}

export type Listings = ReturnType<typeof createListings>;
