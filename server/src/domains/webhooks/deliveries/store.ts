import type { Queryable, Transaction } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { type Attempt, attemptsShownMax, type Delivery } from "./delivery.ts";
import { deliveriesDueChannel } from "../events/channels.ts";

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

/** Makes a delivery due now, once, beside its schedule; resolves to false while an attempt is running. */
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

const deliveryColumns = sql`
  deliveries.id, deliveries.endpoint_id as "endpointId",
  events.type as "eventType", events.resource_type as "resourceType", deliveries.resource_id as "resourceId",
  deliveries.sequence, deliveries.status, deliveries.attempt,
  case when deliveries.lease_until is not null then null else deliveries.run_at end as "nextAttemptAt",
  deliveries.secret_version as "secretVersion", deliveries.created_at as "createdAt",
  deliveries.finished_at as "finishedAt"
`;
