import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RecordItem } from "../../open-data/record.ts";
import { packRows } from "../stage-rows.ts";
import { problemOf } from "./reader.ts";
import { loadTaskReader } from "./readers.ts";
import type { TaskMessage, TaskReply } from "./task-pool.ts";
import type { ThreadTask } from "./threaded-reader.ts";

// The body of a thread that performs tasks of one file and makes the rows of their items; task-pool.ts
// starts it.
const { path, format, compiledFolder } = workerData as ThreadTask;
/** More than the items of any task: a block has a million objects at most, each a place and an area. */
const linesPerTask = 2 ** 22;
if (compiledFolder !== undefined) module.enableCompileCache(compiledFolder);
const reader = await loadTaskReader(format);
if (!reader) throw new Error(`${format} is read by one thread`);
const performer = await reader.open(path);

parentPort?.on("message", ({ number, task }: TaskMessage) => {
  void reply(number, task);
});

async function reply(number: number, task: unknown): Promise<void> {
  const items: RecordItem[] = [];
  try {
    const findings = await performer.perform(task, items);
    const batch = packRows(items, number * linesPerTask);
    send({ number, findings, batch }, [batch.text.buffer]);
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    send({ number, problem });
  }
}

function send(message: TaskReply, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
