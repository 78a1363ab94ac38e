import { Worker } from "node:worker_threads";
import type { RowBatch } from "../stage-rows.ts";
import { ImportProblem, type Problem } from "./reader.ts";
import type { Outcome, Performers } from "./tasks.ts";
import type { ThreadTask } from "./threaded-reader.ts";

export type TaskMessage = { id: number; task: unknown; number: number };
export type TaskReply =
  | { id: number; findings: unknown; batch: RowBatch; problem?: undefined }
  | { id: number; problem: Problem };

type Rows = Outcome<unknown, RowBatch>;
type Thread = { worker: Worker; waiting: Map<number, PromiseWithResolvers<Rows>> };

const youngMegabytes = 32;

/** Threads that perform tasks of one file and make rows of what they read. */
export function openTaskPool(
  file: ThreadTask,
  tasksPerThread: number,
): Performers<unknown, unknown, RowBatch> & { close(): Promise<void> } {
  const threads = Array.from({ length: file.workers }, () => startThread(file));
  let id = 0;
  return {
    tasksMax: threads.length * tasksPerThread,
    run(task, number) {
      const { worker, waiting } = threads.reduce((idlest, thread) =>
        thread.waiting.size < idlest.waiting.size ? thread : idlest,
      );
      const reply = Promise.withResolvers<Rows>();
      id += 1;
      waiting.set(id, reply);
      worker.postMessage({ id, task, number } satisfies TaskMessage, []);
      return reply.promise;
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(file: ThreadTask): Thread {
  const worker = new Worker(new URL("./task-thread.ts", import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: file.heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
  });
  const waiting: Thread["waiting"] = new Map();
  worker.on("message", (reply: TaskReply) => {
    const waiter = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.problem) waiter?.reject(new ImportProblem(reply.problem.message, reply.problem));
    else waiter?.resolve({ findings: reply.findings, output: reply.batch });
  });
  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("a thread that reads a part of a file ended without a word")));
  return { worker, waiting };
}
