import type { ScratchFile } from "../../../platform/scratch-file.ts";
import { type FoundRecord, readLine, type RecordLines } from "./store.ts";

/** Places are numbered in the order of cells, so places with the same higher bits are mostly neighbors. */
const rangeBits = 8;
const placesPerRange = 1 << rangeBits;
/** What waits to be read; more than that is left to later searches. */
const wantedMax = 256;
/** What a range takes of the memory. */
const bytesPerRange = (placesPerRange + 1) * Uint32Array.BYTES_PER_ELEMENT + 250;

/** Where a range of places lies in the file, and where in it the records of each place begin, and the last ones end. */
type Range = { position: number; starts: Uint32Array };

type RecordCacheOptions = {
  generation: number;
  file: ScratchFile;
  read(first: number, last: number): Promise<RecordLines>;
  /** The memory for where records lie. */
  bytesMax: number;
  mayRead(): boolean;
};

/**
 * Keeps records of one generation in a file of this process, as the text they are stored as. Around what a search had to
 * read it reads on in the background, so that questions nobody asked before need no statement either.
 */
export function createRecordCache({ generation, file, read, bytesMax, mayRead }: RecordCacheOptions) {
  /** Those that were read first come first. */
  const ranges = new Map<number, Range>();
  const wanted = new Set<number>();
  let reading: Promise<void> | undefined;

  /** Takes over what another generation keeps of places that did not change. */
  function inherit(before: { list(): Iterable<[number, Range]> }, changed: ReadonlySet<number>) {
    let last = 0;
    for (const [key, range] of before.list()) {
      ranges.set(key, range);
      last = Math.max(last, key);
    }
    ranges.delete(last); // numbers may go on in it
    for (const number of changed) ranges.delete(number >> rangeBits);
  }

  /** The records of a place, the leading one first; undefined when they are not at hand. */
  function find(number: number): FoundRecord[] | undefined {
    const range = ranges.get(number >> rangeBits);
    if (!range) return undefined;
    const index = number % placesPerRange;
    const start = range.starts[index] ?? 0;
    const end = range.starts[index + 1] ?? 0;
    if (start === end) return [];
    const lines = Buffer.allocUnsafe(end - start);
    if (!file.read(range.position + start, lines)) return undefined;
    return lines
      .toString("utf8", 0, lines.length - 1)
      .split("\n")
      .map(readLine);
  }

  /** Reads the ranges of these places in the background. */
  function readAround(numbers: readonly number[]) {
    if (!mayRead()) return;
    for (const number of numbers) if (wanted.size < wantedMax) wanted.add(number >> rangeBits);
    reading ??= readWanted()
      .catch(() => undefined) // a search reads what it needs
      .finally(() => {
        wanted.clear();
        reading = undefined;
      });
  }

  async function readWanted() {
    for (const key of wanted) {
      const range = ranges.get(key);
      if (range && file.has(range.position)) continue;
      const first = key << rangeBits;
      const lines = mayRead() ? await read(first, first + placesPerRange - 1) : undefined;
      if (lines?.generation !== generation) return;
      const position = await file.append(lines.text);
      if (position === undefined) return;
      ranges.delete(key);
      ranges.set(key, { position, starts: startsOf(lines, first) });
      trim();
    }
  }

  /** Lets go of those that the file no longer has, and of the first of what no longer fits. */
  function trim() {
    for (const [key, { position }] of ranges) {
      if (bytes() <= bytesMax && file.has(position)) return;
      ranges.delete(key);
    }
  }

  function bytes(): number {
    return ranges.size * bytesPerRange;
  }

  return { find, readAround, inherit, bytes, list: () => ranges.entries(), idle: async () => reading };
}

export type RecordCache = ReturnType<typeof createRecordCache>;

/** Rows are in the order of their places. */
function startsOf({ places, lengths }: RecordLines, first: number): Uint32Array {
  const starts = new Uint32Array(placesPerRange + 1);
  let row = 0;
  let end = 0;
  for (let index = 0; index < placesPerRange; index += 1) {
    for (; places[row] === first + index; row += 1) end += lengths[row] ?? 0;
    starts[index + 1] = end;
  }
  return starts;
}
