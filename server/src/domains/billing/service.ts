import type { Clock } from "../../platform/clock.ts";
import { gather } from "../../platform/gathering.ts";
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
  deleteReservations,
  findUsage,
  hasTaken,
  insertRelease,
  insertTaking,
  type LedgerEntry,
  listLapsedReservations,
  listLedger,
  listUsage,
  type MonthUsage,
  type Reservation,
  updateAllowance,
} from "./store.ts";

type BillingDeps = { db: Database; clock: Clock; defaultAllowance?: number };

const lapsedBatch = 100;
const glanceMs = 10_000;
const glancesMax = 10_000;

export function createBilling({ db, clock, defaultAllowance = standardAllowance }: BillingDeps) {
  const glances = new Map<string, { until: number; remaining: number }>();
  const settleTogether = gather((several: readonly Reservation[]) => deleteReservations(db, several, clock.now()), {
    groupMax: 32,
    groupsAtOnce: 2,
  });

  /**
   * Takes units for good. The reference says what for: charging it again takes nothing. It locks
   * the organization's counter until the transaction ends, so let it be one of the last statements.
   */
  async function charge(tx: Queryable, organizationId: string, units: number, reference: string): Promise<Balance> {
    return take(tx, organizationId, { kind: "charge", units, reference, leaseUntil: null });
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

  /** The same where there is nothing else to write. What is settled at the same time goes to the disk together. */
  function settleAlone(organizationId: string, reference: string): Promise<boolean> {
    return settleTogether({ organizationId, reference });
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
    const now = clock.now();
    const month = monthOf(now);
    const taken = await insertTaking(tx, organizationId, { ...wanted, month, now, defaultAllowance });
    if (!taken) return explainRefusal(tx, organizationId, wanted.reference, now);

    const remaining = left(taken.allowance, taken.used);
    remember(organizationId, remaining);
    return { charged: wanted.units, remaining };
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

  return { charge, reserve, settle, settleAlone, release, releaseLapsed, balance, glance, setAllowance, usage, ledger };
}

export type Billing = ReturnType<typeof createBilling>;

/** Nothing is left, rather than less than nothing, after an allowance was made smaller. */
function left(allowance: number, used: number): number {
  return Math.max(0, allowance - used);
}
