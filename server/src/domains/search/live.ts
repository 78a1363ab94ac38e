import type { RecordAnswer } from "../../platform/http/idempotency.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import type { Database, Queryable, Transaction } from "../../platform/postgres/database.ts";
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

type Reserved = { reference: string; reserved: Balance };
/** What pays for a page: a reservation, or nothing yet. */
type Payment = Reserved | { reference: string; reserved: undefined };

/**
 * A page costs one unit. It is reserved before a source is asked, so that nobody gets more pages
 * than the allowance holds by asking for many at once, becomes final in the transaction that makes
 * the answer durable, and is given back whenever there is none. Should this process die in between,
 * the reservation's lease ends and the sweep gives it back.
 *
 * Our own data needs no reservation: a page that turns out not to be paid for is not handed out.
 */
export function createLiveSearch({ db, log, billing, businesses, enrichment }: LiveSearchDeps) {
  async function answer(question: LiveQuestion): Promise<{ data: SearchData; balance: Balance }> {
    const { organizationId, source, params, caller } = question;
    refuseEarly(source);
    const reference = `search/${newUuid()}`;
    const isReserved = !source.isLocal || params.extra;
    const reserved = isReserved ? await billing.reserve(db, organizationId, 1, reference) : undefined;
    const signal = untilGone(caller);
    try {
      const listings = await collect(source, params, signal);
      return await finish(question, { reference, reserved }, listings);
    } catch (error) {
      await giveBack(organizationId, reference);
      // Nobody reads the answer to a caller who left; it only must not look like a fault of ours.
      throw signal.aborted ? SourceTimeout(undefined, { cause: error }) : sourceError(error);
    }
  }

  async function finish(
    { organizationId, source, params, caller, record }: LiveQuestion,
    payment: Payment,
    listings: readonly Place[],
  ) {
    const hasNothingToRecord = caller.idempotencyKey === undefined;
    const recalled = hasNothingToRecord && !payment.reserved ? businesses.recall(listings) : undefined;
    let paid: Balance | undefined;
    if (recalled) {
      // The usual page of our own data: it is paid for while we see that nobody knows better.
      const [balance, isCurrent] = await both(
        billing.chargeAlone(organizationId, payment.reference),
        businesses.areCurrent(recalled),
      );
      if (isCurrent) return { data: pageOf(params, recalled), balance };
      paid = balance;
    }
    const pay = async (tx?: Transaction): Promise<Balance> => {
      if (paid) return paid;
      if (payment.reserved) return settle(tx ?? db, organizationId, payment);
      if (tx) return billing.charge(tx, organizationId, 1, payment.reference);
      return billing.chargeAlone(organizationId, payment.reference);
    };
    const known = await businesses.recognize(source.name, listings);
    if (known && hasNothingToRecord) return { data: pageOf(params, known), balance: await pay() };
    return db.transaction(async (tx) => {
      const data = pageOf(params, known ?? (await businesses.identify(tx, source.name, listings)));
      const balance = await pay(tx);
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

  async function giveBack(organizationId: string, reference: string) {
    try {
      await billing.release(db, organizationId, 1, reference);
    } catch (error) {
      // A reservation's lease does it later; the caller's answer is the failure that came first.
      log.warn(
        { organization_id: organizationId, reference, error: (error as Error).message },
        "search.release_failed",
      );
    }
  }

  return { answer };
}

/** As Promise.all, but nothing goes on behind a failure: a payment that is given back has been made. */
async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
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
