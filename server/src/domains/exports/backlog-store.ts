import type { Backlog } from "../../platform/backlog.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** The exports of every organization that have not ended. */
export async function readExportBacklog(db: Queryable): Promise<Backlog[]> {
  const { rows } = await db.query<Backlog>(sql`
    select 'exports' as queue,
      count(*) filter (where lease_until is null and run_at <= now()) as waiting,
      count(*) filter (where lease_until is not null) as running,
      count(*) filter (where lease_until is null and run_at > now()) as scheduled,
      coalesce(
        extract(epoch from now() - min(run_at) filter (where lease_until is null and run_at <= now())), 0
      )::float8 as "oldestSeconds"
    from exports
    where finished_at is null
  `);
  return rows;
}
