import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { compiledFolder } from "../formats/index.ts";
import { type LeafBlock, packLeaf } from "./pack-leaf.ts";
import type { SearchedColumns } from "./searched-columns.ts";

/** What packs blocks: this thread, or others while this one talks with the database. */
export type Packing = {
  /** Takes the columns. */
  pack(found: readonly SearchedColumns[]): Promise<LeafBlock>;
  /** How many blocks are read, packed and written at once. */
  blocksAtOnce: number;
  close(): Promise<void>;
};

export type PackingThread = { compiledFolder: string | undefined };
export type PackingMessage = { number: number; found: readonly SearchedColumns[] };
export type PackingReply = { number: number; block: LeafBlock };

const threadsMax = 4;
/** Fewer are packed before a thread has loaded its modules. */
const sharedBlocksMin = 24;
/** So that a thread has work while this one is busy with the dictionary; each takes a megabyte. */
const blocksPerThread = 8;
const youngMegabytes = 32;

/** This thread and the database's session keep one processor busy. */
export function openPacking(blocks: number, cores = availableParallelism()): Packing {
  const threads = blocks < sharedBlocksMin ? 0 : Math.min(cores - 1, threadsMax);
  if (threads > 0) return openThreads(threads);
  return { pack: async (found) => packLeaf(found), blocksAtOnce: 3, close: async () => undefined };
}

function openThreads(count: number): Packing {
  const threads = Array.from({ length: count }, startThread);
  let number = 0;
  return {
    blocksAtOnce: blocksPerThread * count,
    pack(found) {
      const idlest = threads.reduce((best, thread) => (thread.waiting.size < best.waiting.size ? thread : best));
      number += 1;
      return idlest.send({ number, found });
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread() {
  const workerData: PackingThread = { compiledFolder: compiledFolder() };
  const worker = new Worker(new URL("./packing-thread.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
  });
  const waiting = new Map<number, PromiseWithResolvers<LeafBlock>>();
  let failure: Error | undefined;
  worker.on("message", ({ number, block }: PackingReply) => {
    waiting.get(number)?.resolve(block);
    waiting.delete(number);
  });
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("a thread that packs blocks ended without a word")));

  function send(message: PackingMessage): Promise<LeafBlock> {
    const reply = Promise.withResolvers<LeafBlock>();
    waiting.set(message.number, reply);
    if (failure) fail(failure);
    else worker.postMessage(message, message.found.flatMap(buffersOf));
    return reply.promise;
  }

  return { worker, waiting, send };
}

function buffersOf(columns: SearchedColumns): ArrayBuffer[] {
  return Object.values(columns).flatMap((column) => (column ? [column.buffer] : []));
}
