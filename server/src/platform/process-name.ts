/** A process of the installation, as it names itself to the database. */
export type ProcessName = { version: string; role: string; pid: number; host: string; port: number | undefined };

/** PostgreSQL keeps 63 bytes of an application's name. */
const bytesMax = 63;

/** What `pg_stat_activity` shows of a process: `waypost 0.1.0 worker 4711@host:8080`. */
export function formatProcessName({ version, role, pid, host, port }: ProcessName): string {
  const tail = port === undefined ? "" : `:${port}`;
  const start = `waypost ${version} ${role} ${pid}@`;
  return `${start}${host.slice(0, bytesMax - start.length - tail.length)}${tail}`;
}

/** Undefined for a name that no process of ours gave itself. */
export function parseProcessName(text: string): ProcessName | undefined {
  const match = /^waypost (\S+) (\S+) (\d+)@([^:]*)(?::(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, version = "", role = "", pid, host = "", port] = match;
  return { version, role, pid: Number(pid), host, port: port === undefined ? undefined : Number(port) };
}
