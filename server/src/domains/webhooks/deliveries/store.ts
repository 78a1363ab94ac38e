import type { Queryable, Transaction } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { type Attempt, attemptsShownMax, type Delivery } from "./delivery.ts";
import { deliveriesDueChannel } from "./enqueue-store.ts";

/** Newest first; `after` is the last delivery of the page before. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  after: string | undefined,
  limit: number,
) {
  const { rows } = await db.query<Delivery>(sql`
    select ${deliveryColumns}
    from webhook_deliveries as deliveries
    join webhook_events as events on events.id = deliveries.id
    where deliveries.organization_id = ${organizationId}
      and deliveries.endpoint_id = ${endpointId}
      and deliveries.id < ${after ?? "ffffffff-ffff-ffff-ffff-ffffffffffff"}
    order by deliveries.id desc
    limit ${limit}
  `);
  return rows;
}

export async function findDelivery(db: Queryable, organizationId: string, deliveryId: string) {
  const { rows } = await db.query<Delivery>(sql`
    select ${deliveryColumns}
    from webhook_deliveries as deliveries
    join webhook_events as events on events.id = deliveries.id
    where deliveries.organization_id = ${organizationId}
      and deliveries.id = ${deliveryId}
  `);
  return rows[0];
}

/** The latest attempts of each of these deliveries, oldest first. */
export async function listAttempts(db: Queryable, organizationId: string, deliveryIds: readonly string[]) {
  const { rows } = await db.query<Attempt>(sql`
    select latest.delivery_id as "deliveryId", latest.number, latest.resend,
      latest.secret_version as "secretVersion", latest.started_at as "startedAt", latest.latency_ms as "latencyMs",
      latest.http_status as "httpStatus", latest.error, latest.response
    from webhook_deliveries as deliveries
    cross join lateral (
      select delivery_id, position, number, resend, secret_version, started_at, latency_ms, http_status, error, response
      from webhook_attempts
      where delivery_id = deliveries.id
      order by position desc
      limit ${attemptsShownMax}
    ) as latest
    where deliveries.organization_id = ${organizationId}
      and deliveries.id = any(${deliveryIds})
    order by latest.delivery_id, latest.position
  `);
  return rows;
}

/** Makes a delivery due now, once, beside its schedule; resolves to false while an attempt is under way. */
export async function updateResend(
  tx: Transaction,
  organizationId: string,
  deliveryId: string,
  { secretVersion, now }: { secretVersion: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update webhook_deliveries
    set resend = true, scheduled_at = case when resend then scheduled_at else run_at end, run_at = ${now},
      secret_version = ${secretVersion}
    where organization_id = ${organizationId}
      and id = ${deliveryId}
      and lease_until is null
  `);
  await tx.query(sql`select pg_notify(${deliveriesDueChannel}, '')`);
  return rowCount === 1;
}

/** Pins what is undelivered to another secret. Attempts under way were signed with the old one: they do not count. */
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

/** Ends what is undelivered, an attempt under way included. */
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

/** Ends deliveries of one endpoint whose schedule passed while it was not active, and wakes up the rest. */
export async function wakeDeliveries(tx: Transaction, organizationId: string, endpointId: string, now: Date) {
  await tx.query(sql`
    update webhook_deliveries
    set status = 'terminated', finished_at = ${now}, run_at = null, scheduled_at = null, resend = false,
      lease_token = lease_token + 1
    where organization_id = ${organizationId}
      and endpoint_id = ${endpointId}
      and run_at is not null
      and status = 'pending'
      and lease_until is null
      and schedule_ends_at < ${now}
  `);
  await tx.query(sql`select pg_notify(${deliveriesDueChannel}, '')`);
}

const deliveryColumns = sql`
  deliveries.id, deliveries.endpoint_id as "endpointId",
  events.type as "eventType", events.resource_type as "resourceType", deliveries.resource_id as "resourceId",
  deliveries.sequence, deliveries.status, deliveries.attempt,
  case when deliveries.lease_until is not null then null else deliveries.run_at end as "nextAttemptAt",
  deliveries.secret_version as "secretVersion", deliveries.created_at as "createdAt",
  deliveries.finished_at as "finishedAt"
`;
