import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { batchRows, type RowBatch } from "../stage-rows.ts";
import { ImportProblem, newProgress } from "./reader.ts";
import { loadReader } from "./readers.ts";
import type { ThreadMessage, ThreadTask } from "./threaded-reader.ts";

// The body of a thread that reads one file and makes the rows of it; threaded-reader.ts starts it. At
// most `batchesAhead` wait to be stored, so that what was read and not yet stored stays small.
const { path, format, mapping, compiledFolder } = workerData as ThreadTask;
const batchesAhead = 4;
const heartbeatMs = 250;
/** What a stack that overflows or a length that cannot be says of the file. */
const tooMuch = "The file is damaged: something in it is larger or nested deeper than can be read.";
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
  const options = { signal: new AbortController().signal, progress, ...(mapping ? { mapping } : {}) };
  const read = await loadReader(format);
  for await (const batch of batchRows(read(path, options))) await pass(batch);
  send({ progress, isDone: true });
} catch (error) {
  const { message } = error as Error;
  if (error instanceof ImportProblem) send({ progress, problem: { message, offset: error.offset } });
  else if (error instanceof RangeError) send({ progress, problem: { message: tooMuch, offset: undefined } });
  else throw error;
} finally {
  clearInterval(heartbeat);
  parentPort?.close();
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
