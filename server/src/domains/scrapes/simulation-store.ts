import type { Transaction } from "../../platform/postgres/database.ts";
import { asLines, sql } from "../../platform/postgres/sql.ts";
import { listingsMax } from "../../sources/source.ts";
import type { ErrorCode, Scrape } from "./scrape.ts";
import type { StoredRecord } from "./store.ts";

/** The end of a test job: its status, and its results. */
export type SimulatedEnd = {
  status: "succeeded" | "partial" | "failed";
  errorCode: ErrorCode | null;
  records: readonly StoredRecord[];
};

type Ended = Pick<Scrape, "status" | "errorCode" | "completedQueries" | "resultCount" | "finishedAt">;

/** Stores the results of a test job and ends it, unless it has ended or a worker has claimed it. */
export async function endSimulated(
  tx: Transaction,
  { organizationId, uuid }: Pick<Scrape, "organizationId" | "uuid">,
  { status, errorCode, records }: SimulatedEnd,
): Promise<Ended | undefined> {
  const stored = records.slice(0, listingsMax);
  const { rows } = await tx.query<Ended>(sql`
    with ended as (
      update scrapes
      set status = ${status}, error_code = ${errorCode}, result_count = ${stored.length},
        completed_queries = case when ${status} in ('succeeded', 'partial') then total_queries else completed_queries end,
        finished_at = now(), lease_until = null
      where organization_id = ${organizationId}
        and id = ${uuid}
        and environment = 'test'
        and status = 'running'
        and lease_token = 0
      returning id, status, error_code, completed_queries, result_count, finished_at
    ), results as (
      insert into scrape_results (job_id, position, business_id, record)
      select ended.id, found.position, found.business_id, found.record
      from unnest(
        ${stored.map(({ businessId }) => businessId)}::uuid[],
        ${asLines(stored.map(({ text }) => text))}
      ) with ordinality as found (business_id, record, position), ended
    )
    select status, error_code as "errorCode", completed_queries as "completedQueries",
      result_count as "resultCount", finished_at as "finishedAt"
    from ended
  `);
  return rows[0];
}
