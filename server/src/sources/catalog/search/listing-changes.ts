import type { Place } from "../../../places/place.ts";

/** When each data set was imported. */
type ImportTimes = ReadonlyMap<number, Date>;

/**
 * How a listing of one generation is in a later one: the same but for the time of its import, which tells its data set;
 * undefined for a place that changed.
 */
export function listingAsOf(changed: ReadonlySet<number>, before: ImportTimes, now: ImportTimes) {
  const times = new Map<string, string | undefined>();
  for (const [id, at] of before) {
    const text = at.toISOString();
    // Two data sets of the same moment cannot be told apart.
    times.set(text, times.has(text) ? undefined : now.get(id)?.toISOString());
  }

  return function asNow(number: number, listing: Place): Place | undefined {
    const observedAt = changed.has(number) ? undefined : times.get(listing.observedAt);
    if (observedAt === undefined) return undefined;
    return observedAt === listing.observedAt ? listing : { ...listing, observedAt };
  };
}

/** The generation that one follows, and the places that are not the same in both. */
export type Following = { generation: number; changed: ReadonlySet<number> };

/** Whether places of a generation are known to be the same in the one that follows it. */
export function isCommon(follows: Following | undefined, generation: number, numbers: readonly number[]): boolean {
  return follows?.generation === generation && numbers.every((number) => !follows.changed.has(number));
}
