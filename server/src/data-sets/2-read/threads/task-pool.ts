import type { RowBatch } from "../../3-stage/stage-rows.ts";
import { openThreads } from "../../../platform/threads.ts";
import { ImportProblem, type Problem } from "../reader.ts";
import type { Performers } from "../tasks.ts";
import type { ThreadTask } from "./threaded-reader.ts";

export type TaskMessage = { task: unknown; number: number };
export type TaskReply = { findings: unknown; batch: RowBatch; problem?: undefined } | { problem: Problem };

/** Threads that perform tasks of one file and make rows of what they read. */
export function openTaskPool(
  file: ThreadTask,
  tasksPerThread: number,
): Performers<unknown, unknown, RowBatch> & { close(): Promise<void> } {
  const threads = openThreads<TaskMessage, TaskReply>(file.workers, {
    script: new URL("./task-thread.ts", import.meta.url),
    workerData: file,
    heapMegabytes: file.heapMegabytes,
    purpose: "reads a part of a file",
  });
  return {
    tasksMax: file.workers * tasksPerThread,
    async run(task, number) {
      const reply = await threads.ask({ task, number });
      if (reply.problem) throw new ImportProblem(reply.problem.message, reply.problem);
      return { findings: reply.findings, output: reply.batch };
    },
    close: () => threads.close(),
  };
}
