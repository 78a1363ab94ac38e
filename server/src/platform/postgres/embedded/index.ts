import { mkdir, realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { type Connection, probe } from "../database.ts";
import { clusterConnection, openCluster } from "./cluster.ts";
import { type FolderLock, type Holder, isLock, lockFolder } from "./folder-lock.ts";
import { runServer, type StopMode } from "./server.ts";

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
};

const commandPatienceMs = 30_000;

/** Runs the data folder's own PostgreSQL for a service. A folder serves one service at a time. */
export async function startEmbedded({ dataFolder, log, settings = {} }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = await makeDataFolder(dataFolder);
  const lock = await lockForService(folder);
  return manage({ folder, lock, log, settings, stopMode: "now" });
}

/**
 * The data folder's PostgreSQL for a command: the one the service runs, or, when no service
 * runs, one of the command's own that stops with it.
 */
export async function joinEmbedded({ dataFolder, log }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = await makeDataFolder(dataFolder);
  const deadline = Date.now() + commandPatienceMs;
  for (;;) {
    const answer = await lockFolder(folder, "command");
    if (isLock(answer)) return manage({ folder, lock: answer, log, settings: {}, stopMode: "wait_for_clients" });

    const connection = await clusterConnection(folder).catch(() => undefined);
    if (connection && !(await probe(connection))) return { connection, adopted: true, stop: async () => undefined };
    if (Date.now() > deadline)
      throw new Error(`Process ${answer.pid} holds the data folder ${folder}, and its PostgreSQL does not answer.`);
    await sleep(100); // whoever holds the folder is just starting, or just stopping
  }
}

type Management = {
  folder: string;
  lock: FolderLock;
  log: Log;
  settings: Record<string, string>;
  stopMode: StopMode;
};

async function manage({ folder, lock, log, settings, stopMode }: Management): Promise<EmbeddedPostgres> {
  try {
    const cluster = await openCluster(folder);
    const server = await runServer({ cluster, log, settings });
    return {
      connection: cluster.connection,
      adopted: server.adopted,
      async stop() {
        await server.stop(stopMode);
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockForService(folder: string): Promise<FolderLock> {
  const deadline = Date.now() + commandPatienceMs;
  for (;;) {
    const answer = await lockFolder(folder, "service");
    if (isLock(answer)) return answer;
    if (answer.role === "service" || Date.now() > deadline) throw new Error(heldSentence(folder, answer));
    await sleep(100); // a command lets go when it is done
  }
}

function heldSentence(folder: string, { role, pid }: Holder): string {
  return `The data folder ${folder} is in use by another Waypost ${role}, process ${pid}. Stop that one first, or set WAYPOST_DATA_DIR to another folder. To run several services on one database, set DATABASE_URL.`;
}

async function makeDataFolder(path: string): Promise<string> {
  // Under root, PostgreSQL's own user must be able to pass through; every secret inside is 0600.
  await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  return realpath(path);
}
