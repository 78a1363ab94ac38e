import type { Transaction } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { deliveriesDueChannel } from "../events/channels.ts";

/** Pins undelivered deliveries to another secret. Running attempts were signed with the old one and do not count. */
export async function updatePinned(tx: Transaction, organizationId: string, endpointId: string, secretVersion: number) {
  await tx.query(sql`
    update webhook_deliveries
    set secret_version = ${secretVersion}, lease_token = lease_token + 1, lease_until = null
    where organization_id = ${organizationId}
      and endpoint_id = ${endpointId}
      and run_at is not null
  `);
  await tx.query(sql`select pg_notify(${deliveriesDueChannel}, '')`);
}

/** Ends undelivered deliveries, those with a running attempt included. */
export async function terminateDeliveries(tx: Transaction, organizationId: string, endpointId: string, now: Date) {
  await tx.query(sql`
    update webhook_deliveries
    set status = case when status = 'pending' then 'terminated' else status end,
      finished_at = coalesce(finished_at, ${now}),
      run_at = null, scheduled_at = null, resend = false, lease_until = null, lease_token = lease_token + 1
    where organization_id = ${organizationId}
      and endpoint_id = ${endpointId}
      and run_at is not null
  `);
}

/** Ends the undelivered deliveries of these resources, those with a running attempt included. */
export async function terminateDeliveriesOf(
  tx: Transaction,
  organizationId: string,
  resourceIds: readonly string[],
  now: Date,
) {
  // By the events, which have the index; a delivery has the id of its event. In order of ids, as everyone locks several.
  await tx.query(sql`
    with waiting as (
      select id
      from webhook_deliveries
      where organization_id = ${organizationId}
        and id in (select id from webhook_events where resource_id = any(${resourceIds}::uuid[]))
        and run_at is not null
      order by id
      for update
    )
    update webhook_deliveries
    set status = case when status = 'pending' then 'terminated' else status end,
      finished_at = coalesce(finished_at, ${now}),
      run_at = null, scheduled_at = null, resend = false, lease_until = null, lease_token = lease_token + 1
    from waiting
    where webhook_deliveries.id = waiting.id
  `);
}

/** Ends deliveries whose schedule passed while the endpoint was inactive, and wakes workers for the rest. */
export async function wakeDeliveries(tx: Transaction, organizationId: string, endpointId: string, now: Date) {
  await tx.query(sql`
    update webhook_deliveries
    set status = 'terminated', finished_at = ${now}, run_at = null, scheduled_at = null, resend = false,
      lease_until = null, lease_token = lease_token + 1
    where organization_id = ${organizationId}
      and endpoint_id = ${endpointId}
      and run_at is not null
      and status = 'pending'
      and (lease_until is null or lease_until <= now())
      and schedule_ends_at < ${now}
  `);
  await tx.query(sql`select pg_notify(${deliveriesDueChannel}, '')`);
}
