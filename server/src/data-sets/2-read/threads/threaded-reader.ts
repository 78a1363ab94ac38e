import { open, stat } from "node:fs/promises";
import { getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Extent } from "../../../geography/extent.ts";
import type { RowBatch } from "../../3-stage/stage-rows.ts";
import type { CsvMapping } from "../tables/csv.ts";
import type { Format } from "../detect.ts";
import { ImportProblem, newProgress, type Problem, type ReadOptions, type ReadProgress } from "../reader.ts";

export type ThreadTask = {
  path: string;
  format: Format;
  mapping: CsvMapping | undefined;
  dataSet: string;
  /** Places that their publisher is less sure of are left out. */
  minConfidence: number;
  /** Places elsewhere are left out. */
  within: Extent | undefined;
  /** Which of several files it is, from 0. */
  part: number;
  /** Where this process keeps compiled modules, if it does. */
  compiledFolder: string | undefined;
  /** How many further threads share the work, and the heap that each may have. */
  workers: number;
  heapMegabytes: number;
};
export type ThreadMessage = {
  progress: ReadProgress;
  batch?: RowBatch;
  isDone?: true;
  problem?: Problem;
};

export type ReadLimits = {
  /** What reading may add to the memory of this process, buffers included. */
  memoryMegabytes: number;
  heapMegabytes: number;
  /** How much of the processor a reader may take without coming further. */
  stalledMs: number;
  /** How long a reader may come no further before its disk is asked, and how long the disk may take to answer. */
  silentMs: number;
};

export const standardReadLimits: ReadLimits = {
  memoryMegabytes: 800,
  heapMegabytes: 600,
  stalledMs: 60_000,
  silentMs: 30_000,
};

/** An extract of a large country honestly needs more than a small file may. */
async function limitsFor(path: string): Promise<ReadLimits> {
  const { memoryMegabytes, heapMegabytes, ...patience } = standardReadLimits;
  const extra = Math.ceil((await stat(path)).size / megabyte / 4);
  return { memoryMegabytes: memoryMegabytes + extra, heapMegabytes: heapMegabytes + extra, ...patience };
}

/** Of a Parquet file each thread keeps a page of every column: more than two could pass the memory limit. */
const workersMax: Record<Format, number> = { "osm-pbf": 4, overture: 2, parquet: 2, geojson: 4, csv: 4 };
/** A smaller file is read before further threads have loaded their modules. */
const sharedBytesMin = 2 * 1024 * 1024;

async function workersFor(path: string, format: Format): Promise<number> {
  const cores = availableParallelism();
  return cores > 1 && (await stat(path)).size >= sharedBytesMin ? Math.min(cores, workersMax[format]) : 0;
}

/** Node answers with its version's folder inside the given one. */
function compiledFolder(): string | undefined {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : dirname(folder);
}

const watchMs = 100;
/** How long the end of a thread is waited for: one whose disk hangs ends when the disk answers. */
const endMs = 2_000;
const megabyte = 1024 * 1024;

/**
 * The rows of a file, made in a thread that ends when it takes too much memory or comes no
 * further: whatever is wrong with a file, its import ends with a sentence.
 */
export async function* readRowsInThread(
  path: string,
  format: Format,
  options: ReadOptions & {
    mapping?: CsvMapping;
    minConfidence?: number;
    within?: Extent | undefined;
    part?: number;
    limits?: ReadLimits;
    workers?: number;
    /** The processor time of the reader's threads, in place of this process's. */
    processorMs?: () => number;
    /** Resolves when the disk has answered, in place of one that reads from the file. */
    askDisk?: (position: number) => Promise<unknown>;
  },
): AsyncGenerator<RowBatch, void, undefined> {
  const { signal, progress = newProgress(), mapping, dataSet = "", part = 0, processorMs = readProcessorMs } = options;
  const askDisk = options.askDisk ?? ((position) => readByte(path, position));
  const { minConfidence = 0, within } = options;
  const limits = options.limits ?? (await limitsFor(path));
  const workers = options.workers ?? (await workersFor(path, format));
  const { heapMegabytes } = limits;
  signal.throwIfAborted();
  const read = { path, format, mapping, minConfidence, within, dataSet, part };
  const file: ThreadTask = { ...read, compiledFolder: compiledFolder(), workers, heapMegabytes };
  const thread = new Worker(new URL("./read-thread.ts", import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 64 },
  });
  const messages: ThreadMessage[] = [];
  let wake = Promise.withResolvers<void>();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    wake.resolve();
  };
  const abort = () => fail(signal.reason as Error);
  const watchdog = watch({ progress, limits, processorMs, askDisk, fail });
  signal.addEventListener("abort", abort, { once: true });
  thread.on("message", (message: ThreadMessage) => {
    Object.assign(progress, message.progress);
    if (message.problem) fail(new ImportProblem(message.problem.message, message.problem));
    else if (message.batch || message.isDone) messages.push(message);
    wake.resolve();
  });
  thread.on("error", (error: Error) => fail(isOutOfMemory(error) ? tooLarge(limits) : error));
  thread.on("exit", () => fail(new Error("the thread that reads a file ended without a word")));
  try {
    for (;;) {
      watchdog.isWaiting = true;
      if (messages.length === 0 && !failure) await wake.promise;
      wake = Promise.withResolvers();
      watchdog.isWaiting = false;
      const message = messages.shift();
      if (!message && failure) throw failure;
      if (message?.isDone) return;
      if (!message?.batch) continue;
      yield message.batch;
      thread.postMessage("taken", []);
    }
  } finally {
    watchdog.stop();
    signal.removeEventListener("abort", abort);
    await Promise.race([thread.terminate(), sleep(endMs, undefined, { ref: false })]);
  }
}

/** What all threads of this process have taken: this one waits while the readers are watched. */
function readProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function readByte(path: string, position: number): Promise<void> {
  const file = await open(path);
  try {
    await file.read(Buffer.alloc(1), 0, 1, position);
  } finally {
    await file.close();
  }
}

type Watched = {
  progress: ReadProgress;
  limits: ReadLimits;
  processorMs: () => number;
  askDisk: (position: number) => Promise<unknown>;
  fail: (error: Error) => void;
};

/**
 * Looks from outside: a thread that is busy in a loop, or fills buffers that no heap limit counts, cannot tell. It counts
 * the processor and not the clock: on a busy machine an import, which is nice, may get none for a minute. A reader that
 * takes none may also wait for a disk that hangs, so the disk is asked for the byte that the reader would read next.
 */
function watch({ progress, limits, processorMs, askDisk, fail }: Watched) {
  const startBytes = process.memoryUsage.rss();
  const state = { isWaiting: true, stop: () => clearInterval(timer) };
  let seen = "";
  let movedAt = processorMs();
  // Looks, and not the clock either: they come late where this thread gets no processor.
  let quietLooks = 0;
  const silentLooks = Math.ceil(limits.silentMs / watchMs);
  const answered = () => (quietLooks = 0); // with an error or not
  const timer = setInterval(() => {
    const now = `${progress.bytesRead} ${progress.objectsRead}`;
    const hasMoved = now !== seen || !state.isWaiting;
    if (hasMoved) movedAt = processorMs();
    quietLooks = hasMoved ? 0 : quietLooks + 1;
    seen = now;
    if (quietLooks === silentLooks) askDisk(progress.bytesRead).then(answered, answered);
    if (quietLooks >= 2 * silentLooks) fail(diskSilent(limits));
    if (process.memoryUsage.rss() - startBytes > limits.memoryMegabytes * megabyte) fail(tooLarge(limits));
    else if (processorMs() - movedAt > limits.stalledMs)
      fail(new ImportProblem("The file keeps its reader busy without getting further; it is damaged."));
  }, watchMs);
  return state;
}

function diskSilent({ silentMs }: ReadLimits): ImportProblem {
  const seconds = Math.round((2 * silentMs) / 1_000);
  return new ImportProblem(
    `The disk of the file has not answered for ${seconds} seconds. See why it hangs, then run the same command again: it continues.`,
  );
}

function tooLarge({ memoryMegabytes }: ReadLimits): ImportProblem {
  return new ImportProblem(
    `Reading the file takes more than ${memoryMegabytes} MB of memory; it is damaged, or has to be split into smaller ones.`,
  );
}

/** Of this thread or of one that it started. */
function isOutOfMemory(error: Error): boolean {
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
