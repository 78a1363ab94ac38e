import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** Counts one more on this day; false when the day has had as many already. */
export async function updateTestUsage(
  db: Queryable,
  organizationId: string,
  { day, perDay }: { day: string; perDay: number },
): Promise<boolean> {
  const { rows } = await db.query<{ used: number }>(sql`
    insert into test_usage (organization_id, day, used)
    values (${organizationId}, ${day}, 1)
    on conflict (organization_id) do update
    set day = excluded.day,
      used = case when test_usage.day = excluded.day then test_usage.used + 1 else 1 end
    where test_usage.day <> excluded.day or test_usage.used < ${perDay}
    returning used
  `);
  return rows.length > 0;
}
