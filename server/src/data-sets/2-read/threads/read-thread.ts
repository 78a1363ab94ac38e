import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RowBatch } from "../../3-stage/stage-rows.ts";
import { newProgress, problemOf } from "../reader.ts";
import { loadReader } from "../readers.ts";
import { openTaskPool } from "./task-pool.ts";
import type { ThreadMessage, ThreadTask } from "./threaded-reader.ts";

// The body of a thread that reads one file and makes the rows of it; threaded-reader.ts starts it. At
// most `batchesAhead` wait to be stored, so that what was read and not yet stored stays small.
const file = workerData as ThreadTask;
const { path, format, mapping, compiledFolder, workers } = file;
const batchesAhead = 2;
const heartbeatMs = 250;
const progress = newProgress();
// A thread does not inherit it, and compiling the modules takes most of the time that a small file needs.
if (compiledFolder !== undefined) module.enableCompileCache(compiledFolder);
let room = batchesAhead;
let hasRoom = Promise.withResolvers<void>();

parentPort?.on("message", () => {
  room += 1;
  hasRoom.resolve();
});
const heartbeat = setInterval(() => send({ progress }), heartbeatMs);
try {
  for await (const batch of readBatches()) if (batch.text.length > 0 || batch.skipped > 0) await pass(batch);
  send({ progress, isDone: true });
} catch (error) {
  const problem = problemOf(error);
  if (!problem) throw error;
  send({ progress, problem });
} finally {
  clearInterval(heartbeat);
  parentPort?.close();
}

async function* readBatches(): AsyncGenerator<RowBatch, void, undefined> {
  const options = { signal: new AbortController().signal, progress, ...(mapping ? { mapping } : {}) };
  const reader = await loadReader(format);
  const performers =
    workers > 0
      ? openTaskPool(file, reader.tasksPerThread)
      : await (await import("./task-rows.ts")).openRowPerformers(reader, file);
  try {
    yield* reader.plan(path, options, performers);
  } finally {
    await performers.close();
  }
}

async function pass(batch: RowBatch): Promise<void> {
  hasRoom = Promise.withResolvers();
  if (room === 0) await hasRoom.promise;
  room -= 1;
  send({ progress, batch }, [batch.text.buffer]);
}

function send(message: ThreadMessage, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
