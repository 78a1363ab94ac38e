import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** Ends deliveries whose schedule passed while their endpoint was inactive, those that a killed process held included. */
export async function terminateWaitingTooLong(db: Queryable, now: Date, batch: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    update webhook_deliveries
    set status = 'terminated', finished_at = ${now}, run_at = null, scheduled_at = null, resend = false,
      lease_until = null, lease_token = lease_token + 1
    where id in (
      select deliveries.id
      from webhook_endpoints as endpoints
      join webhook_deliveries as deliveries on deliveries.endpoint_id = endpoints.id
      where endpoints.status <> 'active'
        and deliveries.run_at is not null
        and deliveries.status = 'pending'
        and (deliveries.lease_until is null or deliveries.lease_until <= now())
        and deliveries.schedule_ends_at < ${now}
      limit ${batch}
      for update of deliveries skip locked
    )
  `);
  return rowCount;
}

/**
 * Deletes events that went to no endpoint. The latest event of a resource that can have another one
 * stays, because the next sequence is counted from it.
 */
export async function deleteUnboundEvents(
  db: Queryable,
  lastTypes: readonly string[],
  createdBefore: Date,
  batch: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from webhook_events
    where id in (
      select events.id
      from webhook_events as events
      where not events.has_delivery
        and events.created_at < ${createdBefore}
        and (
          events.type = any(${lastTypes})
          or exists (
            select 1
            from webhook_events as newer
            where newer.resource_id = events.resource_id
              and newer.sequence > events.sequence
          )
        )
      order by events.created_at
      limit ${batch}
      for update skip locked
    )
  `);
  return rowCount;
}

/** Deletes endpoints that were deleted long ago and have no delivery left. */
export async function deleteDeletedEndpoints(db: Queryable, deletedBefore: Date, batch: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from webhook_endpoints
    where id in (
      select endpoints.id
      from webhook_endpoints as endpoints
      where endpoints.deleted_at < ${deletedBefore}
        and not exists (
          select 1
          from webhook_deliveries as deliveries
          where deliveries.endpoint_id = endpoints.id
        )
      limit ${batch}
      for update skip locked
    )
  `);
  return rowCount;
}

/**
 * Deletes old events with their deliveries. The latest event of an endpoint stays while the endpoint
 * does, because the sequence of its next one is counted from it.
 */
export async function deleteOldEvents(db: Queryable, createdBefore: Date, batch: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    with old as (
      select events.id
      from webhook_events as events
      where events.has_delivery
        and events.created_at < ${createdBefore}
        and not exists (
          select 1
          from webhook_deliveries as deliveries
          where deliveries.id = events.id
            and deliveries.run_at is not null
        )
        and (
          events.resource_type <> 'webhook_endpoint'
          or exists (
            select 1
            from webhook_events as newer
            where newer.resource_id = events.resource_id
              and newer.sequence > events.sequence
          )
          or exists (
            select 1
            from webhook_endpoints as endpoints
            where endpoints.id = events.resource_id
              and endpoints.deleted_at is not null
          )
        )
      order by events.created_at
      limit ${batch}
      for update skip locked
    ), gone as (
      delete from webhook_deliveries
      where id in (select id from old)
    )
    delete from webhook_events
    where id in (select id from old)
  `);
  return rowCount;
}
