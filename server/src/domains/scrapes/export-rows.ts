import type { Queryable } from "../../platform/postgres/database.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { recordText } from "../businesses/index.ts";
import type { Tenant } from "./store.ts";

/** The stored results of jobs, as rows of an export. */
export const scrapeRows = { find: findResultCount, select: selectRecords };

/** Simulated records, which are references, have one revision. */
const revisionOf = sql`case when results.record like '{%' then (results.record::json ->> 'revision')::bigint end`;

type Exportable = { resultCount: number; webhookEndpointId: string | null; title: string };

/** What is stored of these jobs together, and the first endpoint bound to one; undefined unless all are the tenant's. */
async function findResultCount(
  db: Queryable,
  { organizationId, environment }: Tenant,
  uuids: readonly string[],
): Promise<Exportable | undefined> {
  const { rows } = await db.query<Exportable & { jobs: number }>(sql`
    select count(*) as jobs, coalesce(sum(scrapes.result_count), 0) as "resultCount",
      (array_agg(scrapes.webhook_endpoint_id order by requested.ordinal)
        filter (where scrapes.webhook_endpoint_id is not null))[1] as "webhookEndpointId",
      (array_agg(scrapes.params ->> 'q' order by requested.ordinal))[1]
        || case when count(*) > 1 then ' and ' || count(*) - 1 || ' more' else '' end as title
    from unnest(${[...uuids]}::uuid[]) with ordinality as requested (id, ordinal)
    join scrapes on scrapes.id = requested.id
    where scrapes.organization_id = ${organizationId}
      and scrapes.environment = ${environment}
  `);
  const [found] = rows;
  return found?.jobs === uuids.length ? found : undefined;
}

/** In the order of the jobs and of what each found; a business of several jobs at its newest revision. */
function selectRecords({ organizationId, environment }: Tenant, uuids: readonly string[]): Sql {
  const [only, ...more] = uuids;
  // A job stores a business once, so there is nothing to sort: a large job streams from its index.
  if (more.length === 0) {
    return sql`
      select ${recordText(sql`scrape_results.record`)}
      from scrape_results
      where job_id in (
        select id
        from scrapes
        where organization_id = ${organizationId}
          and environment = ${environment}
          and id = ${only}
      )
      order by job_id, position
    `;
  }
  return sql`
    select ${recordText(sql`newest.record`)}
    from (
      select distinct on (results.business_id) results.record, requested.ordinal, results.position
      from unnest(${[...uuids]}::uuid[]) with ordinality as requested (id, ordinal)
      join scrapes on scrapes.id = requested.id
      join scrape_results as results on results.job_id = scrapes.id
      where scrapes.organization_id = ${organizationId}
        and scrapes.environment = ${environment}
      order by results.business_id, ${revisionOf} desc, results.job_id desc
    ) as newest
    order by ordinal, position
  `;
}
