import type { Database, Transaction } from "../../platform/postgres/database.ts";
import type { Place } from "../../places/place.ts";
import { lockNumbers } from "./identity.ts";
import { type Candidate, compare, keysOf, matchListings } from "./matching.ts";
import { createRecognition } from "./recognition.ts";
import type { Business } from "./schema.ts";
import { listByKeysForUpdate, lockKeys, type StoredKey, writeBusinesses } from "./store.ts";

type BusinessesDeps = {
  db: Database;
  /** Maximum staleness across processes. */
  maxStalenessMs?: number;
};

const readsMax = 3;

export function createBusinesses({ db, maxStalenessMs = 1_000 }: BusinessesDeps) {
  const { recognize, expire } = createRecognition({ db, maxStalenessMs });
  return {
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
  const keys = keysOf(candidates);
  await lockKeys(tx, lockNumbers(keys));
  const { matches, changes } = compare(candidates, await readLocked(tx, keys));
  if (changes.created.length > 0 || changes.changed.length > 0 || changes.keys.size > 0 || changes.merges.size > 0) {
    await writeBusinesses(tx, changes);
    if (changes.changed.length > 0 || changes.merges.size > 0) onChange();
  }
  return new Map(matches.map(({ candidate, business }) => [candidate, business]));
}

async function readLocked(tx: Transaction, keys: readonly string[]): Promise<StoredKey[]> {
  for (let read = 1; read <= readsMax; read += 1) {
    const stored = await listByKeysForUpdate(tx, keys);
    // A row was merged into another while we waited for its lock: the next read finds that one.
    if (stored.every(({ mergedInto }) => mergedInto === null)) return stored;
  }
  throw new Error("businesses were merged faster than they could be read");
}
