import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../platform/log.ts";
import type { Connection, Queryable } from "../../platform/postgres/database.ts";
import { readInstallation } from "./catalog-rows.ts";
import { openIndexFolder } from "./folder.ts";
import { startFollower } from "./follower.ts";
import { type IndexStatus, readIndexStatus } from "./status.ts";
import { createSearchThreads } from "./threads.ts";

type MachineIndexDeps = {
  path: string;
  db: Queryable;
  /** Of the follower, which has a connection of its own. */
  connection: Connection;
  log: Log;
};

/** A start waits no longer for the first look. */
const lookMs = 5_000;

export type MachineIndex = Awaited<ReturnType<typeof openMachineIndex>>;

/** The place index of this machine: follows the catalog, or waits to take over from the process that does, and searches. */
export async function openMachineIndex({ path, db, connection, log }: MachineIndexDeps) {
  openIndexFolder(path); // refuses a folder that cannot hold it before anything starts
  const installation = await readInstallation(db);
  const follower = startFollower({ path, connection, log });
  const threads = createSearchThreads({ path, installation, onDamage: follower.wake });
  let hasLooked = false;
  let wasReady = false;
  void follower.looked.then(() => (hasLooked = true));
  // A process says that it is ready when it knows that nothing is missing.
  await Promise.race([follower.looked, sleep(lookMs, undefined, { ref: false })]);

  /** Why this process cannot search the catalog yet; a file that it once had is replaced without a word. */
  function missing(): string | undefined {
    if (wasReady) return undefined;
    const status = readIndexStatus(path);
    const waitsFor = hasLooked && status ? waitsForOf(status) : "nobody has looked at it yet";
    wasReady = waitsFor === undefined;
    return waitsFor === undefined ? undefined : `the place index is not ready: ${waitsFor}`;
  }

  async function stop(): Promise<void> {
    await threads.close();
    await follower.stop();
  }

  return {
    ask: threads.ask,
    waitFor: threads.waitFor,
    /** The catalog has another generation. */
    wake: follower.wake,
    missing,
    status: () => readIndexStatus(path),
    stop,
  };
}

function waitsForOf({ waitsFor, problem }: IndexStatus): string | undefined {
  return waitsFor === null ? undefined : (problem ?? waitsFor);
}
