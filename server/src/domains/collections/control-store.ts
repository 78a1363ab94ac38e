import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Collection } from "./collection.ts";
import { cellsStoppedChannel, collectionColumns, type Tenant, toCollection } from "./store.ts";

type Row = Omit<Collection, "id">;

/** Cancels a collection that has not ended; resolves to undefined when there is none. */
export async function cancelActiveCollection(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<Collection | undefined> {
  const { rows } = await db.query<Row>(sql`
    update collections
    set status = 'canceled', status_reason = 'requested', finished_at = now()
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = ${uuid}
      and status in ('queued', 'running', 'paused')
    returning ${collectionColumns}
  `);
  return rows[0] && toCollection(rows[0]);
}

/** Pauses a collection that waits or runs; resolves to undefined when it does neither. */
export async function pauseActiveCollection(
  db: Queryable,
  { organizationId }: Pick<Tenant, "organizationId">,
  uuid: string,
  reason: "requested" | "allowance_exhausted",
): Promise<Collection | undefined> {
  const { rows } = await db.query<Row>(sql`
    update collections
    set status = 'paused', status_reason = ${reason}
    where organization_id = ${organizationId}
      and id = ${uuid}
      and status in ('queued', 'running')
    returning ${collectionColumns}
  `);
  return rows[0] && toCollection(rows[0]);
}

/** Lets a paused collection go on; resolves to undefined when it is not paused. */
export async function resumePausedCollection(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<Collection | undefined> {
  const { rows } = await db.query<Row>(sql`
    update collections
    set status = case when started_at is null then 'queued' else 'running' end, status_reason = null, run_at = now()
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = ${uuid}
      and status = 'paused'
    returning ${collectionColumns}
  `);
  return rows[0] && toCollection(rows[0]);
}

/**
 * Takes the pending cells of a collection from their workers, which are notified; with `ends` they are
 * left out for good. The caller holds the collection's lock.
 */
export async function releaseCells(
  db: Queryable,
  { organizationId }: Pick<Tenant, "organizationId">,
  collectionUuid: string,
  { ends }: { ends: boolean },
): Promise<void> {
  // The raised token invalidates a late page of a worker. In order of ids, as everyone locks several.
  await db.query(sql`
    with pending as (
      select id, lease_until is not null as is_held
      from collection_cells
      where organization_id = ${organizationId}
        and collection_id = ${collectionUuid}
        and state = 'pending'
      order by id
      for update
    ), released as (
      update collection_cells
      set state = case when ${ends}::boolean then 'left_out' else 'pending' end, lease_until = null,
        lease_token = lease_token + 1, attempt = 0, losses = 0, first_claimed_at = null, run_at = now()
      from pending
      where collection_cells.id = pending.id
      returning collection_cells.id, pending.is_held
    )
    select pg_notify(${cellsStoppedChannel}, id::text)
    from released
    where is_held
  `);
}
