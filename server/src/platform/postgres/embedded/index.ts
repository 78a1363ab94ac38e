import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeFolder } from "../../folders.ts";
import type { Log } from "../../log.ts";
import { advisoryLocks } from "../advisory-locks.ts";
import { clientConfig, type Connection, isDiskFull } from "../database.ts";
import { clusterConnection, openCluster } from "./cluster.ts";
import { type FolderLock, type Holder, isLock, lockFolder } from "./folder-lock.ts";
import { type Home, makeHome } from "./home.ts";
import { runServer } from "./server.ts";

export type EmbeddedPostgres = {
  connection: Connection;
  /** True when a predecessor that was killed had left it running. */
  adopted: boolean;
  stop(): Promise<void>;
};

type EmbeddedOptions = {
  dataFolder: string;
  log: Log;
  settings?: Record<string, string>;
  /** Ends a start that is not done yet. */
  signal?: AbortSignal;
};

const commandPatienceMs = 30_000;

/** Runs the data folder's own PostgreSQL for a service. A folder serves one service at a time. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataFolder, log, settings = {}, signal } = options;
  const folder = await makeDataFolder(dataFolder);
  const home = await makeHome(folder);
  const lock = await lockForService(folder, home, signal);
  return manage({ folder, home, lock, log, settings, signal });
}

/**
 * The data folder's PostgreSQL for a command: the one the service runs, or, when no service
 * runs, one of the command's own that stops with it. Another command that came meanwhile is
 * waited for: each shares a lock in the database that the first takes alone before it stops.
 */
export async function joinEmbedded({ dataFolder, log }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = await makeDataFolder(dataFolder);
  const home = await makeHome(folder);
  const deadline = Date.now() + commandPatienceMs;
  for (;;) {
    const answer = await lockFolder(home.path, "command");
    if (isLock(answer)) {
      const postgres = await manage({ folder, home, lock: answer, log, settings: {}, signal: undefined });
      return { ...postgres, stop: () => stopAfterOthers(postgres) };
    }
    let refusal: unknown;
    const joined = await tryJoining(folder, (error) => (refusal = error));
    if (joined) return joined;
    // It stays full while a command waits, and the service is not at fault.
    if (isDiskFull(refusal)) {
      throw new Error(
        `The disk of ${folder} is full, and its PostgreSQL takes no new connections (${refusal.message}). Free some space, then try again.`,
        { cause: refusal },
      );
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The data folder ${folder} is in use by ${describeHolder(answer)}, and its PostgreSQL does not answer. Stop that one, then try again.`,
        { cause: refusal },
      );
    }
    await sleep(100); // the holder of the folder is just starting, or just stopping
  }
}

/** The data folder's PostgreSQL if it runs; undefined when it does not. It starts nothing and makes nothing. */
export async function joinRunning(dataFolder: string): Promise<EmbeddedPostgres | undefined> {
  const folder = await realpath(dataFolder).catch(() => undefined);
  return folder === undefined ? undefined : tryJoining(folder);
}

async function tryJoining(
  folder: string,
  onRefusal: (error: unknown) => void = () => undefined,
): Promise<EmbeddedPostgres | undefined> {
  const connection = await clusterConnection(folder).catch(() => undefined);
  if (!connection) return undefined;
  const client = new pg.Client(clientConfig(connection));
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ shared: boolean }>("select pg_try_advisory_lock_shared($1) as shared", [
      advisoryLocks.embeddedCommands,
    ]);
    if (rows[0]?.shared) return { connection, adopted: true, stop: () => client.end() };
  } catch (error) {
    onRefusal(error); // not up yet, or on its way down: the caller tries again
  }
  await client.end().catch(() => undefined);
  return undefined;
}

async function stopAfterOthers({ connection, stop }: EmbeddedPostgres) {
  const client = new pg.Client({
    ...clientConfig(connection),
    statement_timeout: 0,
    query_timeout: 0,
    lock_timeout: commandPatienceMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.embeddedCommands]);
  } finally {
    await stop();
    await client.end().catch(() => undefined);
  }
}

type Management = {
  folder: string;
  home: Home;
  lock: FolderLock;
  log: Log;
  settings: Record<string, string>;
  signal: AbortSignal | undefined;
};

async function manage({ folder, home, lock, log, settings, signal }: Management): Promise<EmbeddedPostgres> {
  try {
    const cluster = await openCluster(folder, home);
    const server = await runServer({ cluster, log, settings, signal });
    return {
      connection: cluster.connection,
      adopted: server.adopted,
      async stop() {
        await server.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockForService(folder: string, home: Home, signal: AbortSignal | undefined): Promise<FolderLock> {
  const deadline = Date.now() + commandPatienceMs;
  for (;;) {
    const answer = await lockFolder(home.path, "service");
    if (isLock(answer)) return answer;
    if (answer.role === "service" || Date.now() > deadline) throw new Error(heldSentence(folder, answer));
    await sleep(100, undefined, { signal }); // a command lets go when it is done
  }
}

function heldSentence(folder: string, holder: Holder): string {
  return `The data folder ${folder} is in use by ${describeHolder(holder)}. Stop that one first, or set WAYPOST_DATA_DIR to another folder. To run several services on one database, set DATABASE_URL.`;
}

function describeHolder({ role, pid, host }: Holder): string {
  return pid > 0 ? `another Waypost ${role}, process ${pid} on ${host}` : "another Waypost process";
}

async function makeDataFolder(path: string): Promise<string> {
  // Under root, PostgreSQL's own user must be able to pass through; every secret inside is 0600.
  await makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  return realpath(path);
}
