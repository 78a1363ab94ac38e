import type { Database } from "../../server/src/platform/postgres/database.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";

const lookEveryMs = 20;

/** Runs an import and resolves to its longest transaction in milliseconds, as seen every 20 ms, and what that did last. */
export async function watchTransactions<Result>(
  db: Database,
  work: () => Promise<Result>,
): Promise<{ result: Result; longestMs: number; statement: string }> {
  let longestMs = 0;
  let statement = "";
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      const { rows } = await db.query<{ ms: number; query: string }>(sql`
        select extract(epoch from clock_timestamp() - xact_start)::float8 * 1000 as ms, query
        from pg_stat_activity
        where application_name like 'waypost import %' and xact_start is not null
        order by xact_start
        limit 1
      `);
      const [row] = rows;
      if (row && row.ms > longestMs) [longestMs, statement] = [row.ms, row.query];
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  })();
  try {
    const result = await work();
    return { result, longestMs, statement: statement.trim().replaceAll(/\s+/g, " ").slice(0, 60) };
  } finally {
    done.abort();
    await watching;
  }
}
