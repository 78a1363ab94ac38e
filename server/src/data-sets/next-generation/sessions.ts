import { availableParallelism } from "node:os";
import { advisoryLocks } from "../../platform/postgres/advisory-locks.ts";
import { type BulkConnection, openBulkConnection } from "../../platform/postgres/bulk.ts";
import type { Connection, Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

/** With less, the server sorts and groups the rows of a large file on disk. */
export const sortMegabytes = 32;

/** Fewer are stored before a second session is ready. */
const placesMin = 10_000;

type Options = {
  connection: Connection;
  signal: AbortSignal;
  places: number;
  /** How many store at once; without it two do, where nobody else uses the database. */
  sessions?: 1 | 2 | undefined;
};

/**
 * Runs the work with the session of an import and, where that slows no search down, with a second one for statements
 * that can run beside each other. The second ends with the work, whatever its outcome.
 */
export async function withSessions<Result>(
  db: BulkConnection,
  { connection, signal, places, sessions }: Options,
  work: (sessions: readonly [BulkConnection, ...BulkConnection[]]) => Promise<Result>,
): Promise<Result> {
  const isSecondWanted = sessions === undefined ? places >= placesMin && (await isAlone(db)) : sessions === 2;
  if (!isSecondWanted) return work([db]);
  const ending = new AbortController();
  const second = await openBulkConnection(connection, AbortSignal.any([signal, ending.signal])).catch(() => undefined);
  if (!second) return work([db]); // the server may have no connection left
  try {
    await second.query(sql`select pg_advisory_lock(${advisoryLocks.catalogSecondSession})`);
    await second.execute(`set work_mem = '${sortMegabytes}MB'; set synchronous_commit = off`);
    return await work([db, second]);
  } catch (error) {
    ending.abort(); // a statement that runs is canceled
    throw error;
  } finally {
    await second.end();
  }
}

/** The server may end the second session of an interrupted import a moment after the first; till then it may write. */
export async function awaitSecondSession(db: Queryable): Promise<void> {
  await db.query(sql`select pg_advisory_lock(${advisoryLocks.catalogSecondSession})`);
  await db.query(sql`select pg_advisory_unlock(${advisoryLocks.catalogSecondSession})`);
}

/** Runs the work on each session at once, and rejects only when none of them works any more. */
export async function inSessions<Result>(
  sessions: readonly BulkConnection[],
  work: (db: BulkConnection, index: number, stopping: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const stopping = new AbortController();
  const outcomes = await Promise.allSettled(
    sessions.map(async (db, index) => {
      try {
        return await work(db, index, stopping.signal);
      } catch (error) {
        stopping.abort(error); // the first of them tells why
        throw error;
      }
    }),
  );
  if (stopping.signal.aborted) throw stopping.signal.reason;
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}

const idleSeconds = 5;

/** Whether a processor is free, as far as the database can tell: services leave their name, and a command rests meanwhile. */
async function isAlone(db: Queryable): Promise<boolean> {
  if (availableParallelism() < 2) return false;
  const { rowCount: others } = await db.query(sql`
    select
    from pg_stat_activity
    where datname = current_database()
      and backend_type = 'client backend'
      and pid <> pg_backend_pid()
      and (
        application_name <> 'waypost'
        or state_change is null
        or state_change > clock_timestamp() - ${idleSeconds} * interval '1 second'
      )
    limit 1
  `);
  return others === 0;
}
