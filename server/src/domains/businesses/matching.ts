import { schemaVersion } from "../../platform/contract.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { type CatalogBusiness, catalogBusiness, type Place } from "../../places/place.ts";
import { identityKeys } from "./identity.ts";
import { needsContent, nothingOf, observe, observePlace, type StoredBusiness } from "./observation.ts";
import type { Business } from "./schema.ts";
import { type Changes, listAdded, listByKeys, type StoredKey } from "./store.ts";

/** A listing and the keys that may lead to its business; `place` where the catalog itself says which it is. */
export type Candidate = { listing: Place; keys: string[]; place: CatalogBusiness | undefined };

/** The business that a candidate shows, and whether something about it has to be stored. */
type Match = { candidate: Candidate; business: Business; hasChanges: boolean };

/** What is known of some candidates. */
export type Known = {
  keys: readonly StoredKey[];
  /** Of places of the catalog, by the id that each has. */
  added: ReadonlyMap<string, StoredBusiness>;
};

/** Candidates without a stored key are new and need no comparison, which is the expensive part. */
export async function matchListings(within: Queryable, source: string, listings: readonly Place[]) {
  const candidates = listings.map((listing): Candidate => {
    return { listing, keys: identityKeys(source, listing), place: listing[catalogBusiness] };
  });
  const known = await readKnown(within, candidates, ({ listing }) => needsContent(listing));
  const keys = new Set(known.keys.map(({ key }) => key));
  const { matched = [], unmatched = [] } = Object.groupBy(candidates, (candidate) =>
    candidate.place || candidate.keys.some((key) => keys.has(key)) ? "matched" : "unmatched",
  );
  return { candidates, matches: compare(matched, known).matches, unmatched };
}

/** What is stored of the candidates, with the content of some. */
export async function readKnown(
  within: Queryable,
  candidates: readonly Candidate[],
  isWithContent: (candidate: Candidate) => boolean,
): Promise<Known> {
  const withContent = candidates.filter(isWithContent);
  const [others, ids] = [candidates.filter(({ place }) => !place), idsOf(candidates)];
  const stored = others.length === 0 ? [] : await listByKeys(within, keysOf(others), keysOf(withContent));
  const added = await listAdded(within, ids, idsOf(withContent));
  return { keys: stored, added: new Map(added.map(({ of, ...business }) => [of, business])) };
}

export function keysOf(candidates: readonly Candidate[]): string[] {
  return candidates.flatMap(({ keys }) => keys);
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.flatMap(({ place }) => place?.id ?? []);
}

/** Which business each candidate shows, and what has to be stored for it. Pure. */
export function compare(candidates: readonly Candidate[], known: Known): { matches: Match[]; changes: Changes } {
  const idByKey = new Map(known.keys.map(({ key, id }) => [key, id]));
  const businessById = new Map<string, StoredBusiness>(known.keys.map((each) => [each.id, each]));
  const places = new Set(known.keys.filter(({ isPlace }) => isPlace).map(({ id }) => id));
  const touched = new Map<string, StoredBusiness>();
  const keys = new Map<string, string>();
  const merges = new Map<string, string>();

  function matchPlace(candidate: Candidate, { id, revision }: CatalogBusiness): Match {
    const stored = known.added.get(id) ?? nothingOf(id, revision);
    // The listing and its revision are of one generation, which may not be the last any more.
    const placeRevision = stored.id === id ? revision : stored.placeRevision;
    const before = touched.get(stored.id) ?? { ...stored, placeRevision };
    if (!needsContent(candidate.listing)) {
      return { candidate, business: toBusiness(before, candidate.listing), hasChanges: false };
    }
    const seen = observePlace(candidate.listing, before);
    if (seen.hasChanges) touched.set(before.id, seen.business);
    return { candidate, business: toBusiness(seen.business, seen.place), hasChanges: seen.hasChanges };
  }

  const matches = candidates.map((candidate): Match => {
    if (candidate.place) return matchPlace(candidate, candidate.place);
    const [oldest, ...younger] = idsToMerge(
      [...new Set(candidate.keys.flatMap((key) => idByKey.get(key) ?? []))],
      places,
    );
    const stored = oldest === undefined ? undefined : businessById.get(oldest);
    const merged = younger.flatMap((each) => businessById.get(each) ?? []);
    const place = [oldest, ...younger].find((each) => each !== undefined && places.has(each));
    const { placeRevision = 0 } = (place === undefined ? stored : businessById.get(place)) ?? {};
    const seen = observe(candidate.listing, stored && { ...stored, placeRevision });
    const business = stored && merged.length > 0 ? risenAbove(seen.business, [stored, ...merged]) : seen.business;
    const { id } = business;
    const missing = candidate.keys.filter((key) => !idByKey.has(key));
    const isSeenChanged = seen.hasChanges || merged.length > 0;
    const hasChanges = isSeenChanged || missing.length > 0 || touched.has(id);

    if (isSeenChanged) {
      businessById.set(id, business);
      touched.set(id, business);
    }
    for (const key of missing) keys.set(key, id);
    for (const key of candidate.keys) if (!isOfAnotherPlace(idByKey.get(key), id)) idByKey.set(key, id);
    for (const other of younger) {
      merges.set(other, id);
      if (places.has(other)) places.add(id);
      for (const [key, owner] of idByKey) if (owner === other) idByKey.set(key, id);
    }
    return { candidate, business: toBusiness(business, seen.place), hasChanges };
  });

  function isOfAnotherPlace(id: string | undefined, own: string): boolean {
    return id !== undefined && id !== own && places.has(id) && places.has(own);
  }

  const [created = [], changed = []] = [false, true].map((isStored) =>
    [...touched.values()].filter((business) => business.isStored === isStored),
  );
  return { matches, changes: { created, changed, keys, merges } };
}

/**
 * Minted ids begin with the time they were created at, and those that the catalog derives come after all of them: the
 * first in order is the oldest. Two places of the catalog are two businesses, whatever a listing is called.
 */
function idsToMerge(ids: readonly string[], places: ReadonlySet<string>): string[] {
  const place = ids.find((id) => places.has(id));
  return ids.filter((id) => id === place || !places.has(id)).sort();
}

/** Nobody who holds one of the ids sees a revision fall. */
function risenAbove(business: StoredBusiness, merged: readonly StoredBusiness[]): StoredBusiness {
  const highest = Math.max(...merged.map(({ revision, placeRevision }) => revision + placeRevision));
  return { ...business, revision: highest + 1 - business.placeRevision };
}

function toBusiness({ id, revision, placeRevision }: StoredBusiness, place: Place): Business {
  return { schemaVersion, businessId: id, revision: revision + placeRevision, place };
}
