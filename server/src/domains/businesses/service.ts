import { createBatcher } from "../../platform/batcher.ts";
import { schemaVersion } from "../../platform/http/envelope.ts";
import type { Database, Queryable, Transaction } from "../../platform/postgres/database.ts";
import type { Place } from "../../sources/place.ts";
import { identityKeys, lockNumbers } from "./identity.ts";
import { type Known, needsContent, observe } from "./observation.ts";
import type { Business } from "./schema.ts";
import {
  areAtRevisions,
  type Changes,
  type KnownKey,
  listByKeys,
  listByKeysForUpdate,
  lockKeys,
  writeBusinesses,
} from "./store.ts";

type Sought = { listing: Place; keys: string[] };
type Sighting = { sought: Sought; business: Business; isNews: boolean };

/** What a listing showed, and when that was last found to hold. */
type Shown = { business: Business; heldAt: number };

type BusinessesDeps = {
  db: Database;
  /** How long a page may miss that another process has told otherwise of a business. */
  trustMs?: number;
};

const readingsMax = 3;
/** A change that was written may take so long to be committed, and is not seen before. */
const commitMs = 1_000;

export function createBusinesses({ db, trustMs = 1_000 }: BusinessesDeps) {
  // Some sources hand out the same listings again and again. What one showed before holds for as
  // long as its business has that revision, since nothing that is told of a business changes without
  // a rise.
  const shown = new WeakMap<Place, Shown>();
  /** What was found to hold before is asked again: this process has changed a business since. */
  let trustedFrom = 0;

  const areCurrent = createBatcher(areAllCurrent, { batchMax: 8, concurrency: 2 });

  /** Whether what pages showed before still holds, for each of them. */
  async function areAllCurrent(pages: readonly (readonly Business[])[]): Promise<boolean[]> {
    const businesses = pages.flat();
    const revisions = new Map(businesses.map(({ businessId, revision }) => [businessId, revision]));
    const isOneEach = businesses.every(({ businessId, revision }) => revisions.get(businessId) === revision);
    if (isOneEach && (await areAtRevisions(db, revisions))) return pages.map(() => true);
    if (pages.length === 1) return [false];
    return (await Promise.all(pages.map((page) => areAllCurrent([page])))).flat();
  }

  /**
   * The businesses of a page without news: one read, no lock, no transaction, and for a moment after
   * that not even the read. Undefined when there is something to store, which only `identify` may do.
   */
  async function recognize(source: string, listings: readonly Place[]): Promise<Business[] | undefined> {
    const before = listings.flatMap((listing) => shown.get(listing) ?? []);
    if (before.length === listings.length && (await stillHold(before))) return before.map(({ business }) => business);

    const heldAt = performance.now();
    const { sightings, unknown } = await look(db, source, listings);
    if (unknown.length > 0 || sightings.some(({ isNews }) => isNews)) return undefined;
    for (const { sought, business } of sightings) shown.set(sought.listing, { business, heldAt });
    return sightings.map(({ business }) => business);
  }

  async function stillHold(before: readonly Shown[]): Promise<boolean> {
    const askedAt = performance.now();
    if (before.every(({ heldAt }) => heldAt >= trustedFrom && askedAt - heldAt < trustMs)) return true;
    if (!(await areCurrent(before.map(({ business }) => business)))) return false;
    for (const each of before) each.heldAt = askedAt;
    return true;
  }

  return {
    recognize,
    identify: (tx: Transaction, source: string, listings: readonly Place[]) =>
      identify(tx, source, listings, () => (trustedFrom = performance.now() + commitMs)),
  };
}

export type Businesses = ReturnType<typeof createBusinesses>;

/**
 * Gives each listing the id and revision of the business it shows, minting and raising them where
 * there is news. It then locks the keys of the listings concerned, in an order all callers share,
 * and looks again before it writes: of two callers that meet a new business at once, the second
 * finds it known.
 */
async function identify(
  tx: Transaction,
  source: string,
  listings: readonly Place[],
  onChange: () => void,
): Promise<Business[]> {
  const { sought, sightings, unknown } = await look(tx, source, listings);
  const businesses = new Map(sightings.map((sighting) => [sighting.sought, sighting.business]));
  const news = new Set([...unknown, ...sightings.filter(({ isNews }) => isNews).map((sighting) => sighting.sought)]);
  if (news.size > 0) {
    const inOrder = sought.filter((each) => news.has(each));
    for (const [each, business] of await writeNews(tx, inOrder, onChange)) businesses.set(each, business);
  }
  return sought.map((each) => {
    const business = businesses.get(each);
    if (!business) throw new Error("a listing was neither recognized nor written");
    return business;
  });
}

/** Those listings of which no key is known are news without a comparison, which is the dear part. */
async function look(within: Queryable, source: string, listings: readonly Place[]) {
  const sought: Sought[] = listings.map((listing) => ({ listing, keys: identityKeys(source, listing) }));
  if (sought.length === 0) return { sought, sightings: [], unknown: [] };
  const withheld = sought.filter(({ listing }) => needsContent(listing));
  const known = await listByKeys(within, keysOf(sought), keysOf(withheld));
  const knownKeys = new Set(known.map(({ key }) => key));
  const { recognized = [], unknown = [] } = Object.groupBy(sought, ({ keys }) =>
    keys.some((key) => knownKeys.has(key)) ? "recognized" : "unknown",
  );
  return { sought, sightings: compare(recognized, known).sightings, unknown };
}

async function writeNews(
  tx: Transaction,
  news: readonly Sought[],
  onChange: () => void,
): Promise<Map<Sought, Business>> {
  const keys = keysOf(news);
  await lockKeys(tx, lockNumbers(keys));
  const { sightings, changes } = compare(news, await readLocked(tx, keys));
  if (changes.minted.length > 0 || changes.changed.length > 0 || changes.keys.size > 0 || changes.merges.size > 0) {
    await writeBusinesses(tx, changes);
    if (changes.changed.length > 0 || changes.merges.size > 0) onChange();
  }
  return new Map(sightings.map(({ sought, business }) => [sought, business]));
}

function keysOf(sought: readonly Sought[]): string[] {
  return sought.flatMap(({ keys }) => keys);
}

async function readLocked(tx: Transaction, keys: readonly string[]): Promise<KnownKey[]> {
  for (let reading = 1; reading <= readingsMax; reading += 1) {
    const known = await listByKeysForUpdate(tx, keys);
    // A row that was merged into another while we waited for it: the next reading finds that one.
    if (known.every(({ mergedInto }) => mergedInto === null)) return known;
  }
  throw new Error("businesses were merged faster than they could be read");
}

/** Which business each listing shows, and what has to be stored for it. Pure. */
function compare(sought: readonly Sought[], known: readonly KnownKey[]): { sightings: Sighting[]; changes: Changes } {
  const idByKey = new Map(known.map(({ key, id }) => [key, id]));
  const businessById = new Map<string, Known>(known.map((each) => [each.id, each]));
  const replaced = new Set(known.filter(({ mergedInto }) => mergedInto !== null).map(({ id }) => id));
  const touched = new Map<string, Known>();
  const keys = new Map<string, string>();
  const merges = new Map<string, string>();

  const sightings = sought.map((each): Sighting => {
    const ids = [...new Set(each.keys.flatMap((key) => idByKey.get(key) ?? []))].sort();
    // Ids begin with the time they were minted at: the first in order is the oldest.
    const [oldest, ...younger] = ids;
    const seen = observe(each.listing, oldest === undefined ? undefined : businessById.get(oldest));
    const { id, revision } = seen.business;
    const missing = each.keys.filter((key) => !idByKey.has(key));
    const isNews = seen.isNews || missing.length > 0 || younger.length > 0 || touched.has(id) || replaced.has(id);

    if (seen.isNews) {
      businessById.set(id, seen.business);
      touched.set(id, seen.business);
    }
    for (const key of missing) keys.set(key, id);
    for (const key of each.keys) idByKey.set(key, id);
    for (const other of younger) {
      merges.set(other, id);
      for (const [key, owner] of idByKey) if (owner === other) idByKey.set(key, id);
    }
    return { sought: each, business: { schemaVersion, businessId: id, revision, place: seen.place }, isNews };
  });
  const stored = new Set(known.map(({ id }) => id));
  const [minted = [], changed = []] = [false, true].map((isStored) =>
    [...touched.values()].filter(({ id }) => stored.has(id) === isStored),
  );
  return { sightings, changes: { minted, changed, keys, merges } };
}
