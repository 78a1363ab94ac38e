import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { problemOf } from "../reader.ts";
import { loadReader } from "../readers.ts";
import type { Numbered } from "../../../platform/threads.ts";
import type { TaskMessage, TaskReply } from "./task-pool.ts";
import { performAsRows, wantedItems } from "./task-rows.ts";
import type { ThreadTask } from "./threaded-reader.ts";

// The body of a thread that performs tasks of one file and makes the rows of their items; task-pool.ts
// starts it.
const file = workerData as ThreadTask;
const { path, format, part, dataSet, compiledFolder } = file;
if (compiledFolder !== undefined) module.enableCompileCache(compiledFolder);
const { open } = await loadReader(format);
const performer = await open(path, { dataSet });
const isWanted = wantedItems(file);

parentPort?.on("message", (message: Numbered<TaskMessage>) => {
  void reply(message);
});

async function reply({ number, content: { task, number: taskNumber } }: Numbered<TaskMessage>): Promise<void> {
  function send(content: TaskReply, transferred: ArrayBuffer[] = []): void {
    parentPort?.postMessage({ number, content } satisfies Numbered<TaskReply>, transferred);
  }
  try {
    const { findings, output: batch } = await performAsRows(performer, task, { number: taskNumber, part, isWanted });
    send({ findings, batch }, [batch.text.buffer]);
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    send({ problem });
  }
}
