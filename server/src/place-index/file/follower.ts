import { Worker } from "node:worker_threads";
import type { Log } from "../../platform/log.ts";
import type { Connection } from "../../platform/postgres/database.ts";

/** What the thread is started with. */
export type FollowerSettings = { path: string; connection: Connection; placesPerBatch?: number };
export type FollowerOrder = "wake" | "stop";
export type FollowerReport = { log: { level: keyof Log; fields: object; message: string } } | { looked: true };

type FollowerOptions = FollowerSettings & { log: Log };

/** How soon a thread that failed is started again. */
const restartMs = 1_000;

/**
 * Follows the catalog in a thread of its own, or waits there until the process that does so ends. At most one process of a
 * machine follows: the one that holds the lock of the folder.
 */
export function startFollower({ log, ...settings }: FollowerOptions) {
  const looked = Promise.withResolvers<void>();
  let isStopping = false;
  let restart: NodeJS.Timeout | undefined;
  let worker = start();

  function start(): Worker {
    const next = new Worker(new URL("follow-thread.ts", import.meta.url), { workerData: settings });
    next.unref();
    next.on("message", (report: FollowerReport) => {
      if ("looked" in report) looked.resolve();
      else log[report.log.level](report.log.fields, report.log.message);
    });
    next.on("error", (error) => log.error({ err: error }, "place_index.follower_failed"));
    next.on("exit", () => {
      if (isStopping) return;
      restart = setTimeout(() => (worker = start()), restartMs);
      restart.unref();
    });
    return next;
  }

  const send = (order: FollowerOrder) => worker.postMessage(order, []);
  return {
    /** Has the follower look at once: the catalog has another generation, or a search met damage. */
    wake: () => send("wake"),
    /** The first look is done: from then on the folder says what is missing. */
    looked: looked.promise,
    /** A step of SQLite's that sorts a large file is waited for: nothing can interrupt it. */
    async stop(): Promise<void> {
      isStopping = true;
      clearTimeout(restart);
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      if (worker.threadId === -1) return;
      send("stop");
      await ended;
    },
  };
}
