import { availableParallelism } from "node:os";
import { compiledFolder } from "../../../data-sets/2-read/index.ts";
import { openThreads } from "../../../platform/threads.ts";
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

const threadsMax = 4;
/** Fewer are packed before a thread has loaded its modules. */
const sharedBlocksMin = 24;
/** So that a thread has work while this one is busy with the dictionary; each takes a megabyte. */
const blocksPerThread = 8;

/** This thread and the database's session keep one processor busy. */
export function openPacking(blocks: number, cores = availableParallelism()): Packing {
  const threads = blocks < sharedBlocksMin ? 0 : Math.min(cores - 1, threadsMax);
  if (threads > 0) return packInThreads(threads);
  return { pack: async (found) => packLeaf(found), blocksAtOnce: 3, close: async () => undefined };
}

function packInThreads(count: number): Packing {
  const workerData: PackingThread = { compiledFolder: compiledFolder() };
  const threads = openThreads<readonly SearchedColumns[], LeafBlock>(count, {
    script: new URL("./packing-thread.ts", import.meta.url),
    workerData,
    purpose: "packs blocks",
  });
  return {
    blocksAtOnce: blocksPerThread * count,
    pack: (found) => threads.ask(found, found.flatMap(buffersOf)),
    close: () => threads.close(),
  };
}

function buffersOf(columns: SearchedColumns): ArrayBuffer[] {
  return Object.values(columns).flatMap((column) => (column ? [column.buffer] : []));
}
