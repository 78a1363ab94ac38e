import { idFromUuid, newUuid } from "../../platform/ids.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { asLines, type Sql, sql } from "../../platform/postgres/sql.ts";
import { findRecords, newestFirst } from "../../platform/postgres/tenant-rows.ts";
import type { Box } from "../../geography/points.ts";
import type { Environment } from "../api-keys/index.ts";
import { type Business, recordText } from "../businesses/index.ts";
import type { PreparedArea } from "./area/prepared-area.ts";
import type { CellState, Collection, ShownCellState, ShownCollection, Status } from "./collection.ts";

/** Whose collections: an organization's, of one environment. */
export type Tenant = { organizationId: string; environment: Environment };

type CollectionRow = Omit<Collection, "id">;
type ShownRow = Omit<ShownCollection, "id">;

export const collectionColumns = sql`
  collections.id as uuid, collections.organization_id as "organizationId", collections.environment,
  collections.params, collections.status, collections.status_reason as "statusReason",
  collections.error_code as "errorCode", collections.query_reading as "queryReading", collections.max_units as "maxUnits",
  collections.units_charged as "unitsCharged", collections.pages, collections.cells_total as "cellsTotal",
  collections.cells_done as "cellsDone", collections.result_count as "resultCount",
  collections.request_id as "requestId", collections.traceparent, collections.created_by as "createdBy",
  collections.webhook_endpoint_id as "webhookEndpointId",
  collections.created_at as "createdAt", collections.started_at as "startedAt",
  collections.finished_at as "finishedAt"
`;

// For those who show it: others would carry an area of many points around at every page.
const shownColumns = sql`${collectionColumns}, collections.area::text as "areaText"`;

export function toCollection<Row extends { uuid: string }>(row: Row): Row & { id: string } {
  return { ...row, id: idFromUuid("col", row.uuid) };
}

export type NewCollection = Pick<
  Collection,
  "uuid" | "params" | "maxUnits" | "requestId" | "traceparent" | "createdBy" | "webhookEndpointId"
> & { areaText: string; prepared: PreparedArea; status: "queued" | "running"; isLocal: boolean };

/** Inserts a collection if the claim, a statement that returns a row when it holds, does; else undefined. */
export async function insertCollection(
  db: Queryable,
  { organizationId, environment }: Tenant,
  {
    uuid,
    params,
    areaText,
    prepared,
    status,
    maxUnits,
    requestId,
    traceparent,
    createdBy,
    webhookEndpointId,
    isLocal,
  }: NewCollection,
  claim: Sql,
): Promise<Collection | undefined> {
  const { rows } = await db.query<CollectionRow>(sql`
    with claimed as (${claim})
    insert into collections (id, organization_id, environment, params, area, geometry, status, max_units, request_id,
      traceparent, created_by, webhook_endpoint_id, is_local, started_at)
    select ${uuid}::uuid, ${organizationId}::uuid, ${environment}::text, ${JSON.stringify(params)}::json,
      ${areaText}::json, ${prepared.geometryText}::json, ${status}::text, ${maxUnits}::integer,
      ${requestId}::text, ${traceparent}::text, ${createdBy}::text, ${webhookEndpointId}::uuid, ${isLocal}::boolean,
      case when ${status}::text = 'running' then now() end
    from claimed
    returning ${collectionColumns}
  `);
  return rows[0] && toCollection(rows[0]);
}

export async function findCollection(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<ShownCollection | undefined> {
  const { rows } = await db.query<ShownRow>(sql`
    select ${shownColumns}
    from collections
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = ${uuid}
  `);
  return rows[0] && toCollection(rows[0]);
}

/** Text of areas on one page of the list; a polygon of 10,000 points has up to a million characters. */
const areaTextMax = 1_000_000;

/** How many of the newest collections have areas that are small enough, together, for one page; at least one. */
export async function countOnPage(
  db: Queryable,
  tenant: Tenant,
  page: { before: string | undefined; limit: number },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) filter (where size_with_newer - size < ${areaTextMax}) as count
    from (
      select size, sum(size) over (order by id desc) as size_with_newer
      from (
        select id, octet_length(area::text) as size
        from collections
        ${newestFirst(tenant, page)}
      ) as newest
    ) as sized
  `);
  return rows[0]?.count ?? 0;
}

/** Newest first. */
export async function listCollections(
  db: Queryable,
  tenant: Tenant,
  page: { before: string | undefined; limit: number },
): Promise<ShownCollection[]> {
  const { rows } = await db.query<ShownRow>(sql`
    select ${shownColumns}
    from collections
    ${newestFirst(tenant, page)}
  `);
  return rows.map(toCollection);
}

const storedResults = {
  parents: sql`collections`,
  records: sql`collection_results`,
  parentId: sql`collection_id`,
  recordText: recordText(sql`collection_results.record`),
};

/** A collection's status and its results after a position, both of one moment; undefined without the collection. */
export function findResults(db: Queryable, tenant: Tenant, uuid: string, page: { after: number; limit: number }) {
  return findRecords<Status>(db, storedResults, tenant, uuid, page);
}

export type ShownCell = {
  uuid: string;
  box: [number, number, number, number];
  depth: number;
  state: ShownCellState;
  pages: number;
  found: number;
};

/** The cells of a collection in the order they were made. */
export async function listCells(
  db: Queryable,
  { organizationId }: Pick<Tenant, "organizationId">,
  collectionUuid: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ShownCell[]> {
  const { rows } = await db.query<ShownCell>(sql`
    select id as uuid, box, depth, pages, found,
      case when state = 'pending' and lease_until > now() then 'running' else state end as state
    from collection_cells
    where organization_id = ${organizationId}
      and collection_id = ${collectionUuid}
      ${after === undefined ? sql`` : sql`and id > ${after}`}
    order by id
    limit ${limit}
  `);
  return rows;
}

export type NewCell = {
  box: Box;
  depth: number;
  state: CellState;
  pages: number;
  found: number;
  mark?: string | null;
};

/** Adds cells; the caller counts them in the collection. */
export async function insertCells(
  db: Queryable,
  { organizationId }: Pick<Tenant, "organizationId">,
  collectionUuid: string,
  cells: readonly NewCell[],
): Promise<void> {
  await db.query(sql`
    insert into collection_cells (id, collection_id, organization_id, box, depth, state, pages, found, mark)
    select id, ${collectionUuid}::uuid, ${organizationId}::uuid, array[south, west, north, east], depth, state, pages,
      found, mark
    from unnest(
      ${cells.map(() => newUuid())}::uuid[],
      ${cells.map(({ box }) => box[0])}::double precision[],
      ${cells.map(({ box }) => box[1])}::double precision[],
      ${cells.map(({ box }) => box[2])}::double precision[],
      ${cells.map(({ box }) => box[3])}::double precision[],
      ${cells.map(({ depth }) => depth)}::smallint[],
      ${cells.map(({ state }) => state)}::text[],
      ${cells.map(({ pages }) => pages)}::smallint[],
      ${cells.map(({ found }) => found)}::integer[],
      ${cells.map(({ mark = null }) => mark)}::text[]
    ) as cell (id, south, west, north, east, depth, state, pages, found, mark)
  `);
}

/**
 * Adds the businesses that the collection does not have yet, behind those it has; resolves to how many.
 * The caller holds the collection's lock and counts them.
 */
export async function insertResults(
  db: Queryable,
  { uuid, resultCount }: Pick<Collection, "uuid" | "resultCount">,
  businesses: readonly Business[],
  toRecords: (businesses: readonly Business[]) => Promise<{ text: string }[]> = serialize,
): Promise<number> {
  const unique = [...new Map(businesses.map((business) => [business.businessId, business])).values()];
  if (unique.length === 0) return 0;
  const { rowCount } = await db.query(sql`
    insert into collection_results (collection_id, position, business_id, revision, record)
    select ${uuid}::uuid, ${resultCount}::integer + row_number() over (order by ordinal), business_id, revision, record
    from unnest(
      ${unique.map(({ businessId }) => businessId)}::uuid[],
      ${unique.map(({ revision }) => revision)}::bigint[],
      ${asLines((await toRecords(unique)).map(({ text }) => text))}
    ) with ordinality as found (business_id, revision, record, ordinal)
    where not exists (
      select
      from collection_results as known
      where known.collection_id = ${uuid}
        and known.business_id = found.business_id
    )
  `);
  return rowCount;
}

async function serialize(businesses: readonly Business[]): Promise<{ text: string }[]> {
  return businesses.map((business) => ({ text: JSON.stringify(business) }));
}

export const collectionsQueuedChannel = "collections_queued";
export const cellsStoppedChannel = "collection_cells_stopped";

/** Deletes a batch of collections made before a moment that have ended or stayed paused since; resolves to how many. */
export async function deleteCollectionsBefore(
  db: Queryable,
  { keptFrom, limit }: { keptFrom: Date; limit: number },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with gone as (
      delete from collections
      where id in (
        select id
        from collections
        where created_at < ${keptFrom}
          and (finished_at is not null or status = 'paused')
        order by id
        limit ${limit}
        for update skip locked
      )
      returning id
    ), cells as (
      delete from collection_cells
      using gone
      where collection_cells.collection_id = gone.id
    ), results as (
      delete from collection_results
      using gone
      where collection_results.collection_id = gone.id
    )
    select count(*) as count
    from gone
  `);
  return rows[0]?.count ?? 0;
}
