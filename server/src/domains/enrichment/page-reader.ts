import { createThreadPool, TaskFailed, type TaskLimits } from "../../platform/thread-pool.ts";
import type { PageTask, SitePage } from "./site-page.ts";
import { PageUnread } from "./page-unread.ts";

type RobotsTask = { text: Uint8Array; productToken: string; path: string };
export type ReadingTask = ({ kind: "page" } & PageTask) | ({ kind: "robots" } & RobotsTask);
export type TaskAnswer = SitePage | boolean;

/** Reads what strangers wrote, away from the thread that answers requests. Throws PageUnread and nothing else. */
export type PageReader = {
  readPage(task: PageTask, limits: TaskLimits): Promise<SitePage>;
  /** Whether a robots.txt lets us visit a path. */
  mayVisit(task: RobotsTask, limits: TaskLimits): Promise<boolean>;
  close(): Promise<void>;
};

// A page of a megabyte takes a thread about 50 ms, so two keep up with a few hundred visits at once.
const threadsMax = 2;
const waitingMax = 500;
const heapMegabytes = 128;

/** Threads start with the first page. */
export function createPageReader(): PageReader {
  const pool = createThreadPool<ReadingTask, TaskAnswer>({
    script: new URL("./page-thread.ts", import.meta.url),
    threadsMax,
    waitingMax,
    heapMegabytes,
  });

  async function run(task: ReadingTask, limits: TaskLimits): Promise<TaskAnswer> {
    try {
      return await pool.run(task, limits);
    } catch (error) {
      const isFailure = error instanceof TaskFailed && error.reason === "thread_failed";
      throw new PageUnread(isFailure ? "failed" : "timed_out", error);
    }
  }

  return {
    readPage: async (task, limits) => (await run({ kind: "page", ...task }, limits)) as SitePage,
    mayVisit: async (task, limits) => (await run({ kind: "robots", ...task }, limits)) as boolean,
    close: pool.close,
  };
}
