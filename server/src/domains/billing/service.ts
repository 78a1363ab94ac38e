import { createBatcher } from "../../platform/batcher.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import {
  type Allowance,
  type Balance,
  monthOf,
  monthsBefore,
  reservationLeaseMs,
  resetAfter,
  standardAllowance,
} from "./billing.ts";
import { AllowanceExhausted, AllowanceInvalid } from "./errors.ts";
import {
  deleteReservation,
  findUsage,
  hasTaken,
  insertRelease,
  insertTaking,
  type LedgerEntry,
  listLapsedReservations,
  listLedger,
  listUsage,
  type MonthUsage,
  updateAllowance,
} from "./store.ts";

/** One unit of one organization, and what for. */
type Single = { organizationId: string; reference: string };

type BillingDeps = { db: Database; clock: Clock; defaultAllowance?: number };

const lapsedBatch = 100;
const glanceMs = 10_000;
const glancesMax = 10_000;

export function createBilling({ db, clock, defaultAllowance = standardAllowance }: BillingDeps) {
  const glances = new Map<string, { until: number; remaining: number }>();
  const chargeTogether = createBatcher(chargeAll, { batchMax: 32, concurrency: 2 });

  /**
   * Takes units for good. The reference says what for: charging it again takes nothing. It locks
   * the organization's counter until the transaction ends, so let it be one of the last statements.
   */
  async function charge(tx: Queryable, organizationId: string, units: number, reference: string): Promise<Balance> {
    return take(tx, organizationId, { kind: "charge", units, reference, leaseUntil: null });
  }

  /**
   * Takes one unit for good, outside of any transaction, for a reference that was made up for it.
   * What is charged at the same time is written together.
   */
  async function chargeAlone(organizationId: string, reference: string): Promise<Balance> {
    const outcome = await chargeTogether({ organizationId, reference });
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  async function chargeAll(several: readonly Single[]): Promise<PromiseSettledResult<Balance>[]> {
    const outcomes = new Map<Single, PromiseSettledResult<Balance>>();
    const groups = [...Map.groupBy(several, ({ organizationId }) => organizationId)];
    await Promise.all(
      groups.map(async ([organizationId, group]) => {
        const told = await chargeGroup(organizationId, group);
        for (const [index, single] of group.entries()) outcomes.set(single, told[index] as (typeof told)[number]);
      }),
    );
    return several.flatMap((single) => outcomes.get(single) ?? []);
  }

  /** All of a group, or, when the allowance does not hold for all, one by one while it does. */
  async function chargeGroup(
    organizationId: string,
    group: readonly Single[],
  ): Promise<PromiseSettledResult<Balance>[]> {
    const references = group.map(({ reference }) => reference);
    const taking = { kind: "charge", units: 1, leaseUntil: null, ...thisMonth(), defaultAllowance } as const;
    const taken = await insertTaking(db, organizationId, { ...taking, references, areNew: true });
    if (taken) {
      remember(organizationId, left(taken.allowance, taken.used));
      return references.map((_, index) => {
        const remaining = left(taken.allowance, taken.used - (references.length - 1 - index));
        return { status: "fulfilled", value: { charged: 1, remaining } };
      });
    }
    return Promise.allSettled(references.map((reference) => charge(db, organizationId, 1, reference)));
  }

  /** Takes units for an answer that is still to come; settle or release them when it is clear. */
  async function reserve(tx: Queryable, organizationId: string, units: number, reference: string): Promise<Balance> {
    const leaseUntil = new Date(clock.now().getTime() + reservationLeaseMs);
    return take(tx, organizationId, { kind: "reserve", units, reference, leaseUntil });
  }

  /**
   * Makes a reservation final, in the transaction of what it paid for. False when it was given
   * back meanwhile: what it was for must then not be handed out.
   */
  async function settle(tx: Queryable, organizationId: string, reference: string): Promise<boolean> {
    return deleteReservation(tx, organizationId, reference, clock.now());
  }

  /** Gives back a charge or an open reservation, once. */
  async function release(tx: Queryable, organizationId: string, units: number, reference: string): Promise<void> {
    glances.delete(organizationId);
    await insertRelease(tx, organizationId, { units, reference, now: clock.now() });
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
    return { allowance, isDefault, used, remaining: left(allowance, used), resetsAt: resetAfter(now) };
  }

  /** The balance of a call that takes nothing, read at most once in ten seconds. */
  async function glance(organizationId: string): Promise<Balance> {
    const known = glances.get(organizationId);
    if (known && known.until > clock.now().getTime()) return { charged: 0, remaining: known.remaining };
    const { remaining } = await balance(organizationId);
    remember(organizationId, remaining);
    return { charged: 0, remaining };
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

  /** The latest entries of these organizations' ledgers, newest first. */
  async function ledger(organizationIds: readonly string[], limit: number): Promise<LedgerEntry[]> {
    return listLedger(db, organizationIds, limit);
  }

  type Wanted = { kind: "charge" | "reserve"; units: number; reference: string; leaseUntil: Date | null };

  async function take(tx: Queryable, organizationId: string, wanted: Wanted): Promise<Balance> {
    if (!(Number.isSafeInteger(wanted.units) && wanted.units > 0)) throw new Error("units are whole and at least 1");
    const { reference, ...rest } = wanted;
    const { now, month } = thisMonth();
    const taking = { ...rest, references: [reference], areNew: false, month, now, defaultAllowance };
    const taken = await insertTaking(tx, organizationId, taking);
    if (!taken) return explainRefusal(tx, organizationId, reference, now);

    const remaining = left(taken.allowance, taken.used);
    remember(organizationId, remaining);
    return { charged: wanted.units, remaining };
  }

  function thisMonth(): { now: Date; month: string } {
    const now = clock.now();
    return { now, month: monthOf(now) };
  }

  async function explainRefusal(tx: Queryable, organizationId: string, reference: string, now: Date): Promise<Balance> {
    const { used, allowance } = await findUsage(tx, organizationId, monthOf(now), defaultAllowance);
    if (!(await hasTaken(tx, organizationId, reference))) {
      throw AllowanceExhausted({ allowance, resetsAt: resetAfter(now) });
    }
    return { charged: 0, remaining: left(allowance, used) };
  }

  function remember(organizationId: string, remaining: number) {
    glances.delete(organizationId);
    glances.set(organizationId, { until: clock.now().getTime() + glanceMs, remaining });
    if (glances.size <= glancesMax) return;
    const [oldest] = glances.keys();
    if (oldest !== undefined) glances.delete(oldest);
  }

  return {
    charge,
    chargeAlone,
    reserve,
    settle,
    release,
    releaseLapsed,
    balance,
    glance,
    setAllowance,
    usage,
    ledger,
  };
}

export type Billing = ReturnType<typeof createBilling>;

/** Nothing is left, rather than less than nothing, after an allowance was made smaller. */
function left(allowance: number, used: number): number {
  return Math.max(0, allowance - used);
}
