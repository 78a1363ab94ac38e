import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import type { EventName } from "../events/event-types.ts";

export type StoredEvent = { id: string; type: EventName; sequence: number; body: string; createdAt: Date };

/** An organization's events from an id on, in the order of their ids, without those already sent. */
export async function listEventsFrom(
  db: Queryable,
  organizationId: string,
  { fromId, exceptIds, limit }: { fromId: string; exceptIds: readonly string[]; limit: number },
): Promise<StoredEvent[]> {
  const { rows } = await db.query<StoredEvent>(sql`
    select id, type, sequence, body, created_at as "createdAt"
    from webhook_events
    where organization_id = ${organizationId}
      and id >= ${fromId}
      and id <> all(${exceptIds}::uuid[])
    order by id
    limit ${limit}
  `);
  return rows;
}

/** The events of one resource in the order of its changes. */
export async function listEventsOf(
  db: Queryable,
  organizationId: string,
  resourceUuid: string,
  limit: number,
): Promise<(StoredEvent & { hasDelivery: boolean })[]> {
  const { rows } = await db.query<StoredEvent & { hasDelivery: boolean }>(sql`
    select id, type, sequence, body, created_at as "createdAt", has_delivery as "hasDelivery"
    from webhook_events
    where organization_id = ${organizationId}
      and resource_id = ${resourceUuid}
    order by sequence
    limit ${limit}
  `);
  return rows;
}
