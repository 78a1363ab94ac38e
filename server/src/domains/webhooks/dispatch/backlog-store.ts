import type { Backlog } from "../../../platform/backlog.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";

/** The deliveries of every organization that have an attempt ahead of them, at endpoints that take some. */
export async function readDeliveryBacklog(db: Queryable): Promise<Backlog[]> {
  const { rows } = await db.query<Backlog>(sql`
    select 'deliveries' as queue,
      count(*) filter (where lease_until is null and run_at <= now()) as waiting,
      count(*) filter (where lease_until is not null) as running,
      count(*) filter (where lease_until is null and run_at > now()) as scheduled,
      coalesce(
        extract(epoch from now() - min(run_at) filter (where lease_until is null and run_at <= now())), 0
      )::float8 as "oldestSeconds"
    from webhook_deliveries as deliveries
    join webhook_endpoints as endpoints on endpoints.id = deliveries.endpoint_id and endpoints.status = 'active'
    where deliveries.run_at is not null
  `);
  return rows;
}

export type EndpointCounts = { active: number; paused: number; disabled: number };

export async function countEndpoints(db: Queryable): Promise<EndpointCounts> {
  const { rows } = await db.query<EndpointCounts>(sql`
    select count(*) filter (where status = 'active') as active, count(*) filter (where status = 'paused') as paused,
      count(*) filter (where status = 'disabled') as disabled
    from webhook_endpoints
    where deleted_at is null
  `);
  return rows[0] ?? { active: 0, paused: 0, disabled: 0 };
}
