import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { advisoryLocks } from "../../platform/postgres/advisory-locks.ts";

const dayMs = 86_400_000;
/** A place that comes back sooner opens again under its number. Later it gets a new one; its business keeps its id. */
const closedDays = 90;
const batchMax = 1_000;

/** Deletes records that left their data set long ago; resolves to how many. Never while an import changes the index. */
export async function sweepClosedRecords(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(sql`
    with free as materialized (
      select pg_try_advisory_xact_lock(${advisoryLocks.catalogIndex}) as is_free
    )
    delete from catalog_records
    where number in (
      select closed.number
      from free
      cross join catalog_records as closed
      where free.is_free
        and closed.closed_at < ${new Date(now.getTime() - closedDays * dayMs)}
        -- The number that an open record is led by stays.
        and not exists (
          select 1
          from catalog_records as open
          where open.place = closed.number
            and open.closed_at is null
        )
      limit ${batchMax}
    )
  `);
  return rowCount;
}
