import type { Backlog } from "../../../platform/backlog.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";

/** The cells of every organization's collections that are worked on, which paused ones are not. */
export async function readCollectionBacklog(db: Queryable): Promise<Backlog[]> {
  const { rows } = await db.query<Backlog>(sql`
    select 'collections' as queue,
      count(*) filter (where cells.lease_until is null and cells.run_at <= now()) as waiting,
      count(*) filter (where cells.lease_until is not null) as running,
      count(*) filter (where cells.lease_until is null and cells.run_at > now()) as scheduled,
      coalesce(
        extract(epoch from now() - min(cells.run_at) filter (where cells.lease_until is null and cells.run_at <= now())),
        0
      )::float8 as "oldestSeconds"
    from collections
    join collection_cells as cells on cells.collection_id = collections.id and cells.state = 'pending'
    where collections.status in ('queued', 'running')
  `);
  return rows;
}
