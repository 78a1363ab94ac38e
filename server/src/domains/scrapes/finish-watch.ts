import type { Log } from "../../platform/log.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { Notifications } from "../../platform/postgres/notifications.ts";
import { scrapesFinishedChannel } from "./channels.ts";
import { listFinished } from "./store.ts";

type WatchDeps = { db: Queryable; notifications: Notifications; log: Log };

const pollMs = 1_000;
const waitersMax = 10_000;

/**
 * Lets calls wait for the end of jobs without holding a connection each: notifications wake them,
 * and one poll a second for all of them together makes up for lost notifications.
 */
export function createFinishWatch({ db, notifications, log }: WatchDeps) {
  const waiting = new Map<string, Set<() => void>>();
  let waiters = 0;
  let isStopped = false;

  notifications.on(scrapesFinishedChannel, (ids) => {
    if (ids === undefined) void poll();
    else for (const uuid of ids.split(",")) wake(uuid);
  });
  const timer = setInterval(() => void poll(), pollMs);
  timer.unref();

  /** Resolves when the job has ended, the time is over or the signal is aborted; false when it cannot wait. */
  async function ended(uuid: string, seconds: number, signal: AbortSignal): Promise<boolean> {
    if (isStopped || signal.aborted || waiters >= waitersMax) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timeout = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener("abort", () => resolve(), { once: true });
    waiting.set(uuid, (waiting.get(uuid) ?? new Set()).add(resolve));
    waiters += 1;
    try {
      // It may have ended before we began to listen.
      await poll([uuid]);
      await promise;
      return true;
    } finally {
      clearTimeout(timeout);
      waiters -= 1;
      const others = waiting.get(uuid);
      others?.delete(resolve);
      if (others?.size === 0) waiting.delete(uuid);
    }
  }

  async function poll(uuids: readonly string[] = [...waiting.keys()]) {
    if (uuids.length === 0) return;
    try {
      for (const uuid of await listFinished(db, uuids)) wake(uuid);
    } catch (error) {
      log.warn({ waiting: uuids.length, error: (error as Error).message }, "scrapes.watch_failed");
    }
  }

  function wake(uuid: string) {
    for (const resolve of waiting.get(uuid) ?? []) resolve();
  }

  /** Wakes every waiting caller and refuses new ones. */
  function stop() {
    isStopped = true;
    clearInterval(timer);
    for (const uuid of waiting.keys()) wake(uuid);
  }

  return { ended, stop };
}

export type FinishWatch = ReturnType<typeof createFinishWatch>;
