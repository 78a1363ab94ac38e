import type { Place } from "../../../places/place.ts";

/** About how much memory one takes, with what is kept elsewhere for as long as it lives. */
const bytesPerListing = 5_000;

const wantedSlots = 65_536;

// Two maps and not one with both in its key: making such a key costs more than finding it.
type Shelf = { count: number; byLanguage: Map<string, Map<number, Place>> };

/**
 * The listings of one generation that were made or used lately, by place and language. They are
 * handed out again and again: nobody may change them. How much they may take can change meanwhile.
 */
export function createListings({ bytesMax }: { bytesMax: () => number }) {
  let young = emptyShelf();
  let old = emptyShelf();
  let oldestFirst = emptying(old);
  let inherited: Inherited | undefined;
  /** Places whose listings were made lately, each in the slot of its number's lower bits. */
  const wanted = new Int32Array(wantedSlots);

  function find(number: number, hl: string): Place | undefined {
    const listing = young.byLanguage.get(hl)?.get(number);
    if (listing) return listing;
    const rediscovered = old.byLanguage.get(hl)?.get(number) ?? fromBefore(number, hl);
    if (rediscovered) keep(number, hl, rediscovered);
    return rediscovered;
  }

  /** Of the generation before, as it is in this one. */
  function fromBefore(number: number, hl: string): Place | undefined {
    const listing = inherited?.listings.peek(number, hl);
    return listing && inherited?.asNow(number, listing);
  }

  /** Also finds what another generation keeps; `asNow` says how one of its listings is in this one, if that is known. */
  function inherit(before: Inherited["listings"], asNow: Inherited["asNow"]) {
    before.disinherit();
    inherited = { listings: before, asNow };
    trim();
  }

  function peek(number: number, hl: string): Place | undefined {
    return young.byLanguage.get(hl)?.get(number) ?? old.byLanguage.get(hl)?.get(number);
  }

  /** Keeps one that is made easily only if it was wanted before: most are wanted once and never again. */
  function keepIfAgain(number: number, hl: string, listing: Place) {
    const slot = number & (wanted.length - 1);
    if (wanted[slot] === number) keep(number, hl, listing);
    else wanted[slot] = number;
  }

  function keep(number: number, hl: string, listing: Place) {
    if (old.byLanguage.get(hl)?.delete(number)) old.count -= 1;
    let listings = young.byLanguage.get(hl);
    if (!listings) young.byLanguage.set(hl, (listings = new Map()));
    if (!listings.has(number)) young.count += 1;
    listings.set(number, listing);
    trim();
  }

  function bytes(): number {
    return (young.count + old.count) * bytesPerListing + (inherited?.listings.bytes() ?? 0);
  }

  /** Lets go of what no longer fits, one by one. */
  function trim() {
    while (bytes() > bytesMax() && bytes() > 0) drop();
  }

  /**
   * Lets go of one: of those of the generation before, then of those unused since all were called old the last time, the
   * oldest first. The young are called old when there are no others left.
   */
  function drop() {
    if (inherited) {
      inherited.listings.drop();
      if (inherited.listings.bytes() === 0) inherited = undefined;
      return;
    }
    if (!oldestFirst.next().done) return;
    old = young;
    young = emptyShelf();
    oldestFirst = emptying(old);
  }

  return { find, keep, keepIfAgain, trim, bytes, inherit, peek, drop, disinherit: () => (inherited = undefined) };
}

type Inherited = {
  listings: { peek(number: number, hl: string): Place | undefined; drop(): void; bytes(): number; disinherit(): void };
  asNow(number: number, listing: Place): Place | undefined;
};

export type Listings = ReturnType<typeof createListings>;

function emptyShelf(): Shelf {
  return { count: 0, byLanguage: new Map() };
}

/** Takes one listing from the shelf at each step. */
function* emptying(shelf: Shelf): Generator<void, void> {
  for (const listings of shelf.byLanguage.values()) {
    for (const number of listings.keys()) {
      listings.delete(number);
      shelf.count -= 1;
      yield;
    }
  }
}
