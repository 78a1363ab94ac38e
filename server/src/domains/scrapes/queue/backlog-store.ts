import type { Backlog } from "../../../platform/backlog.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";

/** The jobs of every organization that have not ended, by environment. */
export async function readScrapeBacklog(db: Queryable): Promise<Backlog[]> {
  const { rows } = await db.query<Backlog>(sql`
    select 'scrapes_' || environments.environment as queue,
      count(scrapes.id) filter (where lease_until is null and run_at <= now()) as waiting,
      count(scrapes.id) filter (where lease_until is not null) as running,
      count(scrapes.id) filter (where lease_until is null and run_at > now()) as scheduled,
      coalesce(
        extract(epoch from now() - min(run_at) filter (where lease_until is null and run_at <= now())), 0
      )::float8 as "oldestSeconds"
    from unnest(array['live', 'test']) as environments (environment)
    left join scrapes on scrapes.environment = environments.environment and finished_at is null
    group by environments.environment
    order by environments.environment
  `);
  return rows;
}
