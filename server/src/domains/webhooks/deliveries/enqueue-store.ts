import type { Queryable } from "../../../platform/postgres/database.ts";
import { asLines, sql } from "../../../platform/postgres/sql.ts";
import { deliveriesDueChannel } from "../events/channels.ts";

/** The sequences of the last events of resources that have any. The caller holds a lock on each. */
export async function findLastSequences(db: Queryable, resourceIds: readonly string[]): Promise<Map<string, number>> {
  if (resourceIds.length === 0) return new Map();
  const { rows } = await db.query<{ resourceId: string; last: number }>(sql`
    select resource_id as "resourceId", max(sequence) as last
    from webhook_events
    where resource_id = any(${resourceIds}::uuid[])
    group by resource_id
  `);
  return new Map(rows.map(({ resourceId, last }) => [resourceId, last]));
}

export type EventRow = {
  id: string;
  organizationId: string;
  type: string;
  resourceType: string;
  resourceId: string;
  sequence: number;
  body: string;
  traceparent: string | null;
  /** The endpoint that was bound to the resource, by UUID. */
  endpointId: string | null;
};

/** Writes events, each with its delivery to the endpoint, if that exists and wants events of this type. */
export async function insertEvents(
  db: Queryable,
  events: readonly EventRow[],
  { createdAt, scheduleEndsAt }: { createdAt: Date; scheduleEndsAt: Date },
): Promise<void> {
  // The lock keeps a rotation out: without it a delivery could be pinned to a secret that is being
  // revoked, after the rotation has repinned the deliveries it found.
  await db.query(sql`
    with incoming as (
      select id, organization_id, type, resource_type, resource_id, sequence, body, endpoint_id, traceparent
      from unnest(
        ${events.map(({ id }) => id)}::uuid[],
        ${events.map(({ organizationId }) => organizationId)}::uuid[],
        ${events.map(({ type }) => type)}::text[],
        ${events.map(({ resourceType }) => resourceType)}::text[],
        ${events.map(({ resourceId }) => resourceId)}::uuid[],
        ${events.map(({ sequence }) => sequence)}::integer[],
        ${asLines(events.map(({ body }) => body))},
        ${events.map(({ endpointId }) => endpointId)}::uuid[],
        ${events.map(({ traceparent }) => traceparent)}::text[]
      ) as listed (id, organization_id, type, resource_type, resource_id, sequence, body, endpoint_id, traceparent)
    ), bound as (
      select incoming.id as event_id, endpoints.id, endpoints.secret_version
      from incoming
      join webhook_endpoints as endpoints
        on endpoints.organization_id = incoming.organization_id
        and endpoints.id = incoming.endpoint_id
      where endpoints.deleted_at is null
        and (incoming.type = any(endpoints.event_types) or incoming.resource_type = 'webhook_endpoint')
      for key share of endpoints
    ), event as (
      insert into webhook_events
        (id, organization_id, type, resource_type, resource_id, sequence, body, has_delivery, created_at,
         traceparent)
      select incoming.id, incoming.organization_id, incoming.type, incoming.resource_type, incoming.resource_id,
        incoming.sequence, incoming.body, bound.id is not null, ${createdAt}, incoming.traceparent
      from incoming
      left join bound on bound.event_id = incoming.id
    ), delivery as (
      insert into webhook_deliveries
        (id, organization_id, endpoint_id, resource_id, sequence, secret_version, status, run_at, schedule_ends_at,
         created_at)
      select incoming.id, incoming.organization_id, bound.id, incoming.resource_id, incoming.sequence,
        bound.secret_version, 'pending', ${createdAt}, ${scheduleEndsAt}::timestamptz, ${createdAt}
      from incoming
      join bound on bound.event_id = incoming.id
      returning id
    )
    select pg_notify(${deliveriesDueChannel}, '')
    from delivery
    limit 1
  `);
}
