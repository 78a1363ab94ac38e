import { type BulkConnection, openBulkConnection } from "../platform/postgres/bulk.ts";
import { type Connection, isDiskFull, isOutage, isStatementTimeout } from "../platform/postgres/database.ts";
import { ServiceError } from "../platform/errors.ts";
import { lockKeyOf } from "./3-stage/stage-tables.ts";
import { DatabaseLost, ImportRunning } from "./errors.ts";
import { sortMegabytes } from "./next-generation/sessions.ts";

/** The session of an interrupted import, and with it its lock, ends a moment after the import did. */
const interruptedEndsMs = 3_000;

/** Runs the work on a session that holds the lock of the data set, and ends the session. */
export async function withLockedSession<Result>(
  connection: Connection,
  name: string,
  signal: AbortSignal,
  work: (db: BulkConnection) => Promise<Result>,
): Promise<Result> {
  const db = await openBulkConnection(connection, signal).catch((error: unknown) => {
    throw lossOf(error) ?? error;
  });
  try {
    const locked = await db.lock("catalogDataSets", lockKeyOf(name), { waitMs: interruptedEndsMs });
    if (!locked) throw ImportRunning({ name });
    await db.execute(`set work_mem = '${sortMegabytes}MB'`);
    return await work(db);
  } catch (error) {
    // Reports the interruption rather than the connection that it cut.
    if (!(error instanceof ServiceError)) signal.throwIfAborted();
    throw lossOf(error) ?? error;
  } finally {
    await db.end();
  }
}

/** Reading a file fails with system calls as well: of those, only what a connection fails with counts. */
const connectionCodes: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** What an error says of a database that went away or is full; undefined when it is about something else. */
function lossOf(error: unknown): ServiceError | undefined {
  if (isDiskFull(error)) return DatabaseLost({ problem: "The disk of the database is full." }, { cause: error });
  if (!(error instanceof Error) || !isOutage(error) || isStatementTimeout(error)) return undefined;
  const isOfConnection =
    "syscall" in error
      ? error.syscall === "connect" || connectionCodes.has(codeOf(error))
      : !/^5[35]/.test(codeOf(error));
  return isOfConnection ? DatabaseLost({ problem: "The database was lost." }, { cause: error }) : undefined;
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}
