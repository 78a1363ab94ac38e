import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { TestQuotaReached } from "./errors.ts";
import { updateTestUsage } from "./test-quota-store.ts";

const dayMs = 24 * 3_600_000;
export const standardTestQuota = 10_000;

/** Test keys cost nothing, so a quota per day bounds what they store. */
export function createTestQuota({ clock, perDay = standardTestQuota }: { clock: Clock; perDay?: number }) {
  /** Counts one thing in the transaction that stores it, or throws. Call it late: it locks the organization's count. */
  async function take(tx: Queryable, organizationId: string): Promise<void> {
    const now = clock.now().getTime();
    const day = new Date(now).toISOString().slice(0, 10);
    if (perDay > 0 && (await updateTestUsage(tx, organizationId, { day, perDay }))) return;
    const resetsAt = new Date((Math.floor(now / dayMs) + 1) * dayMs);
    const retryAfterSeconds = Math.ceil((resetsAt.getTime() - now) / 1_000);
    throw TestQuotaReached({ perDay, resetsAt }, { retryAfterSeconds });
  }

  return { take };
}

export type TestQuota = ReturnType<typeof createTestQuota>;
