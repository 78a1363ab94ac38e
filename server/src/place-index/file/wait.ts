import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { tryFileLock } from "../../platform/file-lock.ts";
import { lockPath } from "./folder.ts";
import { type FollowerState, readState } from "./follower-state.ts";

/** How a wait ended: the file has the generation, nobody of this folder follows, or the follower cannot go on. */
export type Waited = { outcome: "done" } | { outcome: "nobody" } | { outcome: "stalled"; problem: string };

type WaitOptions = {
  signal: AbortSignal;
  /** How far a build is, whenever that changes. */
  onProgress?(build: FollowerState["build"]): void;
  /** How long nothing may happen. */
  stallMs?: number;
};

const lookMs = 200;

/** For a command that changed the catalog: waits until searches of this machine read the change, where somebody follows. */
export async function waitForIndex(path: string, generation: number, options: WaitOptions): Promise<Waited> {
  const { signal, onProgress, stallMs = 60_000 } = options;
  let seen = "";
  let changedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const state = readState(path);
    if (state?.generation !== null && state !== undefined && state.generation >= generation) return { outcome: "done" };
    if (state && isOfEmptyCatalog(state) && state.wanted >= generation) return { outcome: "done" };
    if (!isFollowed(path)) return { outcome: "nobody" };
    const text = JSON.stringify(state);
    if (text !== seen) {
      [seen, changedAt] = [text, performance.now()];
      if (state) onProgress?.(state.build);
    }
    if (performance.now() - changedAt > stallMs) {
      return { outcome: "stalled", problem: state?.problem ?? "The place index made no progress." };
    }
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** It needs no file. */
function isOfEmptyCatalog({ generation, behindSince, build }: FollowerState): boolean {
  return generation === null && behindSince === null && build === null;
}

function isFollowed(path: string): boolean {
  if (!existsSync(lockPath(path))) return false;
  const lock = tryFileLock(lockPath(path));
  lock?.release();
  return lock === undefined;
}
