import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";
import { clientConfig, type Connection, isDiskFull, isOutage, probe } from "./database.ts";
import { DatabaseProblem, explainConnectionFailure, isMisconfigured } from "./database-problem.ts";
import { hostsOf } from "./hosts.ts";

const retryMs = 500;
const reportMs = 5_000;

/** Waits for a server that is not up yet, as in a composition whose parts start together. */
export async function waitUntilReachable(
  connection: Connection,
  { seconds, log, signal }: { seconds: number; log: Log; signal: AbortSignal },
): Promise<void> {
  const start = Date.now();
  let reported = start;
  for (;;) {
    const error = await probePrimary(connection);
    if (!error) return refuseUnfit(connection);
    const isComing = isOutage(error) && !isMisconfigured(error);
    if (!isComing || Date.now() - start >= seconds * 1_000)
      throw explainConnectionFailure(error, ` within ${seconds} s`);
    if (Date.now() - reported >= reportMs) {
      log.warn({ error: error.message }, "postgres.waiting");
      reported = Date.now();
    }
    await sleep(retryMs, undefined, { signal });
  }
}

/** Tries to connect once, to whichever of several hosts takes writes; resolves to what stood in the way, or to undefined. */
export async function probePrimary(connection: Connection): Promise<Error | undefined> {
  if ("url" in connection) await hostsOf(connection.url).find();
  return probe(connection);
}

type Patience = {
  seconds: number;
  signal: AbortSignal;
  /** Is called at the first failure and every few seconds, so that an operator need not wait for the last one. */
  onOutage(error: unknown): void;
};

/**
 * Repeats work that the server's absence cuts off: to a process that starts on a busy machine, it may seem away. A full
 * disk stays full while a start waits, and a file unreadable, so they are thrown at once.
 */
export async function retryOutages<Result>(
  work: () => Promise<Result>,
  { seconds, signal, onOutage }: Patience,
): Promise<Result> {
  const start = Date.now();
  let reported = -Infinity;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted(); // what the abort cut off is no outage
      const mayPass = isOutage(error) && !isDiskFull(error) && !isOfFile(error);
      if (!mayPass || Date.now() - start >= seconds * 1_000) throw error;
      if (Date.now() - reported >= reportMs) {
        onOutage(error);
        reported = Date.now();
      }
    }
    await sleep(retryMs, undefined, { signal });
  }
}

/** Errors of connections have an address, and those of files a path. */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && "path" in error;
}

const sharingRounds = 5;

/** A server that answers may still be one that the service cannot work with. */
export async function refuseUnfit(connection: Connection): Promise<void> {
  const [one, other] = [new pg.Client(clientConfig(connection)), new pg.Client(clientConfig(connection))];
  try {
    for (const client of [one, other]) {
      client.on("error", () => undefined);
      await client.connect();
    }
    await refuseOtherEncodings(one);
    await refuseSharedSessions(one, other);
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)));
  }
}

/** SQL_ASCII takes every byte as it comes; any other encoding than UTF8 lacks the letters of some names. */
async function refuseOtherEncodings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>("select current_setting('server_encoding') as encoding");
  const encoding = rows[0]?.encoding;
  if (encoding === "UTF8" || encoding === "SQL_ASCII") return;
  throw new DatabaseProblem(
    `The database of DATABASE_URL has the encoding ${encoding}, which cannot hold every name`,
    "Make one with UTF8, as `create database … encoding 'UTF8' template template0` does",
  );
}

/**
 * A pooler that hands one session to many clients breaks LISTEN and prepared statements. It shows when one
 * connection sees what another has set for its session.
 */
async function refuseSharedSessions(one: pg.Client, other: pg.Client): Promise<void> {
  for (let round = 1; round <= sharingRounds; round += 1) {
    const mark = `${process.pid}-${Date.now()}-${round}`;
    await one.query("select set_config('waypost.session', $1, false)", [mark]);
    const { rows } = await other.query<{ seen: string }>("select current_setting('waypost.session', true) as seen");
    if (rows[0]?.seen !== mark) continue;
    throw new DatabaseProblem(
      "DATABASE_URL goes through a pooler that shares sessions between clients, such as PgBouncer with pool_mode = transaction; LISTEN and prepared statements do not survive that",
      "Set pool_mode = session for this database, or point DATABASE_URL at PostgreSQL itself",
    );
  }
}
