import pg from "pg";
import type { Log } from "../log.ts";
import { followingClient } from "./following-client.ts";
import { hostsOf } from "./hosts.ts";
import type { Sql } from "./sql.ts";

/** How to reach a server: a URL, or the folder of a Unix socket with a password. */
export type Connection = { url: string } | { socketFolder: string; user: string; password: string; database: string };

/** The pool or a transaction: what statements run on. */
export type Queryable = {
  query<Row>(statement: Sql): Promise<{ rows: Row[]; rowCount: number }>;
};

/** A function that receives a transaction takes part in it. */
export type Transaction = Queryable & { readonly inTransaction: true };

export type Database = Queryable & {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
};

type DatabaseOptions = {
  connection: Connection;
  connectionsMax: number;
  log: Log;
};

export function createDatabase({ connection, connectionsMax, log }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    ...("url" in connection ? followingClient(hostsOf(connection.url), () => clientConfig(connection)) : {}),
    max: connectionsMax,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
  pool.on("error", (error) => log.warn({ error: error.message }, "postgres.connection_lost"));
  const connections = createConnectionAges(pool);

  /** A statement that failed for a stale plan did nothing, so it runs again on a new connection. */
  async function query<Row>(statement: Sql): Promise<{ rows: Row[]; rowCount: number }> {
    const newest = connections.newest();
    try {
      return await ask<Row>(pool, statement);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return attemptTransaction(await connections.acquireAfter(newest), (tx) => tx.query<Row>(statement));
    }
  }

  /** A transaction that failed for a stale plan was rolled back, so its work runs once more. */
  async function transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const newest = connections.newest();
    try {
      return await attemptTransaction(await pool.connect(), work);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return attemptTransaction(await connections.acquireAfter(newest), work);
    }
  }

  return { query, transaction, end: () => pool.end() };
}

async function attemptTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let broken: Error | undefined;
  // The pool hears only idle connections; one that breaks in our hands would end the process.
  const lost = (error: Error) => (broken = error);
  client.on("error", lost);
  try {
    await client.query("begin");
    const result = await work({ inTransaction: true, query: (statement) => ask(client, statement) });
    await client.query("commit");
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away, not handed to the next caller.
    await client.query("rollback").catch((cause: unknown) => (broken = new Error("rollback failed", { cause })));
    if (isSchemaChange(error) || isReadOnly(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.off("error", lost);
    client.release(broken);
  }
}

/** Numbers the pool's connections in the order they were made, to tell old ones from new. */
function createConnectionAges(pool: pg.Pool) {
  const numbers = new WeakMap<pg.PoolClient, number>();
  let count = 0;
  pool.on("connect", (client) => numbers.set(client, (count += 1)));

  return {
    newest: () => count,
    /** Takes a connection younger than this one from the pool, and closes the older ones that it meets. */
    async acquireAfter(number: number): Promise<pg.PoolClient> {
      for (;;) {
        const client = await pool.connect();
        if ((numbers.get(client) ?? 0) > number) return client;
        client.release(true);
      }
    },
  };
}

/**
 * A connection's prepared statement was planned for a schema that has changed since. The server's
 * function is compared, because its message is translated.
 */
function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}

const undefinedColumn = "42703";
const undefinedTable = "42P01";

/**
 * Whether the schema has changed under this process, as it does when a newer version migrates beside
 * it. The statement is not at fault, and another process or a later time may succeed.
 */
export function isSchemaChange(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  return error instanceof pg.DatabaseError && (error.code === undefinedColumn || error.code === undefinedTable);
}

/** The server is a replica, or has become one: the write belongs to another host. */
function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "25006";
}

/** What the client says by itself, without a code. */
const clientOutage =
  /^(connection terminated|client (has encountered|was closed)|cannot use a pool|timeout (exceeded|expired)|query read)/i;

/** Whether the server was out of reach, going down or out of means, as opposed to refusing a statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|53|57)/.test(error.code ?? "") || isReadOnly(error);
  if (!(error instanceof Error)) return false;
  return "syscall" in error || clientOutage.test(error.message);
}

/** Every wait has a deadline: for a connection, for a lock, for an answer, for a peer that went away. */
export function clientConfig(connection: Connection): pg.ClientConfig {
  const address =
    "url" in connection
      ? { connectionString: hostsOf(connection.url).url() }
      : {
          host: connection.socketFolder,
          user: connection.user,
          password: connection.password,
          database: connection.database,
        };
  return {
    ...address,
    application_name: "waypost",
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    query_timeout: 20_000,
    keepAlive: true,
    types: { getTypeParser: typeParser },
  };
}

/** Tries to connect once; resolves to what stood in the way, or to undefined. */
export async function probe(connection: Connection): Promise<Error | undefined> {
  const client = new pg.Client(clientConfig(connection));
  client.on("error", () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ask<Row>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<{ rows: Row[]; rowCount: number }> {
  const result = await client.query({ name: statement.name, text: statement.text, values: [...statement.values] });
  // The caller names the columns in the statement it wrote; the row's type is that promise.
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
}

const int8 = 20;
const textParserOf = pg.types.getTypeParser as (oid: number, format: string) => (value: string) => unknown;

function typeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  // Every bigint of ours stays within 2^53 (the interface's own bound), so it is read as a number.
  if (oid === int8) return Number;
  return textParserOf(oid, format ?? "text");
}
