import type { Queryable, Transaction } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import type { EndpointStatus } from "./endpoint.ts";

/** Locks an endpoint before its delivery: the order in which deleting and rotating lock them. */
export async function lockEndpointHealth(tx: Transaction, organizationId: string, endpointId: string) {
  await tx.query(sql`
    select id
    from webhook_endpoints
    where organization_id = ${organizationId}
      and id = ${endpointId}
    for no key update
  `);
}

export type CountedFailure = { status: EndpointStatus; terminalFailures: number };

/** Counts a delivery that failed for good: the owner is warned, and then the endpoint disabled. */
export async function updateTerminalFailures(
  tx: Transaction,
  organizationId: string,
  endpointId: string,
  { toWarn, toDisable, now }: { toWarn: number; toDisable: number; now: Date },
): Promise<CountedFailure | undefined> {
  const { rows } = await tx.query<CountedFailure>(sql`
    update webhook_endpoints
    set terminal_failures = terminal_failures + 1,
      warned_at = case when terminal_failures + 1 >= ${toWarn} then coalesce(warned_at, ${now}) else warned_at end,
      status = case when terminal_failures + 1 >= ${toDisable} then 'disabled' else status end,
      status_reason = case
        when terminal_failures + 1 >= ${toDisable} then coalesce(status_reason, 'repeated_failures')
        else status_reason
      end,
      updated_at = case when terminal_failures + 1 in (${toWarn}, ${toDisable}) then ${now} else updated_at end
    where organization_id = ${organizationId}
      and id = ${endpointId}
      and deleted_at is null
    returning status, terminal_failures as "terminalFailures"
  `);
  return rows[0];
}

/** A success clears count and warning. Most endpoints have neither, and are not written to. */
export async function clearFailures(db: Queryable, endpointIds: readonly string[]) {
  await db.query(sql`
    update webhook_endpoints
    set terminal_failures = 0, warned_at = null
    where id = any(${endpointIds})
      and (terminal_failures > 0 or warned_at is not null)
  `);
}
