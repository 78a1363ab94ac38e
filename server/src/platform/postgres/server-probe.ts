import pg from "pg";

/** Asks a server about sessions of this process, each time on a connection of its own. */
export function createServerProbe(newClient: () => pg.Client) {
  async function onClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = newClient();
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /**
   * Resolves, when the server answered, be it with a refusal, to those of the sessions in which it runs nothing;
   * rejects when it is out of reach.
   */
  async function findIdle(sessions: readonly number[]): Promise<ReadonlySet<number>> {
    try {
      return await onClient(async (client) => {
        const { rows } = await client.query<{ pid: number }>(selectBusy, [sessions]);
        const busy = new Set(rows.map(({ pid }) => pid));
        return new Set(sessions.filter((session) => !busy.has(session)));
      });
    } catch (error) {
      if (error instanceof pg.DatabaseError) return new Set();
      throw error;
    }
  }

  /** Ends those that are idle: the server would keep their locks until it notices that nobody is there. */
  async function end(sessions: readonly number[]): Promise<void> {
    await onClient((client) => client.query(endIdle, [sessions]));
  }

  return { findIdle, end };
}

// A session that has ended may have left its number to one of another process.
const ours = "pid = any($1::int[]) and application_name = current_setting('application_name')";

const selectBusy = `
  select pid
  from pg_stat_activity
  where ${ours} and state not like 'idle%'
`;

const endIdle = `
  select pg_terminate_backend(pid)
  from pg_stat_activity
  where ${ours} and state like 'idle%'
`;
