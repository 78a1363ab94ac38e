import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecordOutcome } from "../../platform/idempotency.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { type Database, isOutage, type Queryable } from "../../platform/postgres/database.ts";
import type { Place } from "../../places/place.ts";
import { listingsMax, type Source, type SourcePage } from "../../sources/source.ts";
import type { Balance, Billing } from "../billing/index.ts";
import type { Business, Businesses } from "../businesses/index.ts";
import { enrichListings, type WebsiteReader } from "../enrichment/index.ts";
import { SourceTimeout, sourceError } from "./errors.ts";
import type { SearchData, SearchParams } from "./schema.ts";

export type LiveSearchDeps = {
  db: Database;
  log: Log;
  billing: Billing;
  businesses: Businesses;
  /** Absent where websites are not read: `extra` then brings only what the source itself has. */
  enrichment?: WebsiteReader | undefined;
};

export type SearchContext = {
  idempotencyKey: string | undefined;
  /** Aborts when the caller has gone away. A function, because test searches do not need it. */
  whenGone(): AbortSignal;
};

type LiveSearch = {
  organizationId: string;
  /** The key or person that uses the unit. */
  actor: string;
  source: Source;
  params: SearchParams;
  context: SearchContext;
  record: RecordOutcome<"found", SearchData>;
};

const releasePausesMs = [1_000, 5_000, 20_000, 60_000];

/** What pays for a page: a reservation, or nothing yet. The signal aborts when nobody waits for the page any more. */
type Payment<Paid = Balance | undefined> = { reference: string; reserved: Paid; signal: AbortSignal };

/** The unit of a page that nobody got. `isLate`: its charge may still arrive, since the database was away. */
type Refund = { organizationId: string; reference: string; hasKey: boolean; isLate: boolean };

/** With how the source read the question, where it says so. */
type PaidPage = { data: SearchData; balance: Balance; reading?: string };
type Collected = Pick<SourcePage, "listings" | "reading">;

/**
 * A page costs one unit. The unit is reserved before the source is called, so that concurrent
 * searches cannot exceed the allowance; it is settled in the transaction that makes the page durable
 * and released when there is no page. Should this process die in between, the reservation's lease
 * ends and a sweep releases it.
 *
 * A page of our own data needs no reservation: it is there at once, and is not returned when its
 * charge fails.
 */
export function createLiveSearch({ db, log, billing, businesses, enrichment }: LiveSearchDeps) {
  async function find(search: LiveSearch): Promise<PaidPage> {
    const { organizationId, actor, source, params, context } = search;
    refuseEarly(source);
    const signal = untilGone(context);
    const reference = `search/${newUuid()}`;
    const isOwn = source.isLocal && !params.extra;
    if (isOwn) await billing.requireUnits(organizationId);
    const reserved = isOwn ? undefined : await billing.reserve(db, organizationId, 1, reference, actor);
    try {
      signal.throwIfAborted();
      if (isOwn && context.idempotencyKey === undefined) return await findAndCharge(search, reference, signal);
      const collected = await collect(source, params, signal);
      const paid = await finish(search, { reference, reserved, signal }, collected.listings);
      return withReading(paid, collected);
    } catch (error) {
      const hasKey = context.idempotencyKey !== undefined;
      // With a key, a page of our own data is paid for in the transaction that stores it, or not at all.
      const released =
        isOwn && hasKey ? undefined : release({ organizationId, reference, hasKey, isLate: isOutage(error) });
      // During an outage the release is retried in the background, and the caller does not wait for it.
      if (!isOutage(error)) await released;
      // Nobody reads the answer to a caller who left; it only must not look like a fault of ours.
      throw signal.aborted ? SourceTimeout(undefined, { cause: error }) : sourceError(error);
    }
  }

  /** The usual page of our own data: the database writes the charge while we search. */
  async function findAndCharge(
    { organizationId, actor, source, params }: LiveSearch,
    reference: string,
    signal: AbortSignal,
  ): Promise<PaidPage> {
    const charged = billing.chargeBatched(organizationId, reference, actor);
    const found = findBusinesses();
    // Wait for both, so that a refund always finds its charge.
    await Promise.allSettled([charged, found]);
    signal.throwIfAborted(); // a refund, since the client left while the page was looked for
    const { collected: page, known: recognized } = await found;
    return withReading({ balance: await charged, data: pageOf(params, recognized) }, page);

    async function findBusinesses() {
      await nextTurn(); // lets the charge be sent first
      const collected = await collect(source, params, signal);
      const listings = await businesses.asRequestedByOwners(collected.listings);
      const known = await businesses.recognize(source.name, listings);
      return {
        collected,
        known: known ?? (await db.transaction((tx) => businesses.identify(tx, source.name, listings))),
      };
    }
  }

  async function finish(
    { organizationId, actor, source, params, context, record }: LiveSearch,
    { reference, reserved, signal }: Payment,
    found: readonly Place[],
  ): Promise<PaidPage> {
    const listings = await businesses.asRequestedByOwners(found);
    const known = await businesses.recognize(source.name, listings);
    if (known && reserved && context.idempotencyKey === undefined) {
      // Nothing is left to write but that it is paid for.
      return {
        data: pageOf(params, known),
        balance: await settle(db, organizationId, { reference, reserved, signal }),
      };
    }
    return db.transaction(async (tx) => {
      const data = pageOf(params, known ?? (await businesses.identify(tx, source.name, listings)));
      const balance = reserved
        ? await settle(tx, organizationId, { reference, reserved, signal })
        : await billing.charge(tx, organizationId, 1, reference, actor);
      await record(tx, { outcome: "found", data });
      return { data, balance };
    });
  }

  async function settle(
    within: Queryable,
    organizationId: string,
    { reference, reserved, signal }: Payment<Balance>,
  ): Promise<Balance> {
    await nextTurn(); // a connection's end that has arrived is seen first
    signal.throwIfAborted();
    if (!(await billing.settle(within, organizationId, reference))) throw SourceTimeout();
    return reserved;
  }

  async function collect(source: Source, params: SearchParams, signal: AbortSignal): Promise<Collected> {
    const page = await source.search(params, signal);
    const listings = page.listings.slice(0, listingsMax);
    if (!params.extra || !enrichment) return { ...page, listings };
    return { ...page, listings: await enrichListings(enrichment, listings, signal) };
  }

  /**
   * Gives the unit of a page back that nobody got. Retried in the background while the database is away, which may be
   * why there is no page, and after that until the unit is found: a charge that was under way may arrive after its release.
   */
  async function release(refund: Refund, pauses = releasePausesMs): Promise<void> {
    const { organizationId, reference, hasKey, isLate } = refund;
    const [pauseMs, ...others] = pauses;
    try {
      // A lost answer does not tell whether the page was settled. With a key it is stored then, and stays paid for.
      const isReleased = await billing.release(db, organizationId, 1, reference, { evenSettled: !hasKey });
      if (isReleased || hasKey || !isLate || pauseMs === undefined) return;
    } catch (error) {
      const fields = { organization_id: organizationId, reference, error: (error as Error).message };
      // The end of its lease releases a reservation that is still open then.
      if (pauseMs === undefined || !isOutage(error)) return log.warn(fields, "search.release_failed");
    }
    setTimeout(() => void release(refund, others), pauseMs).unref();
  }

  return { find };
}

/** While the source's breaker is open, a search fails before it writes to the ledger. */
function refuseEarly(source: Source) {
  try {
    source.refuse?.();
  } catch (error) {
    throw sourceError(error);
  }
}

function withReading(paid: PaidPage, { reading }: Collected): PaidPage {
  return reading === undefined ? paid : { ...paid, reading };
}

function pageOf(params: SearchParams, businesses: Business[]): SearchData {
  return { simulated: false, total: businesses.length, params, businesses };
}

/** A search with an idempotency key runs to its end, since the caller can fetch it later; others stop with the caller. */
function untilGone({ idempotencyKey, whenGone }: SearchContext): AbortSignal {
  return idempotencyKey === undefined ? whenGone() : new AbortController().signal;
}
