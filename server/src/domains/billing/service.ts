import { createBatcher } from "../../platform/batcher.ts";
import { type Clock, elapsedMs } from "../../platform/clock.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import {
  type Allowance,
  type Balance,
  monthOf,
  monthsBefore,
  noCeiling,
  reservationLeaseMs,
  resetAfter,
  unitsLeft,
} from "./billing.ts";
import { AllowanceExhausted, AllowanceInvalid } from "./errors.ts";
import { rollUpOldest, sumLedgerDifference } from "./ledger-roll-up.ts";
import {
  deleteReservation,
  findUsage,
  hasCharge,
  insertRelease,
  insertCharge,
  type ActorUsage,
  type DayUsage,
  type LedgerEntry,
  listActorUsage,
  listDayUsage,
  listLapsedReservations,
  listLedger,
  listUsage,
  type MonthUsage,
  updateAllowance,
} from "./store.ts";

/** One unit of one organization; the reference says what it pays for. */
type Single = { organizationId: string; reference: string; actor: string | null };

type BillingDeps = {
  db: Database;
  clock: Clock;
  /** Of an organization that was given none of its own; without it such an organization has no ceiling. */
  defaultAllowance?: number | undefined;
};

const dayMs = 24 * 3_600_000;
const lapsedBatch = 100;
const comparisonMs = 10 * 60_000;
const cachedBalanceMs = 10_000;
const cachedBalancesMax = 10_000;

export function createBilling({ db, clock, defaultAllowance = noCeiling }: BillingDeps) {
  const cachedBalances = new Map<string, { until: number; remaining: number }>();
  const chargeTogether = createBatcher(chargeAll, { batchMax: 32, concurrency: 2 });

  /**
   * Charges units for good. Charging the same reference again charges nothing. It locks the
   * organization's counter until the transaction ends, so call it as one of the last statements.
   */
  async function charge(
    tx: Queryable,
    organizationId: string,
    units: number,
    reference: string,
    actor: string | null = null,
  ): Promise<Balance> {
    return take(tx, organizationId, { kind: "charge", units, reference, actor, leaseUntil: null });
  }

  /**
   * Charges one unit outside of any transaction, for a reference that is new. Charges that arrive
   * while others are being written share the next statement.
   */
  async function chargeBatched(
    organizationId: string,
    reference: string,
    actor: string | null = null,
  ): Promise<Balance> {
    const outcome = await chargeTogether({ organizationId, reference, actor });
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  async function chargeAll(several: readonly Single[]): Promise<PromiseSettledResult<Balance>[]> {
    const outcomes = new Map<Single, PromiseSettledResult<Balance>>();
    const groups = [...Map.groupBy(several, ({ organizationId }) => organizationId)];
    await Promise.all(
      groups.map(async ([organizationId, group]) => {
        const charged = await chargeGroup(organizationId, group);
        for (const [index, single] of group.entries()) outcomes.set(single, charged[index] as (typeof charged)[number]);
      }),
    );
    return several.flatMap((single) => outcomes.get(single) ?? []);
  }

  /** Charges the whole group at once or, when the allowance does not cover all of it, one by one. */
  async function chargeGroup(
    organizationId: string,
    group: readonly Single[],
  ): Promise<PromiseSettledResult<Balance>[]> {
    const references = group.map(({ reference }) => reference);
    const entry = { kind: "charge", units: 1, leaseUntil: null, ...thisMonth(), defaultAllowance } as const;
    const actors = group.map(({ actor }) => actor);
    const taken = await insertCharge(db, organizationId, { ...entry, references, actors, areNew: true });
    if (taken) {
      remember(organizationId, unitsLeft(taken.allowance, taken.used));
      return references.map((_, index) => {
        const remaining = unitsLeft(taken.allowance, taken.used - (references.length - 1 - index));
        return { status: "fulfilled", value: { charged: 1, remaining } };
      });
    }
    return Promise.allSettled(group.map(({ reference, actor }) => charge(db, organizationId, 1, reference, actor)));
  }

  /** Reserves units for an answer that is still to come; settle or release them afterwards. */
  async function reserve(
    tx: Queryable,
    organizationId: string,
    units: number,
    reference: string,
    actor: string | null = null,
  ): Promise<Balance> {
    const leaseUntil = new Date(clock.now().getTime() + reservationLeaseMs);
    return take(tx, organizationId, { kind: "reserve", units, reference, actor, leaseUntil });
  }

  /**
   * Makes a reservation final, in the transaction of what it paid for. False when it was given
   * back meanwhile: what it was for must then not be handed out.
   */
  async function settle(tx: Queryable, organizationId: string, reference: string): Promise<boolean> {
    return deleteReservation(tx, organizationId, reference, clock.now());
  }

  /**
   * Gives back a charge or an open reservation, once; false when there is none. `evenSettled` gives back a reservation
   * that was made final too: what it was for must then never have been handed out, nor be.
   */
  async function release(
    tx: Queryable,
    organizationId: string,
    units: number,
    reference: string,
    { evenSettled = false } = {},
  ): Promise<boolean> {
    cachedBalances.delete(organizationId);
    return insertRelease(tx, organizationId, { units, reference, now: clock.now(), evenSettled });
  }

  /** Gives back what processes that died had reserved; resolves to how many reservations that were. */
  async function releaseLapsed(): Promise<number> {
    const lapsed = await listLapsedReservations(db, clock.now(), lapsedBatch);
    for (const { organizationId, reference } of lapsed) {
      await release(db, organizationId, Number.MAX_SAFE_INTEGER, reference);
    }
    return lapsed.length;
  }

  async function balance(organizationId: string): Promise<Allowance> {
    const now = clock.now();
    const { used, allowance, isDefault } = await findUsage(db, organizationId, monthOf(now), defaultAllowance);
    return { allowance, isDefault, used, remaining: unitsLeft(allowance, used), resetsAt: resetAfter(now) };
  }

  /** The balance for a call that is not charged; at most ten seconds stale. */
  async function cachedBalance(organizationId: string): Promise<Balance> {
    const known = cachedBalances.get(organizationId);
    if (known && known.until > elapsedMs(clock)) return { charged: 0, remaining: known.remaining };
    const { remaining } = await balance(organizationId);
    remember(organizationId, remaining);
    return { charged: 0, remaining };
  }

  /** Throws when nothing is left; the counter is read again only when the cached balance says so. */
  async function requireUnits(organizationId: string): Promise<void> {
    if ((await cachedBalance(organizationId)).remaining > 0) return;
    const { allowance, remaining, resetsAt } = await balance(organizationId);
    remember(organizationId, remaining);
    if (remaining < 1) throw AllowanceExhausted({ allowance, remaining, resetsAt });
  }

  /** Grants an organization its own allowance per month; null gives it the default again. */
  async function setAllowance(organizationId: string, units: number | null, within: Queryable = db): Promise<void> {
    if (units !== null && !(Number.isSafeInteger(units) && units >= 0)) throw AllowanceInvalid();
    await updateAllowance(within, organizationId, units);
  }

  /** What these organizations used in the last months, the current one included; newest first. */
  async function usage(organizationIds: readonly string[], months: number): Promise<MonthUsage[]> {
    return listUsage(db, organizationIds, monthOf(monthsBefore(clock.now(), months - 1)));
  }

  /** Units per day and by what they paid for, for so many days up to today; oldest first. */
  async function usageByDay(organizationId: string, days: number): Promise<DayUsage[]> {
    const now = clock.now();
    return listDayUsage(db, organizationId, new Date(now.getTime() - (days - 1) * dayMs), now);
  }

  /** Units by what they paid for and who used them, for so many days up to today. */
  async function usageByActor(organizationId: string, days: number): Promise<ActorUsage[]> {
    const today = clock.now().toISOString().slice(0, 10);
    return listActorUsage(db, organizationId, new Date(Date.parse(today) - (days - 1) * dayMs));
  }

  /** The latest entries of these organizations' ledgers, newest first. */
  async function ledger(organizationIds: readonly string[], limit: number): Promise<LedgerEntry[]> {
    return listLedger(db, organizationIds, limit);
  }

  /**
   * One step of putting one entry in the place of those of a month that ended so many months ago or more, organization
   * by organization; resolves to how many entries it replaced, 0 when all is done.
   */
  async function rollUpLedger(now: Date, months: number, stepEntries?: number): Promise<number> {
    return rollUpOldest(db, monthOf(monthsBefore(now, months)), stepEntries);
  }

  /**
   * By how many units the ledger and the counters differ, over all organizations and months; 0 when both are right.
   * Reading a ledger of many millions of entries takes longer than any request may, so the caller says how long.
   */
  async function ledgerDifference(statementMs = comparisonMs): Promise<number> {
    return sumLedgerDifference(db, statementMs);
  }

  type Wanted = {
    kind: "charge" | "reserve";
    units: number;
    reference: string;
    actor: string | null;
    leaseUntil: Date | null;
  };

  async function take(tx: Queryable, organizationId: string, wanted: Wanted): Promise<Balance> {
    if (!(Number.isSafeInteger(wanted.units) && wanted.units > 0)) throw new Error("units are whole and at least 1");
    const { reference, actor, ...rest } = wanted;
    const { now, month } = thisMonth();
    const entry = { ...rest, references: [reference], actors: [actor], areNew: false, month, now, defaultAllowance };
    const taken = await insertCharge(tx, organizationId, entry);
    if (!taken) return explainRefusedCharge(tx, organizationId, reference, now);

    const remaining = unitsLeft(taken.allowance, taken.used);
    remember(organizationId, remaining);
    return { charged: wanted.units, remaining };
  }

  function thisMonth(): { now: Date; month: string } {
    const now = clock.now();
    return { now, month: monthOf(now) };
  }

  async function explainRefusedCharge(
    tx: Queryable,
    organizationId: string,
    reference: string,
    now: Date,
  ): Promise<Balance> {
    const { used, allowance } = await findUsage(tx, organizationId, monthOf(now), defaultAllowance);
    remember(organizationId, unitsLeft(allowance, used));
    if (!(await hasCharge(tx, organizationId, reference))) {
      throw AllowanceExhausted({ allowance, remaining: unitsLeft(allowance, used), resetsAt: resetAfter(now) });
    }
    return { charged: 0, remaining: unitsLeft(allowance, used) };
  }

  function remember(organizationId: string, remaining: number) {
    cachedBalances.delete(organizationId);
    cachedBalances.set(organizationId, { until: elapsedMs(clock) + cachedBalanceMs, remaining });
    if (cachedBalances.size <= cachedBalancesMax) return;
    const [oldest] = cachedBalances.keys();
    if (oldest !== undefined) cachedBalances.delete(oldest);
  }

  return {
    charge,
    chargeBatched,
    reserve,
    settle,
    release,
    releaseLapsed,
    balance,
    cachedBalance,
    requireUnits,
    setAllowance,
    usage,
    usageByDay,
    usageByActor,
    ledger,
    ledgerDifference,
    rollUpLedger,
  };
}

export type Billing = ReturnType<typeof createBilling>;
