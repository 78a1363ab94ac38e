import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { type Block, decodeBlock } from "./block.ts";
import type { ByteCache } from "./byte-cache.ts";
import type { BlockEntry } from "./directory.ts";
import { readBlocks } from "./store.ts";

/** A block changed after the directory that names it was read. */
export class StaleDirectory extends Error {}

export type Kept = { version: number; bytes: number; block?: Block };

const readAtOnce = 16;
/** Where time is short. A search waits until they have arrived; one by one, each takes twice the time. */
const prefetchAtOnce = 3;
const workMs = 10;
/** A search over more blocks reads them for itself: they do not push out those of other searches. */
const broadFrom = 64;

/** Counts blocks that were in memory, and those that had to be read. */
export type BlockReadCount = (labels: { outcome: "hit" | "miss" }, by: number) => void;

type CacheOptions = {
  db: Queryable;
  kept: ByteCache<Kept>;
  /** Whether searches still need this version of a block: one that follows it is then kept beside it. */
  isNeeded?(firstCell: number, version: number): boolean;
  /** What such blocks may take; further ones replace those that they follow. */
  aheadBytesMax?: number;
  onRead?: BlockReadCount | undefined;
};

export type Visit = {
  signal: AbortSignal;
  /** A broad search reads no further block after this moment, by performance.now(). */
  until: number;
  /** Where it says no, a block that is not in memory makes the visit stale. */
  mayRead(): boolean;
  isWanted(entry: BlockEntry): boolean;
  search(block: Block, entry: BlockEntry): void;
};

export type Prefetch = {
  signal: AbortSignal;
  /** Nothing more is read after this moment, by performance.now(). */
  until: number;
  /** Whether there is memory left that nothing else uses. */
  hasRoom(): boolean;
};

/** The blocks this process has read. */
export function createBlockCache(options: CacheOptions) {
  const { db, kept, isNeeded = () => false, aheadBytesMax = 0, onRead = () => undefined } = options;
  const reading = new Map<string, Promise<Block>>();
  /** Of the generation that searches go over to next. */
  const ahead = new Map<number, Kept>();
  let aheadBytes = 0;

  /** Visits the blocks in the order given, reading a few missing ones at a time; resolves to those there was no time for. */
  async function visit(entries: readonly BlockEntry[], { signal, until, mayRead, isWanted, search }: Visit) {
    const isBroad = entries.length > broadFrom;
    let pausedAt = performance.now();
    for (let at = 0; at < entries.length; at += readAtOnce) {
      if (isBroad && at > 0 && performance.now() > until) return entries.slice(at).filter(isWanted);
      if (performance.now() - pausedAt > workMs) {
        await setImmediate(); // others are waiting for this process too
        pausedAt = performance.now();
      }
      const batch = entries.slice(at, at + readAtOnce).filter(isWanted);
      const found = batch.map((entry) => find(entry, isBroad));
      const missing = batch.filter((_, index) => !found[index]);
      onRead({ outcome: "hit" }, batch.length - missing.length);
      onRead({ outcome: "miss" }, missing.length);
      if (missing.length > 0 && !mayRead()) throw new StaleDirectory();
      const fresh = missing.length > 0 ? await readMissing(missing) : undefined;
      signal.throwIfAborted();
      batch.forEach((entry, index) => {
        const block = found[index] ?? fresh?.get(entry.firstCell);
        if (!block) throw new StaleDirectory();
        search(block, entry);
      });
    }
    return [];
  }

  /**
   * Reads the blocks that are missing, one by one, and then leaves the process to searches for as long as that
   * took; when there is no time for that, a few at once.
   */
  async function prefetch(entries: readonly BlockEntry[], { signal, until, hasRoom }: Prefetch) {
    const missing = listMissing(entries);
    let atOnce = 1;
    for (let at = 0; at < missing.length;) {
      const beganAt = performance.now();
      if (signal.aborted || beganAt > until || !hasRoom()) return;
      await readMissing(missing.slice(at, at + atOnce));
      at += atOnce;
      const tookMs = performance.now() - beganAt;
      const timesLeft = Math.ceil((missing.length - at) / atOnce);
      if (timesLeft * tookMs * 2 > until - performance.now()) atOnce = prefetchAtOnce;
      else if (timesLeft > 0) await sleep(tookMs);
    }
  }

  function find({ firstCell, version }: BlockEntry, isOnce: boolean): Block | undefined {
    const found = kept.find(firstCell, isOnce);
    if (found?.version === version) return found.block;
    const next = ahead.get(firstCell);
    return next?.version === version ? next.block : undefined;
  }

  function keep(firstCell: number, value: Kept) {
    aheadBytes -= ahead.get(firstCell)?.bytes ?? 0;
    ahead.delete(firstCell); // of a generation that was overtaken
    const known = kept.find(firstCell, true);
    const mustStay = known && known.version !== value.version && isNeeded(firstCell, known.version);
    if (!mustStay || !hasRoomAhead()) {
      kept.keep(firstCell, value);
      return;
    }
    ahead.set(firstCell, value);
    aheadBytes += value.bytes;
  }

  function hasRoomAhead(): boolean {
    return aheadBytes < aheadBytesMax;
  }

  /** Searches have gone over: what was read ahead takes the memory of what it follows. */
  function takeOver() {
    for (const [firstCell, value] of ahead) kept.keep(firstCell, value);
    ahead.clear();
    aheadBytes = 0;
  }

  function listMissing(entries: readonly BlockEntry[]): BlockEntry[] {
    return entries.filter((entry) => !find(entry, true));
  }

  async function readMissing(entries: readonly BlockEntry[]): Promise<Map<number, Block>> {
    const unread = entries.filter((entry) => !reading.has(keyOf(entry)));
    if (unread.length > 0) {
      const blocks = read(unread);
      for (const entry of unread) {
        const key = keyOf(entry);
        const one = blocks
          .then((found) => {
            const block = found.get(entry.firstCell);
            if (!block) throw new StaleDirectory();
            return block;
          })
          .finally(() => reading.delete(key));
        one.catch(() => undefined); // those who await it get the failure
        reading.set(key, one);
      }
    }
    // All before the first is awaited: one that does not fit into memory is nowhere else once it was read.
    const pending = entries.map((entry) => reading.get(keyOf(entry)) ?? find(entry, true));
    const found = new Map<number, Block>();
    for (const [index, entry] of entries.entries()) {
      const block = await pending[index];
      if (block) found.set(entry.firstCell, block);
    }
    return found;
  }

  async function read(entries: readonly BlockEntry[]): Promise<Map<number, Block>> {
    const wanted = new Map(entries.map((entry) => [entry.firstCell, entry.version]));
    const found = new Map<number, Block>();
    for (const { firstCell, version, bytes: stored } of await readBlocks(db, entries)) {
      if (wanted.get(firstCell) !== version) continue; // the version that another of the blocks has
      const block = decodeBlock(stored);
      keep(firstCell, { version, bytes: block.bytes, block });
      found.set(firstCell, block);
    }
    return found;
  }

  return {
    visit,
    prefetch,
    hasRoomAhead,
    takeOver,
    aheadBytes: () => aheadBytes,
    /** How many of the blocks would have to be read. */
    countMissing: (entries: readonly BlockEntry[]) => listMissing(entries).length,
  };
}

function keyOf({ firstCell, version }: BlockEntry): string {
  return `${firstCell} ${version}`;
}
