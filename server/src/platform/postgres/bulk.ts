import { once } from "node:events";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { advisoryLockSpaces } from "./advisory-locks.ts";
import { clientConfig, type Connection, type Queryable } from "./database.ts";
import { lowerSession } from "./session-priority.ts";

/** A connection of its own for work that takes longer than any request may; where it can, at this process's priority. */
export type BulkConnection = Queryable & {
  /** Runs a script without parameters: several statements, or one that cannot be prepared. */
  execute(text: string): Promise<void>;
  /** Streams COPY text into a table or columns of it, given as `table (column, …)`. */
  copy(target: string, text: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<number>;
  /** Takes an advisory lock for as long as the connection lasts, or says false when another session keeps it. */
  lock(space: LockSpace, key: number, options: { waitMs: number }): Promise<boolean>;
  end(): Promise<void>;
};

type LockSpace = keyof typeof advisoryLockSpaces;

const lockNotAvailable = "55P03";

/** Ending it, or losing its process, undoes what it had not committed. An abort ends it at once. */
export async function openBulkConnection(connection: Connection, signal: AbortSignal): Promise<BulkConnection> {
  signal.throwIfAborted();
  const client = new pg.Client({
    ...clientConfig(connection),
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    lock_timeout: 600_000,
  });
  client.on("error", () => undefined); // the next statement fails with it
  await client.connect();
  // A server looks for a client that died only between statements, unless it can do better on its system.
  await client.query("set client_connection_check_interval = '1s'").catch(() => undefined);
  const { pid } = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0] ?? { pid: 0 };
  await lowerSession({ host: client.host, pid });
  const interrupt = () => void cancelBackend(connection, pid).then(() => client.end().catch(() => undefined));
  signal.addEventListener("abort", interrupt, { once: true });

  let last: Promise<unknown> = Promise.resolve();

  /** Callers need not wait for each other; the driver takes a statement once it has answered the one before. */
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const turn = last.then(() => {
      signal.throwIfAborted();
      return run();
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    async query(statement) {
      const { text, values } = statement;
      const { rows, rowCount } = await inTurn(() => client.query({ text, values: [...values] }));
      return { rows, rowCount: rowCount ?? 0 };
    },
    async execute(text) {
      await inTurn(() => client.query(text));
    },
    copy: (target, text) =>
      inTurn(async () => {
        const stream = client.query(copyFrom(`copy ${target} from stdin`));
        const failed = new Promise<never>((_, reject) => stream.on("error", reject));
        failed.catch(() => undefined); // raced below whenever something is waited for
        try {
          for await (const chunk of text) {
            signal.throwIfAborted();
            if (!stream.write(chunk)) await Promise.race([once(stream, "drain"), failed]);
          }
          stream.end();
          await Promise.race([once(stream, "finish"), failed]);
          return stream.rowCount;
        } catch (error) {
          stream.destroy(error instanceof Error ? error : new Error(String(error)));
          throw error;
        }
      }),
    async lock(space, key, { waitMs }) {
      signal.throwIfAborted();
      await client.query(`set lock_timeout = ${waitMs}`);
      try {
        await client.query("select pg_advisory_lock($1::integer, $2::integer)", [advisoryLockSpaces[space], key]);
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false;
        throw error;
      }
      await client.query("reset lock_timeout");
      return true;
    },
    async end() {
      signal.removeEventListener("abort", interrupt);
      await client.end().catch(() => undefined);
    },
  };
}

/** A query that is running does not hear that its client left; this tells the server to stop it. */
async function cancelBackend(connection: Connection, pid: number): Promise<void> {
  const client = new pg.Client(clientConfig(connection));
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select pg_cancel_backend($1)", [pid]);
  } catch {
    // The server is gone, and with it the work.
  } finally {
    await client.end().catch(() => undefined);
  }
}
