// The thread of the process that keeps the index file of its machine like the catalog.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type FileLock, tryFileLock } from "../../platform/file-lock.ts";
import type { Log } from "../../platform/log.ts";
import { createDatabase } from "../../platform/postgres/database.ts";
import { createFollowing } from "./follow.ts";
import { lockPath, openIndexFolder } from "./folder.ts";
import type { FollowerOrder, FollowerReport, FollowerSettings } from "./follower.ts";
import { type FollowerState, writeState } from "./follower-state.ts";

/** Covers notifications that were lost, and marks of damage that other processes make. */
const pollMs = 1_000;
/** How soon another process takes over. */
const takeoverMs = 500;
/** How often the progress of a build is written. */
const progressMs = 200;

const { path, connection, ...options } = workerData as FollowerSettings; // follower.ts passes it
const port = parentPort;
if (!port) throw new Error("this file runs as a thread");
const tell = (report: FollowerReport) => port.postMessage(report, []);
const say = (level: keyof Log) => (fields: object, message: string) =>
  tell({ log: { level, fields: plain(fields), message } });
const log: Log = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };

const stopping = new AbortController();
let wake = () => {};
port.on("message", (order: FollowerOrder) => {
  if (order === "stop") stopping.abort();
  wake();
});

await run();
port.close();

async function run(): Promise<void> {
  const folder = openIndexFolder(path);
  const db = createDatabase({ connection, connectionsMax: 2, log });
  const following = createFollowing({ folder, db, log, report: createStateWriter(), ...options });
  let lock: FileLock | undefined;
  let lastProblem: string | undefined;
  while (!stopping.signal.aborted) {
    // A message that comes during the step ends the wait after it.
    const waiting = nextWake();
    lock ??= tryFileLock(lockPath(path));
    if (lock) {
      const problem = await following.step(stopping.signal).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
      if (problem && problem.message !== lastProblem && !stopping.signal.aborted) {
        log.error({ err: problem }, "place_index.follow_failed");
      }
      lastProblem = problem?.message;
    }
    tell({ looked: true });
    await waiting(lock ? pollMs : takeoverMs);
  }
  following.close();
  lock?.release();
  await db.end();
}

function nextWake() {
  const woken = Promise.withResolvers<void>();
  wake = woken.resolve;
  if (stopping.signal.aborted) woken.resolve();
  return async (ms: number) => {
    const timer = new AbortController();
    await Promise.race([woken.promise, sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  };
}

function createStateWriter(): (state: FollowerState) => void {
  let written = "";
  let writtenAt = 0;
  return (state) => {
    const text = JSON.stringify(state);
    const isBetween = state.build !== null && state.build.done < state.build.total;
    if (text === written || (isBetween && performance.now() - writtenAt < progressMs)) return;
    written = text;
    writtenAt = performance.now();
    try {
      writeState(path, state);
    } catch (error) {
      log.warn({ err: error }, "place_index.state_not_written"); // a full disk keeps nobody from following
    }
    tell({ looked: true });
  };
}

/** Errors cross threads without the fields that they have beside the message. */
function plain(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? String(value.stack) : value]),
  );
}
