import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readState } from "./follower-state.ts";

/** The place index of a machine, as its operator sees it. */
export type IndexStatus = {
  folder: string;
  /** Of the file that searches read; null while there is none. */
  generation: number | null;
  bytes: number;
  walBytes: number;
  /** How long the catalog has had a generation that the file does not have; 0 while the file has all. */
  lagSeconds: number;
  /** Why searches of the catalog wait, such as `indexing, 40 %`; null while there is a file, or nothing to find. */
  waitsFor: string | null;
  /** Why the follower cannot go on, in a sentence. */
  problem: string | null;
  /** The log of the file is larger than half of it: something keeps it from being written back. */
  isLogLarge: boolean;
};

/** Logs up to this size are no matter. */
const walBytesMin = 64 * 1024 * 1024;

/** Reads small files only, and opens none of SQLite's. Undefined where no process has followed the catalog. */
export function readIndexStatus(folder: string, now = Date.now()): IndexStatus | undefined {
  const state = readState(folder);
  if (!state) return undefined;
  const file = join(folder, currentOf(folder) ?? "none");
  const [bytes, walBytes] = [sizeOf(file), sizeOf(`${file}-wal`)];
  const { behindSince, build, problem } = state;
  return {
    folder,
    generation: bytes === 0 ? null : state.generation,
    bytes,
    walBytes,
    lagSeconds: behindSince === null ? 0 : Math.max(0, (now - Date.parse(behindSince)) / 1_000),
    waitsFor: bytes === 0 && behindSince !== null ? `indexing, ${percentOf(build)} %` : null,
    problem,
    isLogLarge: walBytes > walBytesMin && walBytes > bytes / 2,
  };
}

function percentOf(build: { done: number; total: number } | null): number {
  return build && build.total > 0 ? Math.floor((100 * build.done) / build.total) : 0;
}

function currentOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "current"), "utf8").trim();
  } catch {
    return undefined;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
