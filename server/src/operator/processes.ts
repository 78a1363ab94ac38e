import { hostname } from "node:os";
import type { Database } from "../platform/postgres/database.ts";
import { parseProcessName } from "../platform/process-name.ts";
import { sql } from "../platform/postgres/sql.ts";
import { askService, type ReachSettings, type ServiceView } from "./reach.ts";

export type ProcessView = {
  role: string;
  version: string;
  host: string;
  pid: number;
  port: number | null;
  connections: number;
  since: string;
};

/** A process and what it answers; null for one that listens on no port. */
export type AskedProcess = ProcessView & { state: ServiceView["state"] | null };

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
  return (await listProcesses(db)).some(isHere);
}

function isHere({ host }: ProcessView): boolean {
  return host !== "" && hostname().startsWith(host); // a long one was cut
}

/** Asks each process at its port: those of this machine at the address of the settings, others at their host's. */
export async function askProcesses(
  processes: readonly ProcessView[],
  { host }: Pick<ReachSettings, "host">,
): Promise<{ processes: AskedProcess[]; answering: ServiceView | undefined }> {
  const asked = await Promise.all(
    processes.map(async (each) => {
      const { port } = each;
      const view = port === null ? undefined : await askService({ host: isHere(each) ? host : each.host, port });
      return { each, view };
    }),
  );
  return {
    processes: asked.map(({ each, view }) => ({ ...each, state: view?.state ?? null })),
    answering: asked.flatMap(({ view }) => (view && view.state !== "no_answer" ? [view] : []))[0],
  };
}
