import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecordAnswer } from "../../platform/http/idempotency.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { type Database, isOutage, type Queryable } from "../../platform/postgres/database.ts";
import type { Place } from "../../sources/place.ts";
import { listingsMax, type Source } from "../../sources/source.ts";
import type { Balance, Billing } from "../billing/index.ts";
import type { Business, Businesses } from "../businesses/index.ts";
import { SourceTimeout, sourceError } from "./errors.ts";
import { type Enrichment, enrichListings } from "./extras.ts";
import type { SearchData } from "./schema.ts";

export type LiveSearchDeps = {
  db: Database;
  log: Log;
  billing: Billing;
  businesses: Businesses;
  /** Absent where nobody looks at websites: extra then brings what the source itself has. */
  enrichment?: Enrichment | undefined;
};

export type Caller = {
  idempotencyKey: string | undefined;
  /** Aborts when the caller has gone away. A function, because test searches do not need it. */
  whenGone(): AbortSignal;
};

type LiveQuestion = {
  organizationId: string;
  source: Source;
  params: SearchData["params"];
  caller: Caller;
  record: RecordAnswer<SearchData>;
};

const releasePausesMs = [1_000, 5_000, 20_000, 60_000];

type Reserved = { reference: string; reserved: Balance };
/** What pays for a page: a reservation, or nothing yet. */
type Payment = Reserved | { reference: string; reserved: undefined };

type Answered = { data: SearchData; balance: Balance };

/**
 * A page costs one unit. It is reserved before a source is asked, so that nobody gets more pages
 * than the allowance holds by asking for many at once, becomes final in the transaction that makes
 * the answer durable, and is given back whenever there is none. Should this process die in between,
 * the reservation's lease ends and the sweep gives it back.
 *
 * Our own data needs no reservation: it is there at once, and a page that turns out not to be paid
 * for is not handed out.
 */
export function createLiveSearch({ db, log, billing, businesses, enrichment }: LiveSearchDeps) {
  async function answer(question: LiveQuestion): Promise<Answered> {
    const { organizationId, source, params, caller } = question;
    refuseEarly(source);
    const reference = `search/${newUuid()}`;
    const isOwn = source.isLocal && !params.extra;
    const reserved = isOwn ? undefined : await billing.reserve(db, organizationId, 1, reference);
    const signal = untilGone(caller);
    try {
      if (isOwn && caller.idempotencyKey === undefined) return await findAndCharge(question, reference, signal);
      const listings = await collect(source, params, signal);
      return await finish(question, { reference, reserved }, listings);
    } catch (error) {
      await giveBack(organizationId, reference);
      // Nobody reads the answer to a caller who left; it only must not look like a fault of ours.
      throw signal.aborted ? SourceTimeout(undefined, { cause: error }) : sourceError(error);
    }
  }

  /** The usual page of our own data: the database enters the charge while we look for the page. */
  async function findAndCharge(
    { organizationId, source, params }: LiveQuestion,
    reference: string,
    signal: AbortSignal,
  ): Promise<Answered> {
    const charged = billing.chargeAlone(organizationId, reference);
    const found = find();
    // Both have ended before a failure of one is told: what is given back then is there to be given back.
    await Promise.allSettled([charged, found]);
    return { balance: await charged, data: pageOf(params, await found) };

    async function find(): Promise<Business[]> {
      await nextTurn(); // the charge is on its way then
      const listings = await collect(source, params, signal);
      const known = await businesses.recognize(source.name, listings);
      return known ?? db.transaction((tx) => businesses.identify(tx, source.name, listings));
    }
  }

  async function finish(
    { organizationId, source, params, caller, record }: LiveQuestion,
    payment: Payment,
    listings: readonly Place[],
  ): Promise<Answered> {
    const known = await businesses.recognize(source.name, listings);
    if (known && payment.reserved && caller.idempotencyKey === undefined) {
      // Nothing is left to write but that it is paid for.
      return { data: pageOf(params, known), balance: await settle(db, organizationId, payment) };
    }
    return db.transaction(async (tx) => {
      const data = pageOf(params, known ?? (await businesses.identify(tx, source.name, listings)));
      const balance = payment.reserved
        ? await settle(tx, organizationId, payment)
        : await billing.charge(tx, organizationId, 1, payment.reference);
      await record(tx, { status: 200, data });
      return { data, balance };
    });
  }

  async function settle(within: Queryable, organizationId: string, { reference, reserved }: Reserved) {
    if (!(await billing.settle(within, organizationId, reference))) throw SourceTimeout();
    return reserved;
  }

  async function collect(source: Source, params: SearchData["params"], signal: AbortSignal): Promise<readonly Place[]> {
    const page = await source.search(params, signal);
    const listings = page.listings.slice(0, listingsMax);
    if (!params.extra || !enrichment) return listings;
    return enrichListings(enrichment, listings, signal);
  }

  /** Tried again behind the caller's back while the database is away, which may be why there is no page. */
  async function giveBack(organizationId: string, reference: string, pauses = releasePausesMs): Promise<void> {
    try {
      await billing.release(db, organizationId, 1, reference);
    } catch (error) {
      const [pauseMs, ...others] = pauses;
      const fields = { organization_id: organizationId, reference, error: (error as Error).message };
      // What is left then of a reservation, its lease gives back.
      if (pauseMs === undefined || !isOutage(error)) return log.warn(fields, "search.release_failed");
      setTimeout(() => void giveBack(organizationId, reference, others), pauseMs).unref();
    }
  }

  return { answer };
}

/** While a source is left alone, a call that is bound to fail leaves nothing in the ledger. */
function refuseEarly(source: Source) {
  try {
    source.refuse?.();
  } catch (error) {
    throw sourceError(error);
  }
}

function pageOf(params: SearchData["params"], businesses: Business[]): SearchData {
  return { total: businesses.length, params, businesses, simulated: false };
}

/** A caller who can ask again with the same key is worked for to the end; another who left is not. */
function untilGone({ idempotencyKey, whenGone }: Caller): AbortSignal {
  return idempotencyKey === undefined ? whenGone() : new AbortController().signal;
}
