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
