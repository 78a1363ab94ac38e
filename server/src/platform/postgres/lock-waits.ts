import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clientConfig, type Connection } from "./database.ts";

/** What a session waits for, in words. */
export type LockWait = {
  /** `a lock on scrapes`. */
  waitsFor: string;
  /** Who holds it: `session 4711 of psql (postgres), idle in transaction for 300 seconds`. */
  heldBy: string;
  seconds: number;
};

const lookEveryMs = 1_000;
/** Looks without news of the same wait: a start that waits for minutes says so every few seconds only. */
const quietLooks = 10;

/**
 * Looks every second from a connection of its own whether a session waits for a lock, and says what for: at once, and
 * again while the wait lasts. A server that does not answer has other watchers.
 */
export function watchLockWaits(connection: Connection, sessionPid: number, onWait: (wait: LockWait) => void) {
  const stopping = new AbortController();
  let latest: LockWait | undefined;
  const watching = watch().catch(() => undefined);

  async function watch() {
    let client: pg.Client | undefined;
    let looksUntilNews = 0;
    try {
      for (;;) {
        await sleep(lookEveryMs, undefined, { signal: stopping.signal, ref: false });
        client ??= await connect();
        const wait = await readWait(client, sessionPid);
        if (wait) latest = wait;
        const isNews = wait !== undefined && looksUntilNews <= 0;
        if (isNews) onWait(wait);
        looksUntilNews = wait === undefined ? 0 : isNews ? quietLooks : looksUntilNews - 1;
      }
    } finally {
      await client?.end().catch(() => undefined);
    }
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(clientConfig(connection));
    client.on("error", () => undefined); // the statement that is running rejects with it
    await client.connect();
    return client;
  }

  return {
    /** The wait that was seen last; undefined when there was none. */
    latest: () => latest,
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
    },
  };
}

type Row = { locktype: string; relation: string | null; seconds: number; holders: string[] };

async function readWait(client: pg.Client, sessionPid: number): Promise<LockWait | undefined> {
  const { rows } = await client.query<Row>(
    `
      select locktype, relation::regclass::text as relation,
        coalesce(extract(epoch from clock_timestamp() - waitstart), 0)::double precision as seconds,
        array(
          select coalesce(
            'session ' || holder.pid || ' of ' || coalesce(nullif(application_name, ''), 'a program without a name')
              || ' (' || usename || coalesce(', ' || host(client_addr), '') || '), '
              || coalesce(state || ' for ' || round(extract(epoch from clock_timestamp() - state_change)) || ' seconds',
                'whose state this user may not see'),
            'a prepared transaction')
          from unnest(pg_blocking_pids($1)) as holder (pid)
          left join pg_stat_activity using (pid)
        ) as holders
      from pg_locks
      where pid = $1 and not granted
      limit 1
    `,
    [sessionPid],
  );
  const [row] = rows;
  if (!row) return undefined;
  return { waitsFor: nameOf(row), heldBy: row.holders.join("; ") || "a session that ends now", seconds: row.seconds };
}

function nameOf({ locktype, relation }: Row): string {
  if (relation !== null) return `a lock on ${relation}`;
  return locktype === "advisory" ? "the migration of another process" : "the end of another transaction";
}
