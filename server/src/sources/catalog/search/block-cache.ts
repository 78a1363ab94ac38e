import { setImmediate } from "node:timers/promises";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { type Block, decodeBlock } from "./block.ts";
import { type BlockEntry, readBlocks } from "./store.ts";

/** A block changed after the directory that names it was read. */
export class StaleDirectory extends Error {}

type Kept = { version: number; block: Block };

const readAtOnce = 16;
const workMs = 10;

/** Counts blocks that were in memory, and those that had to be read. */
export type BlockReadCount = (labels: { outcome: "hit" | "miss" }, by: number) => void;

type CacheOptions = { db: Queryable; bytesMax: number; onRead?: BlockReadCount | undefined };

/** The blocks this process has read, up to a bound; the one unused for longest goes first. */
export function createBlockCache({ db, bytesMax, onRead = () => undefined }: CacheOptions) {
  const kept = new Map<number, Kept>();
  const reading = new Map<string, Promise<Block>>();
  let bytes = 0;

  /** Visits the blocks in the order given, reading those that are missing a few at a time. */
  async function visit(
    entries: readonly BlockEntry[],
    signal: AbortSignal,
    isWanted: (entry: BlockEntry) => boolean,
    search: (block: Block, entry: BlockEntry) => void,
  ) {
    let pausedAt = performance.now();
    for (let at = 0; at < entries.length; at += readAtOnce) {
      if (performance.now() - pausedAt > workMs) {
        await setImmediate(); // others are waiting for this process too
        pausedAt = performance.now();
      }
      const batch = entries.slice(at, at + readAtOnce).filter(isWanted);
      const missing = batch.filter((entry) => !find(entry));
      onRead({ outcome: "hit" }, batch.length - missing.length);
      onRead({ outcome: "miss" }, missing.length);
      const fresh = missing.length > 0 ? await readMissing(missing) : undefined;
      signal.throwIfAborted();
      for (const entry of batch) {
        const block = find(entry) ?? fresh?.get(entry.firstCell);
        if (!block) throw new StaleDirectory();
        search(block, entry);
      }
    }
  }

  function find({ firstCell, version }: BlockEntry): Block | undefined {
    const found = kept.get(firstCell);
    if (found?.version !== version) return undefined;
    kept.delete(firstCell);
    kept.set(firstCell, found);
    return found.block;
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
    const found = new Map<number, Block>();
    for (const entry of entries) {
      const block = await (reading.get(keyOf(entry)) ?? find(entry));
      if (block) found.set(entry.firstCell, block);
    }
    return found;
  }

  async function read(entries: readonly BlockEntry[]): Promise<Map<number, Block>> {
    const wanted = new Map(entries.map((entry) => [entry.firstCell, entry.version]));
    const found = new Map<number, Block>();
    for (const { firstCell, version, bytes: stored } of await readBlocks(db, [...wanted.keys()])) {
      if (wanted.get(firstCell) !== version) throw new StaleDirectory();
      const block = decodeBlock(stored);
      keep(firstCell, { version, block });
      found.set(firstCell, block);
    }
    return found;
  }

  function keep(firstCell: number, entry: Kept) {
    drop(firstCell);
    kept.set(firstCell, entry);
    bytes += entry.block.bytes;
    for (const oldest of kept.keys()) {
      if (bytes <= bytesMax || oldest === firstCell) break;
      drop(oldest);
    }
  }

  function drop(firstCell: number) {
    bytes -= kept.get(firstCell)?.block.bytes ?? 0;
    kept.delete(firstCell);
  }

  return {
    visit,
    /** Lets go of blocks that are no longer in the directory. */
    forgetOthers(entries: readonly BlockEntry[]) {
      const versions = new Map(entries.map(({ firstCell, version }) => [firstCell, version]));
      for (const [firstCell, { version }] of kept) if (versions.get(firstCell) !== version) drop(firstCell);
    },
    size: () => ({ blocks: kept.size, bytes }),
  };
}

function keyOf({ firstCell, version }: BlockEntry): string {
  return `${firstCell} ${version}`;
}
