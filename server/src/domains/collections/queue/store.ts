import type { Queryable } from "../../../platform/postgres/database.ts";
import { createLeases, inSeconds, isDue, type Lease, lossesNow } from "../../../platform/postgres/leases.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import type { Area } from "../area/area.ts";
import {
  type CellState,
  type CellTask,
  type ClaimedCell,
  type Collection,
  lossesMax,
  type Status,
  type StatusReason,
} from "../collection.ts";
import { collectionColumns, collectionsQueuedChannel, toCollection } from "../store.ts";

type Claim = ClaimedCell & { mayRun: boolean };

// A constant and not a parameter, so that its meaning is the same in every statement.
const quarantined = sql`losses >= 2`;

/** `kinds`: whether our own data answers the collection, or live services do, or either. */
type ClaimOptions = { kinds: readonly boolean[]; leaseSeconds: number; withQuarantined: boolean };

/**
 * Claims a cell that is due. Organizations and then collections with little running come first, so
 * that a large collection does not keep the others waiting.
 */
export async function claimDueCell(
  db: Queryable,
  { kinds, leaseSeconds, withQuarantined }: ClaimOptions,
): Promise<Claim | undefined> {
  const { rows } = await db.query<Claim>(sql`
    with held as materialized (
      select organization_id, collection_id
      from collection_cells
      where lease_until is not null
        and lease_until > now()
    ), due as (
      select cell.id, cell.is_quarantined, cell.losses_now, collections.request_id, collections.traceparent
      from collections
      cross join lateral (
        select id, ${quarantined} as is_quarantined, ${lossesNow} as losses_now
        from collection_cells
        where collection_id = collections.id
          and state = 'pending'
          and ${isDue}
          and (not ${quarantined} or ${withQuarantined})
        order by coalesce(lease_until, run_at)
        limit 1
        for update skip locked
      ) as cell
      where collections.status in ('queued', 'running')
        and collections.run_at <= now()
        and collections.is_local = any(${kinds}::boolean[])
      order by (select count(*) from held where held.organization_id = collections.organization_id),
        (select count(*) from held where held.collection_id = collections.id), collections.id
      limit 1
    )
    update collection_cells
    set lease_until = ${inSeconds(leaseSeconds)}, lease_token = lease_token + 1,
      attempt = attempt + 1, losses = losses_now, first_claimed_at = coalesce(first_claimed_at, now())
    from due
    where collection_cells.id = due.id
    returning collection_cells.id as uuid, collection_id as "collectionId", organization_id as "organizationId", box,
      depth, pages, mark, attempt, losses, lease_token as "leaseToken", first_claimed_at as "firstClaimedAt", now() as "claimedAt",
      due.is_quarantined as "isQuarantined", due.request_id as "requestId", due.traceparent, losses < ${lossesMax} as "mayRun"
  `);
  return rows[0];
}

export const cellLeases = createLeases({
  table: sql`collection_cells`,
  isHeld: sql`state = 'pending'`,
  wakeChannel: collectionsQueuedChannel,
});

/** Leaves all cells of a collection alone for a while. */
export async function postponeCollection(
  db: Queryable,
  { organizationId, collectionId }: Pick<ClaimedCell, "organizationId" | "collectionId">,
  delaySeconds: number,
): Promise<void> {
  await db.query(sql`
    update collections
    set run_at = greatest(run_at, ${inSeconds(delaySeconds)})
    where organization_id = ${organizationId}
      and id = ${collectionId}
  `);
}

/** Hands a collection over to the queue of the source that answers it now. */
export async function moveCollection(
  db: Queryable,
  { organizationId, collectionId }: Pick<ClaimedCell, "organizationId" | "collectionId">,
  isLocal: boolean,
): Promise<void> {
  await db.query(sql`
    update collections
    set is_local = ${isLocal}
    where organization_id = ${organizationId}
      and id = ${collectionId}
  `);
}

/** Marks a queued collection as running; undefined when it was not queued. */
export async function startQueuedCollection(
  db: Queryable,
  { organizationId, collectionId }: Pick<ClaimedCell, "organizationId" | "collectionId">,
): Promise<Collection | undefined> {
  const { rows } = await db.query<Omit<Collection, "id">>(sql`
    update collections
    set status = 'running', started_at = now()
    where organization_id = ${organizationId}
      and id = ${collectionId}
      and status = 'queued'
    returning ${collectionColumns}
  `);
  return rows[0] && toCollection(rows[0]);
}

/** What to ask the source for; undefined when the collection does not run any longer. */
export async function findTask(
  db: Queryable,
  { organizationId, collectionId }: Pick<ClaimedCell, "organizationId" | "collectionId">,
): Promise<CellTask | undefined> {
  const { rows } = await db.query<CellTask>(sql`
    select params
    from collections
    where organization_id = ${organizationId}
      and id = ${collectionId}
      and status = 'running'
  `);
  return rows[0];
}

/** Where a collection's area lies. */
export async function findGeometry(
  db: Queryable,
  { organizationId, collectionId }: Pick<ClaimedCell, "organizationId" | "collectionId">,
): Promise<Area | undefined> {
  const { rows } = await db.query<{ geometry: Area }>(sql`
    select geometry
    from collections
    where organization_id = ${organizationId}
      and id = ${collectionId}
  `);
  return rows[0]?.geometry;
}

/** Locks a collection that runs; undefined when it was stopped or has ended. */
export async function lockRunningCollection(
  db: Queryable,
  { organizationId, collectionId }: Pick<ClaimedCell, "organizationId" | "collectionId">,
): Promise<Collection | undefined> {
  const { rows } = await db.query<Omit<Collection, "id">>(sql`
    select ${collectionColumns}
    from collections
    where organization_id = ${organizationId}
      and id = ${collectionId}
      and status = 'running'
    for update
  `);
  return rows[0] && toCollection(rows[0]);
}

/** Whether the lease of a cell holds. It locks nothing: whoever locks several cells does so in order of ids. */
export async function isCellHeld(db: Queryable, { organizationId, uuid, leaseToken }: Lease): Promise<boolean> {
  const { rows } = await db.query(sql`
    select 1
    from collection_cells
    where organization_id = ${organizationId}
      and id = ${uuid}
      and lease_token = ${leaseToken}
      and state = 'pending'
  `);
  return rows.length === 1;
}

export type CellChange = { state: CellState; pages: number; found: number; mark?: string | null };

/** Writes what became of a cell; false when the lease was lost meanwhile. */
export async function updateCell(
  db: Queryable,
  { organizationId, uuid, leaseToken, pages: pagesBefore }: Lease & Pick<ClaimedCell, "pages">,
  { state, pages, found, mark = null }: CellChange,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update collection_cells
    set state = ${state}, pages = ${pages}, mark = ${mark}, found = found + ${found}, attempt = 1, losses = 0,
      lease_until = case when ${state}::text = 'pending' then lease_until end
    where organization_id = ${organizationId}
      and id = ${uuid}
      and lease_token = ${leaseToken}
      and state = 'pending'
      and pages = ${pagesBefore}
  `);
  return rowCount === 1;
}

export type Growth = {
  units: number;
  pages: number;
  results: number;
  cellsTotal: number;
  cellsDone: number;
  cellsShort: number;
  errorCode: string | null;
  queryReading: string | null;
};

/** The collection after its counters grew, and what decides whether it has ended. */
export type Grown = Collection & { cellsShort: number; isProgressDue: boolean };

/** Adds to the counters of a collection that the caller has locked. */
export async function growCollection(
  db: Queryable,
  { organizationId, uuid }: Pick<Collection, "organizationId" | "uuid">,
  { units, pages, results, cellsTotal, cellsDone, cellsShort, errorCode, queryReading }: Growth,
): Promise<Grown> {
  const isEventDue = sql`coalesce(progress_emitted_at, started_at) <= now() - interval '10 seconds'`;
  const { rows } = await db.query<Omit<Grown, "id">>(sql`
    update collections
    set units_charged = units_charged + ${units}, pages = pages + ${pages}, result_count = result_count + ${results},
      cells_total = cells_total + ${cellsTotal}, cells_done = cells_done + ${cellsDone},
      cells_short = cells_short + ${cellsShort}, error_code = coalesce(${errorCode}, error_code),
      query_reading = coalesce(query_reading, ${queryReading}),
      progress_emitted_at = case when ${isEventDue} then now() else progress_emitted_at end
    where organization_id = ${organizationId}
      and id = ${uuid}
    returning ${collectionColumns}, cells_short as "cellsShort",
      coalesce(progress_emitted_at = now(), false) as "isProgressDue"
  `);
  const [row] = rows;
  if (!row) throw new Error("a collection that is locked is gone");
  return toCollection(row);
}

/** Ends a collection that the caller has locked. */
export async function endCollection(
  db: Queryable,
  { organizationId, uuid }: Pick<Collection, "organizationId" | "uuid">,
  { status, reason }: { status: Status; reason: StatusReason | null },
): Promise<Collection> {
  const { rows } = await db.query<Omit<Collection, "id">>(sql`
    update collections
    set status = ${status}, status_reason = ${reason}, finished_at = now(),
      error_code = case when ${status}::text = 'succeeded' then null else error_code end
    where organization_id = ${organizationId}
      and id = ${uuid}
    returning ${collectionColumns}
  `);
  const [row] = rows;
  if (!row) throw new Error("a collection that is locked is gone");
  return toCollection(row);
}
