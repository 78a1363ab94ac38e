import type { Database, Transaction } from "../../platform/postgres/database.ts";
import type { Place } from "../../places/place.ts";
import { lockNumbers } from "./identity.ts";
import { type Candidate, compare, keysOf, type Known, matchListings, readKnown } from "./matching.ts";
import { asRequested, type OwnersRequests } from "./owners-requests.ts";
import { readRequests } from "./owners-requests-store.ts";
import { createRecognition } from "./recognition.ts";
import type { Business } from "./schema.ts";
import { lockBusinesses, lockKeys, lockPlaceIds, writeBusinesses } from "./store.ts";

type BusinessesDeps = {
  db: Database;
  /** Maximum staleness across processes. */
  maxStalenessMs?: number;
};

const readsMax = 4;

export function createBusinesses({ db, maxStalenessMs = 1_000 }: BusinessesDeps) {
  const { recognize, expire } = createRecognition({ db, maxStalenessMs });
  let requests: Promise<OwnersRequests> | undefined;
  let readAt = 0;

  function currentRequests(): Promise<OwnersRequests> {
    const now = performance.now();
    if (requests && now - readAt < maxStalenessMs) return requests;
    readAt = now;
    requests = readRequests(db);
    // A read that failed is made again by the next who asks.
    requests.catch(() => (readAt = 0));
    return requests;
  }

  /** The listings as their businesses asked to be shown, without those that asked not to be. */
  async function asRequestedByOwners(listings: readonly Place[]): Promise<readonly Place[]> {
    if (listings.length === 0) return listings;
    const current = await currentRequests();
    if (current.suppressed.size === 0 && current.corrections.size === 0) return listings;
    return listings.flatMap((listing) => asRequested(listing, current) ?? []);
  }

  return {
    asRequestedByOwners,
    recognize,
    identify: (tx: Transaction, source: string, listings: readonly Place[]) => identify(tx, source, listings, expire),
  };
}

export type Businesses = ReturnType<typeof createBusinesses>;

/**
 * Gives each listing the id and revision of the business it shows, creating businesses and raising
 * revisions where something has changed. For those it locks the keys, in an order that all callers
 * share, and reads again before it writes: of two callers that meet a new business at the same time,
 * the second finds it stored.
 */
async function identify(
  tx: Transaction,
  source: string,
  listings: readonly Place[],
  onChange: () => void,
): Promise<Business[]> {
  const { candidates, matches, unmatched } = await matchListings(tx, source, listings);
  const businesses = new Map(matches.map(({ candidate, business }) => [candidate, business]));
  const changed = new Set([
    ...unmatched,
    ...matches.filter(({ hasChanges }) => hasChanges).map(({ candidate }) => candidate),
  ]);
  if (changed.size > 0) {
    const inOrder = candidates.filter((candidate) => changed.has(candidate));
    for (const [candidate, business] of await writeChanges(tx, inOrder, onChange)) businesses.set(candidate, business);
  }
  return candidates.map((candidate) => {
    const business = businesses.get(candidate);
    if (!business) throw new Error("a listing was neither matched nor written");
    return business;
  });
}

async function writeChanges(
  tx: Transaction,
  candidates: readonly Candidate[],
  onChange: () => void,
): Promise<Map<Candidate, Business>> {
  await lockPlaceIds(tx);
  await lockKeys(tx, lockNumbers(keysOf(candidates)));
  const { matches, changes } = compare(candidates, await readLocked(tx, candidates));
  if (changes.created.length > 0 || changes.changed.length > 0 || changes.keys.size > 0 || changes.merges.size > 0) {
    await writeBusinesses(tx, changes);
    if (changes.changed.length > 0 || changes.merges.size > 0) onChange();
  }
  return new Map(matches.map(({ candidate, business }) => [candidate, business]));
}

/** Locks what is found, and finds it again: while we waited for its lock, it may have been merged into another. */
async function readLocked(tx: Transaction, candidates: readonly Candidate[]): Promise<Known> {
  let locked = new Set<string>();
  for (let read = 1; read <= readsMax; read += 1) {
    const known = await readKnown(tx, candidates, () => true);
    const ids = [...known.keys, ...known.added.values()].map(({ id }) => id);
    if (ids.every((id) => locked.has(id))) return known;
    locked = new Set(ids);
    await lockBusinesses(tx, [...locked]);
  }
  throw new Error("businesses were merged faster than they could be read");
}
