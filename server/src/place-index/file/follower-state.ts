import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the process that follows has done, for every process of the machine. */
export type FollowerState = {
  /** Of the file that searches read; null while there is none. */
  generation: number | null;
  /** Of the catalog, when the follower last looked. */
  wanted: number;
  /** When the catalog got a generation that the file does not have; null while it has all. */
  behindSince: string | null;
  /** How far a build is, in places. */
  build: { done: number; total: number } | null;
  /** Why the follower cannot go on, in a sentence. */
  problem: string | null;
};

const pathOf = (folder: string) => join(folder, "state.json");

/** It is lost in a power cut and written again by the next follower. */
export function writeState(folder: string, state: FollowerState): void {
  const path = pathOf(folder);
  writeFileSync(`${path}.next`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.next`, path);
}

/** Undefined before anybody followed in this folder. */
export function readState(folder: string): FollowerState | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(folder), "utf8")) as FollowerState; // writeState wrote it
  } catch {
    return undefined;
  }
}
