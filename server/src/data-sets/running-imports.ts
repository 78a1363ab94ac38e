import type { Queryable } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";

/** An import that is running, in this or any other process. */
export type RunningImport = {
  phase: ImportPhase;
  name: string;
  startedAt: Date;
  /** Of the phase, from 0 to 100, where that is known. */
  percent: number | null;
  /** How many records are staged, while the file is read. */
  rows: number | null;
};
export type ImportPhase = "reading" | "storing";

const prefix = "waypost import";

/**
 * Names the connection of an import after what it does, where every other connection can see it: the
 * import's own transaction shows nothing until it commits.
 */
export async function announcePhase(
  db: Pick<Queryable, "query">,
  phase: ImportPhase,
  name: string,
  percent?: number,
): Promise<void> {
  const text = `${prefix} ${phase}${percent === undefined ? "" : `:${percent}`} ${name}`
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .slice(0, 63);
  await db.query(sql`select set_config('application_name', ${text}, false)`);
}

export async function listRunningImports(db: Queryable): Promise<RunningImport[]> {
  const { rows } = await db.query<{ text: string; startedAt: Date; rows: number | null }>(sql`
    select application_name as text, backend_start as "startedAt",
      staged.items + coalesce(copy.tuples_processed, 0) as rows
    from pg_stat_activity
    left join catalog_imports as staged using (pid)
    left join pg_stat_progress_copy as copy using (pid)
    where pg_stat_activity.datname = current_database()
      and application_name like ${`${prefix} %`}
    order by backend_start
  `);
  return rows.flatMap(({ text, startedAt, rows: read }) => {
    const [, phase, percent, name] = /^waypost import (reading|storing)(?::(\d{1,3}))? (.*)$/.exec(text) ?? [];
    if (phase === undefined || name === undefined) return [];
    return [
      {
        phase: phase as ImportPhase,
        name,
        startedAt,
        percent: percent === undefined ? null : Number(percent),
        rows: phase === "reading" ? read : null,
      },
    ];
  });
}
