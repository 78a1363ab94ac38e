import { schemaVersion } from "../../platform/contract.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { Place } from "../../places/place.ts";
import { identityKeys } from "./identity.ts";
import { needsContent, observe, type StoredBusiness } from "./observation.ts";
import type { Business } from "./schema.ts";
import { type Changes, listByKeys, type StoredKey } from "./store.ts";

/** A listing and the keys that may lead to its business. */
export type Candidate = { listing: Place; keys: string[] };

/** The business that a candidate shows, and whether something about it has to be stored. */
type Match = { candidate: Candidate; business: Business; hasChanges: boolean };

/** Candidates without a stored key are new and need no comparison, which is the expensive part. */
export async function matchListings(within: Queryable, source: string, listings: readonly Place[]) {
  const candidates: Candidate[] = listings.map((listing) => ({ listing, keys: identityKeys(source, listing) }));
  if (candidates.length === 0) return { candidates, matches: [], unmatched: [] };
  const withheld = candidates.filter(({ listing }) => needsContent(listing));
  const stored = await listByKeys(within, keysOf(candidates), keysOf(withheld));
  const storedKeys = new Set(stored.map(({ key }) => key));
  const { matched = [], unmatched = [] } = Object.groupBy(candidates, ({ keys }) =>
    keys.some((key) => storedKeys.has(key)) ? "matched" : "unmatched",
  );
  return { candidates, matches: compare(matched, stored).matches, unmatched };
}

export function keysOf(candidates: readonly Candidate[]): string[] {
  return candidates.flatMap(({ keys }) => keys);
}

/** Which business each candidate shows, and what has to be stored for it. Pure. */
export function compare(
  candidates: readonly Candidate[],
  stored: readonly StoredKey[],
): { matches: Match[]; changes: Changes } {
  const idByKey = new Map(stored.map(({ key, id }) => [key, id]));
  const businessById = new Map<string, StoredBusiness>(stored.map((each) => [each.id, each]));
  const replaced = new Set(stored.filter(({ mergedInto }) => mergedInto !== null).map(({ id }) => id));
  const touched = new Map<string, StoredBusiness>();
  const keys = new Map<string, string>();
  const merges = new Map<string, string>();

  const matches = candidates.map((candidate): Match => {
    const ids = [...new Set(candidate.keys.flatMap((key) => idByKey.get(key) ?? []))].sort();
    // Ids begin with the time they were created at: the first in order is the oldest.
    const [oldest, ...younger] = ids;
    const seen = observe(candidate.listing, oldest === undefined ? undefined : businessById.get(oldest));
    const { id, revision } = seen.business;
    const missing = candidate.keys.filter((key) => !idByKey.has(key));
    const hasChanges =
      seen.hasChanges || missing.length > 0 || younger.length > 0 || touched.has(id) || replaced.has(id);

    if (seen.hasChanges) {
      businessById.set(id, seen.business);
      touched.set(id, seen.business);
    }
    for (const key of missing) keys.set(key, id);
    for (const key of candidate.keys) idByKey.set(key, id);
    for (const other of younger) {
      merges.set(other, id);
      for (const [key, owner] of idByKey) if (owner === other) idByKey.set(key, id);
    }
    return { candidate, business: { schemaVersion, businessId: id, revision, place: seen.place }, hasChanges };
  });
  const storedIds = new Set(stored.map(({ id }) => id));
  const [created = [], changed = []] = [false, true].map((isStored) =>
    [...touched.values()].filter(({ id }) => storedIds.has(id) === isStored),
  );
  return { matches, changes: { created, changed, keys, merges } };
}
