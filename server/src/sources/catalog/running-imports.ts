import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** An import that is running, in this or any other process. */
export type RunningImport = { phase: ImportPhase; name: string; startedAt: Date };
export type ImportPhase = "reading" | "storing";

const prefix = "waypost import";

/**
 * Names the connection of an import after what it does, where every other connection can see it: the
 * import's own transaction shows nothing until it commits.
 */
export async function announcePhase(db: Pick<Queryable, "query">, phase: ImportPhase, name: string): Promise<void> {
  const text = `${prefix} ${phase} ${name}`.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 63);
  await db.query(sql`select set_config('application_name', ${text}, false)`);
}

export async function listRunningImports(db: Queryable): Promise<RunningImport[]> {
  const { rows } = await db.query<{ text: string; startedAt: Date }>(sql`
    select application_name as text, backend_start as "startedAt"
    from pg_stat_activity
    where datname = current_database()
      and application_name like ${`${prefix} %`}
    order by backend_start
  `);
  return rows.flatMap(({ text, startedAt }) => {
    const [, phase, name] = /^waypost import (reading|storing) (.*)$/.exec(text) ?? [];
    return phase === undefined || name === undefined ? [] : [{ phase: phase as ImportPhase, name, startedAt }];
  });
}
