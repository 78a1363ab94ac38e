import pg from "pg";
import { newUuid } from "../../server/src/platform/ids.ts";
import { clientConfig, type Connection, type Database } from "../../server/src/platform/postgres/database.ts";
import { schemaVersion } from "../../server/src/platform/contract.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { aPlace } from "../../server/test/place.ts";

const batch = 20_000;

/** Queued live jobs, as creations leave them. Each asks for something else, so that all it finds is new. */
export async function fillQueued(db: Database, organizationId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newUuid());
  const params = ids.map((id) => JSON.stringify({ q: `coffee near house ${id}x`, page: 1, hl: "en", extra: false }));
  await db.query(sql`
    insert into scrapes (id, organization_id, environment, operation, params, status, request_id)
    select id, ${organizationId}, 'live', 'places.search', params, 'queued', 'req_bench'
    from unnest(${ids}::uuid[], ${params}::json[]) as queued (id, params)
  `);
  return ids;
}

/** Jobs that have ended long ago. */
export async function fillFinished(db: Database, organizationId: string, count: number): Promise<void> {
  const params = JSON.stringify({ q: "coffee in Vaduz", page: 1, hl: "en", extra: false });
  for (let made = 0; made < count; made += batch) {
    await db.query(sql`
      insert into scrapes (id, organization_id, environment, operation, params, status, request_id, attempt,
        completed_queries, result_count, started_at, finished_at)
      select gen_random_uuid(), ${organizationId}, 'live', 'bench.filler', ${params}, 'succeeded', 'req_bench', 1, 1,
        3, now(), now()
      from generate_series(1, ${Math.min(batch, count - made)}::int)
    `);
  }
  await db.query(sql`vacuum analyze scrapes`);
}

/**
 * Claims and completes jobs in batches, with the same durable rows as ours: a lease that is there
 * before the work begins, then three new businesses with their keys, three results, two events and
 * the end of each job. Everything is made inside PostgreSQL; nothing is fetched, compared or parsed.
 */
export async function bareLoop(connection: Connection, count: number): Promise<number> {
  const client = new pg.Client(clientConfig(connection));
  await client.connect();
  const record = JSON.stringify({ schemaVersion, businessId: newUuid(), revision: 1, place: aPlace() });
  const started = performance.now();
  for (let done = 0; done < count;) {
    const { rows } = await client.query<{ id: string }>({ name: "claim", text: claim, values: [] });
    if (rows.length === 0) break;
    await client.query({ name: "complete", text: complete, values: [rows.map(({ id }) => id), record] });
    done += rows.length;
  }
  const perSecond = count / ((performance.now() - started) / 1_000);
  await client.end();
  return perSecond;
}

const claim = `
  with due as (
    select id
    from scrapes
    where environment = 'live'
      and finished_at is null
      and coalesce(lease_until, run_at) <= now()
    order by coalesce(lease_until, run_at)
    limit 100
    for update skip locked
  ), events as (
    insert into webhook_events (id, organization_id, type, resource_type, resource_id, sequence, body, created_at)
    select gen_random_uuid(), organization_id, 'scrape.started', 'scrape_job', id, 1, repeat('x', 600), now()
    from due
    join scrapes using (id)
  )
  update scrapes
  set status = 'running', attempt = 1, lease_token = lease_token + 1, started_at = now(),
    lease_until = now() + interval '10 seconds'
  from due
  where scrapes.id = due.id
  returning scrapes.id
`;

const complete = `
  with ended as (
    update scrapes
    set status = 'succeeded', lease_until = null, finished_at = now(), completed_queries = 1, result_count = 3
    where id = any($1::uuid[])
      and status = 'running'
    returning id, organization_id
  ), found as (
    select id, position, gen_random_uuid() as business_id
    from ended, generate_series(1, 3) as position
  ), known as (
    insert into businesses (id, revision, fingerprints, content)
    select business_id, 1, '{}', $2::text
    from found
  ), keys as (
    insert into business_keys (key, business_id)
    select business_id::text, business_id
    from found
  ), results as (
    insert into scrape_results (job_id, position, business_id, record)
    select id, position, business_id, $2::text
    from found
  )
  insert into webhook_events (id, organization_id, type, resource_type, resource_id, sequence, body, created_at)
  select gen_random_uuid(), organization_id, 'scrape.completed', 'scrape_job', id, 2, repeat('x', 600), now()
  from ended
`;
