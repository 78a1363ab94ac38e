import { callbackify } from "node:util";
import pg from "pg";
import type { Log } from "../log.ts";
import { followingClient } from "./following-client.ts";
import { hostsOf } from "./hosts.ts";
import { createServerProbe } from "./server-probe.ts";
import type { Sql } from "./sql.ts";
import { type Answer, answerOf, ask, command, send } from "./statements.ts";
import { createStallWatch, DatabaseStalled, type StallLimits, type StallWatch, type Waiter } from "./stall-watch.ts";
import { watched, watchedClient } from "./watched-client.ts";

/** How to reach a server: a URL, or the folder of a Unix socket with a password. */
export type Connection = (
  | { url: string }
  | { socketFolder: string; user: string; password: string; database: string }
) & {
  /** Who connects, as the server lists it; at most 63 bytes of it are kept. */
  applicationName?: string;
};

/** The pool or a transaction: what statements run on. */
export type Queryable = {
  query<Row>(statement: Sql): Promise<Answer<Row>>;
};

/** A function that receives a transaction takes part in it. */
export type Transaction = Queryable & { readonly inTransaction: true };

export type Database = Queryable & {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  pool(): PoolStatus;
  end(): Promise<void>;
};

type TransactionOptions = {
  /** How long each statement may take, where that is longer or shorter than what a request may wait. */
  statementMs?: number;
};

export type PoolStatus = {
  connectionsMax: number;
  /** Connections that exist, and those of them that nobody uses. */
  connections: number;
  idle: number;
  /** Callers that wait for a connection now. */
  waiting: number;
  /** How often a connection was handed out, and how long callers waited for them altogether. */
  acquired: number;
  waitedSeconds: number;
  /** The database answers nothing. */
  isStalled: boolean;
  /** When a statement last failed because the server's disk was full, by performance.now(). */
  diskFullAt: number | undefined;
};

type DatabaseOptions = {
  connection: Connection;
  connectionsMax: number;
  log: Log;
  /** How soon a server that answers nothing is given up. */
  stallLimits?: StallLimits;
};

export function createDatabase({ connection, connectionsMax, log, stallLimits }: DatabaseOptions): Database {
  const config = () => clientConfig(connection);
  const Client = "url" in connection ? followingClient(hostsOf(connection.url), config) : watchedClient(config);
  const pool = new pg.Pool({
    ...clientConfig(connection),
    Client,
    verify: callbackify((client: pg.ClientBase) => watched(client).askSession()),
    max: connectionsMax,
    min: Math.min(2, connectionsMax), // opening another took a search 73 ms beside an import
    idleTimeoutMillis: 30_000,
  });
  let isEnding = false;
  // A connection that breaks is replaced by the pool; unheard, either event would end the process.
  pool.on("error", (error) => {
    // The embedded server may end before it reads that these connections close.
    if (!isEnding) log.warn({ error: error.message }, "postgres.connection_lost");
  });
  pool.on("connect", (client) => client.on("error", () => undefined));
  const server = createServerProbe(() => new Client());
  const watch = createStallWatch({
    probe: server.findIdle,
    onSilent(sessions) {
      connections.distrust(); // what took one may have taken the others
      server.end(sessions).catch(() => undefined); // the server ends them by itself, only later
    },
    log,
    ...(stallLimits ? { limits: stallLimits } : {}),
  });
  const connections = createConnectionAges(pool, acquire);
  let acquired = 0;
  let waitedMs = 0;
  let diskFullAt: number | undefined;

  /** Takes a connection from the pool. One that comes when nobody waits any longer goes back. */
  function acquire(): Promise<pg.PoolClient> {
    return watch.run<pg.PoolClient>((done, waiter) => connect(waiter, done));
  }

  function connect(waiter: Waiter, done: (error?: Error, client?: pg.PoolClient) => void): void {
    const startedAt = performance.now();
    pool.connect((failure, client) => {
      if (!client) return done(failure ?? new DatabaseStalled());
      if (connections.isDistrusted(client)) {
        client.release(true);
        return connect(waiter, done);
      }
      acquired += 1;
      waitedMs += performance.now() - startedAt;
      if (waiter.isAbandoned) client.release();
      else done(undefined, client);
    });
  }

  /**
   * One statement on a connection of the pool, which is thrown away when the statement fails or is abandoned.
   * With callbacks: awaiting the connection and then the statement took 80 µs more each time, of 270 µs.
   *
   * A statement that failed for a stale plan did nothing, so it runs again on a new connection.
   */
  async function query<Row>(statement: Sql): Promise<Answer<Row>> {
    const newest = connections.newest();
    let used: pg.PoolClient | undefined;
    let isSent = false;
    try {
      return await watch.run<Answer<Row>>((done, waiter) =>
        connect(waiter, (failure, client) => {
          if (!client) return done(failure);
          used = client;
          isSent = true;
          waiter.sent = watched(client).sent();
          send(client, statement, (error, result) => {
            if (waiter.isAbandoned) return;
            used = undefined;
            client.release(error ?? undefined);
            done(error, error ? undefined : answerOf<Row>(result));
          });
        }),
      );
    } catch (error) {
      used?.release(error as Error);
      if (isSent && writes.test(statement.text)) markUnconfirmed(error);
      if (!isStalePlan(error)) throw note(error);
      return attemptTransaction(await connections.acquireAfter(newest), watch, (tx) => tx.query<Row>(statement));
    }
  }

  /** A transaction that failed for a stale plan was rolled back, so its work runs once more. */
  async function transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    const newest = connections.newest();
    try {
      return await attemptTransaction(await acquire(), watch, work, options);
    } catch (error) {
      if (!isStalePlan(error)) throw note(error);
      return attemptTransaction(await connections.acquireAfter(newest), watch, work, options);
    }
  }

  function note(error: unknown): unknown {
    if (isDiskFull(error)) diskFullAt = performance.now();
    return error;
  }

  return {
    query,
    transaction,
    pool: () => ({
      connectionsMax,
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      acquired,
      waitedSeconds: waitedMs / 1_000,
      isStalled: watch.isStalled(),
      diskFullAt,
    }),
    async end() {
      watch.stop();
      isEnding = true;
      await pool.end();
    },
  };
}

async function attemptTransaction<Result>(
  client: pg.PoolClient,
  watch: StallWatch,
  work: (tx: Transaction) => Promise<Result>,
  { statementMs }: TransactionOptions = {},
): Promise<Result> {
  const readMs = statementMs === undefined ? undefined : statementMs + readGraceMs;
  let begun: Promise<unknown> | undefined;
  let broken: Error | undefined;

  async function query<Row>(statement: Sql): Promise<Answer<Row>> {
    await begin();
    return ask<Row>(watch, client, statement, readMs);
  }
  function begin(): Promise<unknown> {
    return (begun ??= command(watch, client, "begin"));
  }

  try {
    if (statementMs !== undefined) {
      await begin();
      await command(watch, client, `set local statement_timeout = ${statementMs}`);
    }
    const result = await work({ inTransaction: true, query });
    if (begun) await command(watch, client, "commit").catch(rejectUnconfirmed);
    return result;
  } catch (error) {
    if (isSchemaChange(error) || isReadOnly(error) || isLost(error)) broken = error as Error;
    // A connection that cannot even roll back is thrown away, not handed to the next caller.
    const rollback = begun && !isLost(error) && command(watch, client, "rollback");
    if (rollback) await rollback.catch((cause: unknown) => (broken = new Error("rollback failed", { cause })));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Numbers the pool's connections in the order they were made, to tell old ones from new. */
function createConnectionAges(pool: pg.Pool, acquire: () => Promise<pg.PoolClient>) {
  const numbers = new WeakMap<pg.PoolClient, number>();
  let count = 0;
  let distrusted = 0;
  pool.on("connect", (client) => numbers.set(client, (count += 1)));

  return {
    newest: () => count,
    /** Those that exist now are not used again. */
    distrust: () => void (distrusted = count),
    isDistrusted: (client: pg.PoolClient) => (numbers.get(client) ?? 0) <= distrusted,
    /** Takes a connection younger than this one from the pool, and closes the older ones that it meets. */
    async acquireAfter(number: number): Promise<pg.PoolClient> {
      for (;;) {
        const client = await acquire();
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

/** The statement took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "57014";
}

export function isDiskFull(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === "53100";
}

export function isWrongPassword(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "28P01";
}

/** What the client says by itself, without a code. */
const clientOutage =
  /^(connection terminated|client (has encountered|was closed)|cannot use a pool|timeout (exceeded|expired)|query read)/i;

/** Another transaction held a lock for longer than a statement waits. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "55P03";
}

/**
 * The server undid the statement for a reason that is not the statement's: its disk failed (58030) or takes no writes,
 * which it calls a lack of rights (42501), or two transactions waited for each other (40P01).
 */
function isPassing({ code, message }: pg.DatabaseError): boolean {
  return code === "58030" || code === "40P01" || (code === "42501" && message.includes("Read-only file system"));
}

/** The connection answers nothing any more, not even a rollback, which the server then does by itself. */
function isLost(error: unknown): boolean {
  return isOutage(error) && !(error instanceof pg.DatabaseError);
}

/** Whether the server was out of reach, going down, out of means or held up, as opposed to refusing a statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseStalled) return true;
  if (error instanceof pg.DatabaseError) {
    return /^(08|53|57)/.test(error.code ?? "") || isReadOnly(error) || isLockTimeout(error) || isPassing(error);
  }
  if (!(error instanceof Error)) return false;
  return "syscall" in error || clientOutage.test(error.message);
}

/** Outages in which a write may have been made although its answer did not come. */
const unconfirmed = new WeakSet<object>();
const writes = /\b(insert into|update|delete from)\b/i;

/** Whether an outage leaves open what was written; after any other nothing was. */
export function isUnconfirmed(error: Error): boolean {
  return unconfirmed.has(error);
}

function markUnconfirmed(error: unknown): void {
  if (error instanceof Error && isOutage(error) && !isRefusal(error)) unconfirmed.add(error);
}

function rejectUnconfirmed(error: unknown): never {
  markUnconfirmed(error);
  throw error;
}

/** The server said that it did not do it. One that is going down (57P) may have. */
function isRefusal(error: Error): boolean {
  return error instanceof pg.DatabaseError && !error.code?.startsWith("57P");
}

const statementTimeoutMs = 15_000;
/** How much later than the server the client gives a statement up. */
const readGraceMs = 5_000;
/** Sooner than firewalls forget a quiet connection; the system's own default is two hours. */
const keepAliveMs = 15_000;

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
    application_name: connection.applicationName ?? "waypost",
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    query_timeout: statementTimeoutMs + readGraceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser: typeParser },
  };
}

/** Tries to connect once; resolves to what stood in the way, or to undefined. */
export async function probe(connection: Connection): Promise<Error | undefined> {
  let client: pg.Client | undefined;
  try {
    // Reads the files that the URL names.
    client = new pg.Client(clientConfig(connection));
    client.on("error", () => undefined);
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client?.end().catch(() => undefined);
  }
}

const int8 = 20;
const textParserOf = pg.types.getTypeParser as (oid: number, format: string) => (value: string) => unknown;

function typeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  // Every bigint of ours stays within 2^53 (the interface's own bound), so it is read as a number.
  if (oid === int8) return Number;
  return textParserOf(oid, format ?? "text");
}
