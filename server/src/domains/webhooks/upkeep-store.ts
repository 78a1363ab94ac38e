import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** Ends deliveries that have waited for an inactive endpoint until their schedule had passed. */
export async function terminateWaitingTooLong(db: Queryable, now: Date, batch: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    update webhook_deliveries
    set status = 'terminated', finished_at = ${now}, run_at = null, scheduled_at = null, resend = false,
      lease_token = lease_token + 1
    where id in (
      select deliveries.id
      from webhook_endpoints as endpoints
      join webhook_deliveries as deliveries on deliveries.endpoint_id = endpoints.id
      where endpoints.status <> 'active'
        and deliveries.run_at is not null
        and deliveries.status = 'pending'
        and deliveries.lease_until is null
        and deliveries.schedule_ends_at < ${now}
      limit ${batch}
      for update of deliveries skip locked
    )
  `);
  return rowCount;
}

/**
 * Removes events nobody will ask about any more, with their deliveries. The latest event of an
 * endpoint stays, because the sequence of its next one is counted from it.
 */
export async function deleteOldEvents(db: Queryable, createdBefore: Date, batch: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    with old as (
      select events.id
      from webhook_events as events
      where events.created_at < ${createdBefore}
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
