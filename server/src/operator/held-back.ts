import type { Queryable } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";
import type { Finding } from "./doctor-checks.ts";

/** A transaction that is open for so long keeps vacuum from removing what died since it began. */
const heldSecondsMin = 60;
const shownMax = 5;

type Holder = { name: string; isPrepared: boolean; state: string; seconds: number };

/**
 * What holds back vacuum in this database: transactions of sessions, whose program waits or works, and prepared ones that
 * nobody has ended. Sessions of other users are seen by a superuser and by members of pg_read_all_stats alone.
 */
async function listHolders(db: Queryable): Promise<Holder[]> {
  const { rows } = await db.query<Holder>(sql`
    select pid::text || ' of ' || coalesce(nullif(application_name, ''), 'a program without a name') || ' ('
        || usename || coalesce(', ' || host(client_addr), '') || ')' as name,
      false as "isPrepared", state, extract(epoch from now() - xact_start)::double precision as seconds
    from pg_stat_activity
    where datname = current_database()
      and pid <> pg_backend_pid()
      and backend_type = 'client backend'
      and xact_start is not null
      and (backend_xmin is not null or backend_xid is not null or state like 'idle in transaction%')
    union all
    select gid, true, 'prepared', extract(epoch from now() - prepared)::double precision
    from pg_prepared_xacts
    where database = current_database()
    order by seconds desc
  `);
  return rows;
}

/** How long the oldest transaction has been open. */
export async function readOldestTransactionSeconds(db: Queryable): Promise<number> {
  const [oldest] = await listHolders(db);
  return oldest?.seconds ?? 0;
}

/** Imports keep transactions open as long as they work; whoever waits in one has forgotten it. */
export async function checkSessions(db: Queryable, secondsMin = heldSecondsMin): Promise<Finding> {
  const holders = (await listHolders(db)).filter(({ state, seconds }) => state !== "active" && seconds > secondsMin);
  const check = "sessions";
  if (holders.length === 0) return { check, state: "ok", says: "none of them holds back vacuum", fix: null };
  const shown = holders.slice(0, shownMax).map(describe).join("; ");
  const more = holders.length > shownMax ? `; and ${holders.length - shownMax} more` : "";
  const fix =
    "end it (select pg_terminate_backend(NUMBER), or rollback prepared 'NAME'), and give its program an idle_in_transaction_session_timeout: until then dead rows stay, and each claim of work reads more of them";
  return { check, state: "warning", says: `${shown}${more}`, fix };
}

function describe({ name, isPrepared, state, seconds }: Holder): string {
  const since = `for ${Math.round(seconds)} seconds`;
  return isPrepared ? `the prepared transaction ${name} is open ${since}` : `session ${name} is ${state} ${since}`;
}
