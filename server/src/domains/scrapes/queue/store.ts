import type { Queryable } from "../../../platform/postgres/database.ts";
import { createLeases, isDue, type Lease, lossesNow, runOrFail } from "../../../platform/postgres/leases.ts";
import { asLines, sql } from "../../../platform/postgres/sql.ts";
import { listingsMax } from "../../../sources/source.ts";
import type { Environment } from "../../api-keys/index.ts";
import type { Business } from "../../businesses/index.ts";
import { scrapesQueuedChannel } from "../channels.ts";
import { type ClaimedScrape, type ErrorCode, lossesMax, type Scrape, type Status } from "../scrape.ts";
import { scrapeColumns, type StoredRecord, toScrape } from "../store.ts";

export type NewClaim = ClaimedScrape & { isFirst: boolean };

type ClaimOptions = {
  /** Which of them: those that our own data answers, or those of live services. */
  isLocal: boolean;
  limit: number;
  leaseSeconds: number;
  /** Whether one of them may be quarantined, that is, a job that lost several workers before. */
  withQuarantined: boolean;
};

// A constant and not a parameter, so that the planner can use the partial index with this condition.
const quarantined = sql`losses >= 2`;

/**
 * Claims jobs that are due, of all organizations: queued ones, postponed ones, and those whose
 * worker was lost. A job that lost its worker once too often comes back as failed.
 */
export async function claimDue(
  db: Queryable,
  environment: Environment,
  { isLocal, limit, leaseSeconds, withQuarantined }: ClaimOptions,
): Promise<NewClaim[]> {
  const due = sql`
    select id, status = 'queued' as is_first, ${quarantined} as is_quarantined,
      ${lossesNow} as losses_now
    from scrapes
    where environment = ${environment}
      and is_local = ${isLocal}
      and finished_at is null
      and ${isDue}
  `;
  const { rows } = await db.query<Omit<NewClaim, "id" | "lastSequence">>(sql`
    with quarantined as (
      ${due} and ${quarantined}
      order by coalesce(lease_until, run_at)
      limit ${withQuarantined ? 1 : 0}
      for update skip locked
    ), usual as (
      ${due} and not ${quarantined}
      order by coalesce(lease_until, run_at)
      limit ${limit}
      for update skip locked
    ), due as (
      select *, losses_now < ${lossesMax} as may_run
      from (select * from quarantined union all select * from usual) as claimable
      -- A quarantined job counts against the limit like any other.
      limit ${limit}
    )
    update scrapes
    set ${runOrFail({ mayRun: sql`may_run`, leaseSeconds })},
      attempt = case when may_run then attempt + 1 else attempt end
    from due
    where scrapes.id = due.id
    returning ${scrapeColumns}, attempt, losses, lease_token as "leaseToken", now() as "claimedAt",
      due.is_first as "isFirst", due.is_quarantined as "isQuarantined"
  `);
  // A job has no event before its first claim.
  return rows.map((row) => ({ ...toScrape(row), lastSequence: row.isFirst ? 0 : undefined }));
}

export const scrapeLeases = createLeases({
  table: sql`scrapes`,
  isHeld: sql`status = 'running'`,
  wakeChannel: scrapesQueuedChannel,
});

/** Hands a job over to the queue of the source that answers it now. */
export async function moveScrape(
  db: Queryable,
  { organizationId, uuid, leaseToken }: Lease,
  isLocal: boolean,
): Promise<void> {
  await db.query(sql`
    update scrapes
    set is_local = ${isLocal}, run_at = now(), lease_until = null, attempt = attempt - 1, lease_token = lease_token + 1
    where organization_id = ${organizationId}
      and id = ${uuid}
      and lease_token = ${leaseToken}
      and status = 'running'
  `);
  await scrapeLeases.wake(db);
}

export type Collected = {
  records: readonly StoredRecord[];
  status: Exclude<Status, "queued" | "canceled">;
  errorCode: ErrorCode | null;
  /** Null where this transition adds nothing to what is known. */
  queryReading: string | null;
};

export function toRecord(business: Business): StoredRecord {
  return { businessId: business.businessId, text: JSON.stringify(business) };
}

/** What a transition has changed in a job. */
export type Transitioned = Pick<
  Scrape,
  "uuid" | "status" | "errorCode" | "queryReading" | "completedQueries" | "resultCount" | "finishedAt"
> & {
  /** Whether a progress event is to be emitted now. */
  isProgressDue: boolean;
  /** When the results that no event has reported yet are due for one; null when there are none. */
  progressDueInMs: number | null;
};

/** The least time between two progress events of a job. */
const progressInterval = sql`interval '1 second'`;

/**
 * Adds what was found to the results of jobs and makes their transitions. A job whose lease was lost
 * is left alone and missing from what it resolves to. A business that an earlier attempt stored
 * already is not stored again, so that readers see results grow and never change.
 */
export async function updateCollected(
  db: Queryable,
  jobs: readonly { lease: Lease; collected: Collected }[],
): Promise<Transitioned[]> {
  const records = jobs.flatMap(({ collected }, index) => collected.records.map((record) => ({ ...record, index })));
  const { rows } = await db.query<Transitioned>(sql`
    with held as (
      select scrapes.id, scrapes.result_count, scrapes.progress_emitted_count, scrapes.progress_emitted_at,
        given.status, given.error_code, given.query_reading, given.ordinal
      from unnest(
        ${jobs.map(({ lease }) => lease.organizationId)}::uuid[],
        ${jobs.map(({ lease }) => lease.uuid)}::uuid[],
        ${jobs.map(({ lease }) => lease.leaseToken)}::bigint[],
        ${jobs.map(({ collected }) => collected.status)}::text[],
        ${jobs.map(({ collected }) => collected.errorCode)}::text[],
        ${jobs.map(({ collected }) => collected.queryReading)}::text[]
      ) with ordinality as given (organization_id, id, token, status, error_code, query_reading, ordinal)
      join scrapes on scrapes.id = given.id
      where scrapes.organization_id = given.organization_id
        and scrapes.lease_token = given.token
        and scrapes.status = 'running'
      order by scrapes.id
      for update of scrapes
    ), fresh as (
      select held.id, found.business_id, found.record,
        held.result_count + row_number() over (partition by held.id order by found.ordinal) as position
      from unnest(
        ${records.map(({ index }) => index + 1)}::bigint[],
        ${records.map(({ businessId }) => businessId)}::uuid[],
        ${asLines(records.map(({ text }) => text))}
      ) with ordinality as found (job_ordinal, business_id, record, ordinal)
      join held on held.ordinal = found.job_ordinal
      -- An array for each job: an anti-join would be planned as a scan of everybody's results.
      where held.result_count = 0
        or found.business_id <> all (array(select business_id from scrape_results where job_id = held.id))
    ), stored as (
      insert into scrape_results (job_id, position, business_id, record)
      select id, position, business_id, record
      from fresh
      where position <= ${listingsMax}
      returning job_id
    ), counted as (
      select job_id, count(*) as added
      from stored
      group by job_id
    ), changed as (
      select held.id, held.status, held.error_code, held.query_reading,
        held.result_count + coalesce(counted.added, 0) as result_count,
        held.status = 'running'
          and held.result_count + coalesce(counted.added, 0) > held.progress_emitted_count
          and coalesce(held.progress_emitted_at <= clock_timestamp() - ${progressInterval}, true) as is_progress_due
      from held
      left join counted on counted.job_id = held.id
    )
    update scrapes
    set status = changed.status, error_code = changed.error_code,
      query_reading = coalesce(changed.query_reading, scrapes.query_reading), result_count = changed.result_count,
      completed_queries = case
        when changed.status in ('succeeded', 'partial') then total_queries
        else completed_queries
      end,
      finished_at = case when changed.status = 'running' then null else now() end,
      lease_until = case when changed.status = 'running' then lease_until end,
      progress_emitted_at = case when is_progress_due then clock_timestamp() else progress_emitted_at end,
      progress_emitted_count = case when is_progress_due then changed.result_count else progress_emitted_count end
    from changed
    where scrapes.id = changed.id
    returning scrapes.id as uuid, scrapes.status, scrapes.error_code as "errorCode",
      scrapes.query_reading as "queryReading",
      completed_queries as "completedQueries", scrapes.result_count as "resultCount", finished_at as "finishedAt",
      is_progress_due as "isProgressDue",
      case
        when scrapes.status = 'running' and scrapes.result_count > progress_emitted_count
        then ceil(extract(epoch from progress_emitted_at + ${progressInterval} - clock_timestamp()) * 1000)::float8
      end as "progressDueInMs"
  `);
  return rows;
}
