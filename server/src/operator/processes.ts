import { hostname } from "node:os";
import type { Database } from "../platform/postgres/database.ts";
import { parseProcessName } from "../platform/process-name.ts";
import { sql } from "../platform/postgres/sql.ts";

export type ProcessView = {
  role: string;
  version: string;
  host: string;
  pid: number;
  port: number | null;
  connections: number;
  since: string;
};

/** Every process names itself to the database; commands and others have another name. */
export async function listProcesses(db: Database): Promise<ProcessView[]> {
  const { rows } = await db.query<{ name: string; connections: number; since: Date }>(sql`
    select application_name as name, count(*) as connections, min(backend_start) as since
    from pg_stat_activity
    where datname = current_database()
    group by application_name
    order by application_name
  `);
  return rows.flatMap(({ name, connections, since }): ProcessView[] => {
    const known = parseProcessName(name);
    if (!known) return [];
    return [{ ...known, port: known.port ?? null, connections, since: since.toISOString() }];
  });
}

/** Whether a process of the service that uses the database runs on this machine. */
export async function isServedHere(db: Database): Promise<boolean> {
  const processes = await listProcesses(db);
  return processes.some(({ host }) => host !== "" && hostname().startsWith(host)); // a long one was cut
}
