import { idFromUuid } from "../../platform/ids.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { findRecords, newestFirst } from "../../platform/postgres/tenant-rows.ts";
import type { Environment } from "../api-keys/index.ts";
import { recordText } from "../businesses/index.ts";
import { scrapesCanceledChannel } from "./channels.ts";
import type { Scrape, Status } from "./scrape.ts";

/** Whose jobs: an organization's, of one environment. */
export type Tenant = { organizationId: string; environment: Environment };

export type ScrapeRow = Omit<Scrape, "id">;

/** What a reader of the job sees. */
export type ShownScrape = Omit<Scrape, "organizationId" | "environment" | "requestId" | "traceparent">;

// A job waits for a source when it was claimed before, is not held now and is not due yet.
const shownColumns = sql`
  scrapes.id as uuid, scrapes.operation, scrapes.status, scrapes.params,
  scrapes.completed_queries as "completedQueries", scrapes.total_queries as "totalQueries",
  scrapes.result_count as "resultCount", scrapes.error_code as "errorCode",
  scrapes.query_reading as "queryReading",
  scrapes.webhook_endpoint_id as "webhookEndpointId", scrapes.created_at as "createdAt",
  scrapes.started_at as "startedAt", scrapes.finished_at as "finishedAt",
  case
    when scrapes.status = 'running' and scrapes.lease_until is null and scrapes.lease_token > 0
      and scrapes.run_at > now()
    then scrapes.run_at
  end as "nextAttemptAt"
`;

export const scrapeColumns = sql`
  ${shownColumns}, scrapes.organization_id as "organizationId", scrapes.environment,
  scrapes.request_id as "requestId", scrapes.traceparent
`;

export function toScrape<Row extends { uuid: string }>(row: Row): Row & { id: string } {
  return { ...row, id: idFromUuid("job", row.uuid) };
}

export type NewScrape = Pick<
  Scrape,
  "uuid" | "operation" | "params" | "requestId" | "traceparent" | "webhookEndpointId"
> & {
  status: "queued" | "running";
  /** How long until a worker may claim it. */
  delaySeconds: number;
  /** Whether our own data answers it. */
  isLocal: boolean;
};

type Decided = Pick<Scrape, "completedQueries" | "totalQueries" | "resultCount" | "createdAt" | "startedAt">;

/** Inserts a job if the claim, a statement that returns a row when it holds, does; else undefined. */
export async function insertScrape(
  db: Queryable,
  { organizationId, environment }: Tenant,
  { status, delaySeconds, isLocal, ...draft }: NewScrape,
  claim: Sql,
): Promise<Scrape | undefined> {
  const { uuid, operation, params, requestId, traceparent, webhookEndpointId } = draft;
  // Only what the database decides: the driver prepares to read each column anew for every statement.
  const { rows } = await db.query<Decided>(sql`
    with claimed as (${claim})
    insert into scrapes (id, organization_id, environment, operation, params, status, request_id, traceparent,
      webhook_endpoint_id, is_local, run_at, started_at)
    select ${uuid}::uuid, ${organizationId}::uuid, ${environment}::text, ${operation}::text,
      ${JSON.stringify(params)}::json, ${status}::text, ${requestId}::text, ${traceparent}::text, ${webhookEndpointId}::uuid,
      ${isLocal}::boolean, now() + make_interval(secs => ${delaySeconds}), case when ${status}::text = 'running' then now() end
    from claimed
    returning completed_queries as "completedQueries", total_queries as "totalQueries",
      result_count as "resultCount", created_at as "createdAt", started_at as "startedAt"
  `);
  const [decided] = rows;
  if (!decided) return undefined;
  const id = idFromUuid("job", uuid);
  const unset = { errorCode: null, queryReading: null, finishedAt: null, nextAttemptAt: null };
  return { id, organizationId, environment, status, ...draft, ...decided, ...unset };
}

export async function findScrape(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<Scrape | undefined> {
  const { rows } = await db.query<ScrapeRow>(sql`
    select ${scrapeColumns}
    from scrapes
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = ${uuid}
  `);
  return rows[0] && toScrape(rows[0]);
}

/** A job as one tenant names it, by the id and the UUID behind it. */
export type ScrapeRef = { tenant: Tenant; id: string; uuid: string };

/** Finds jobs, each for its own tenant; in the order of the references, undefined where there is none. */
export async function findShownScrapes(
  db: Queryable,
  refs: readonly ScrapeRef[],
): Promise<(ShownScrape | undefined)[]> {
  // A lateral lookup with a limit, because a join planned on a small table would scan a grown one until
  // the next analyze. The tenant is compared with "is not distinct from" so that the planner only sees
  // the id's index. The arrays stand in selects, which hide their length: one generic plan serves all.
  const { rows } = await db.query<ShownRow>(sql`
    select wanted.ordinal, found.*
    from unnest(
      (select ${refs.map(({ tenant }) => tenant.organizationId)}::uuid[]),
      (select ${refs.map(({ tenant }) => tenant.environment)}::text[]),
      (select ${refs.map(({ uuid }) => uuid)}::uuid[])
    ) with ordinality as wanted (organization_id, environment, id, ordinal)
    cross join lateral (
      select ${shownColumns}
      from scrapes
      where scrapes.id = wanted.id
        and scrapes.organization_id is not distinct from wanted.organization_id
        and scrapes.environment is not distinct from wanted.environment
      limit 1
    ) as found
  `);
  const found: (ShownRow | undefined)[] = [];
  for (const row of rows) found[row.ordinal - 1] = row;
  return refs.map(({ id }, index) => {
    const row = found[index];
    return row && { ...row, id };
  });
}

type ShownRow = Omit<ShownScrape, "id"> & { ordinal: number };

// As constants and not as a parameter: only so can the planner know which partial index holds them.
const whereStatus: Record<Status, Sql> = {
  queued: sql`and status = 'queued' and finished_at is null`,
  running: sql`and status = 'running' and finished_at is null`,
  succeeded: sql`and status = 'succeeded'`,
  partial: sql`and status = 'partial'`,
  failed: sql`and status = 'failed'`,
  canceled: sql`and status = 'canceled'`,
};

/** Newest first. */
export async function listScrapes(
  db: Queryable,
  tenant: Tenant,
  { status, before, limit }: { status: Status | undefined; before: string | undefined; limit: number },
): Promise<Scrape[]> {
  const also = status && whereStatus[status];
  const { rows } = await db.query<ScrapeRow>(sql`
    select ${scrapeColumns}
    from scrapes
    ${newestFirst(tenant, { before, limit, also })}
  `);
  return rows.map(toScrape);
}

/** A business's record, serialized, or a reference to it. */
export type StoredRecord = { businessId: string; text: string };

const storedResults = {
  parents: sql`scrapes`,
  records: sql`scrape_results`,
  parentId: sql`job_id`,
  recordText: recordText(sql`scrape_results.record`),
};

/** A job's status and its results after a position, both of one moment; undefined without the job. */
export function findResults(db: Queryable, tenant: Tenant, uuid: string, page: { after: number; limit: number }) {
  return findRecords<Status>(db, storedResults, tenant, uuid, page);
}

/** Cancels a job that can still be stopped; resolves to undefined when there is none. */
export async function cancelActiveScrape(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<Scrape | undefined> {
  // The guard is in the update, because a worker may finish the job between a read and a write. The
  // raised token invalidates a late result of that worker.
  const { rows } = await db.query<ScrapeRow>(sql`
    update scrapes
    set status = 'canceled', finished_at = now(), lease_until = null, lease_token = lease_token + 1
    where organization_id = ${organizationId}
      and environment = ${environment}
      and id = ${uuid}
      and status in ('queued', 'running')
    returning ${scrapeColumns}, pg_notify(${scrapesCanceledChannel}, ${uuid}::text)
  `);
  return rows[0] && toScrape(rows[0]);
}

/** Deletes a job with its results; false when there is none. */
export async function deleteScrape(
  tx: Queryable,
  { organizationId, environment }: Tenant,
  uuid: string,
): Promise<boolean> {
  const { rows } = await tx.query(sql`
    with gone as (
      delete from scrapes
      where organization_id = ${organizationId}
        and environment = ${environment}
        and id = ${uuid}
      returning id
    ), results as (
      delete from scrape_results
      using gone
      where scrape_results.job_id = gone.id
    )
    select id
    from gone
  `);
  return rows.length === 1;
}

/** Which of these jobs have ended. Without a tenant: one statement serves the waiting callers of all of them. */
export async function listFinished(db: Queryable, uuids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select id
    from scrapes
    where id = any(${[...uuids]}::uuid[])
      and finished_at is not null
  `);
  return rows.map(({ id }) => id);
}

/** Deletes a batch of ended jobs made before the given id, with their results; resolves to how many. */
export async function deleteScrapesBefore(
  db: Queryable,
  { keptFrom, firstKept, limit }: { keptFrom: Date; firstKept: string; limit: number },
): Promise<number> {
  // Ids have the index, and a process may have made one before it knew the database's time; created_at is the database's own.
  const { rows } = await db.query<{ count: number }>(sql`
    with gone as (
      delete from scrapes
      where id in (
        select id
        from scrapes
        where id < ${firstKept}
          and created_at < ${keptFrom}
          and finished_at is not null
        order by id
        limit ${limit}
        for update skip locked
      )
      returning id
    ), results as (
      delete from scrape_results
      using gone
      where scrape_results.job_id = gone.id
    )
    select count(*) as count
    from gone
  `);
  return rows[0]?.count ?? 0;
}

/** Does not wait for the disk: a lost message costs a poll, and what it reports is on disk already. */
export async function notify(db: Queryable, channel: string, message: string): Promise<void> {
  await db.query(sql`select pg_notify(${channel}, ${message}), set_config('synchronous_commit', 'off', true)`);
}
