import module from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RecordItem } from "../../open-data/record.ts";
import { ImportProblem, newProgress } from "./reader.ts";
import { loadReader } from "./readers.ts";
import type { ThreadMessage, ThreadTask } from "./threaded-reader.ts";

// The body of a thread that reads one file; threaded-reader.ts starts it. A batch waits until the
// last one has been taken, so that what was read and not yet stored stays small.
const { path, format, mapping, compiledFolder } = workerData as ThreadTask;
const batchMax = 500;
const heartbeatMs = 250;
/** What a stack that overflows or a length that cannot be says of the file. */
const tooMuch = "The file is damaged: something in it is larger or nested deeper than can be read.";
const progress = newProgress();
// A thread does not inherit it, and compiling the modules takes most of the time that a small file needs.
if (compiledFolder !== undefined) module.enableCompileCache(compiledFolder);
let taken = Promise.withResolvers<void>();

parentPort?.on("message", () => taken.resolve());
const heartbeat = setInterval(() => send({ progress }), heartbeatMs);
try {
  let batch: RecordItem[] = [];
  const options = { signal: new AbortController().signal, progress, ...(mapping ? { mapping } : {}) };
  const read = await loadReader(format);
  for await (const item of read(path, options)) {
    if (batch.push(item) < batchMax) continue;
    await pass(batch);
    batch = [];
  }
  if (batch.length > 0) await pass(batch);
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

async function pass(items: RecordItem[]): Promise<void> {
  taken = Promise.withResolvers();
  send({ progress, items });
  await taken.promise;
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message, []);
}
