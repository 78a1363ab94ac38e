import { type FoundRecord, readLine, type ReadLines } from "./store.ts";

/** Places are numbered in the order of cells, so places with the same higher bits are mostly neighbors. */
const rangeBits = 6;
const rangesAtOnce = 4;
/** What waits to be read; more than that is left to later searches. */
const wantedMax = 256;
/** Nothing is read ahead into the last tenth: blocks may need it soon. */
const roomShare = 0.9;
const bytesPerRange = 500;
const bytesPerRow = 8;

/** The rows of a range of numbers as they were read, in the order of their places. */
type Range = { places: Int32Array; starts: Uint32Array; text: Buffer; bytes: number };

type RecordCacheOptions = {
  generation: number;
  read: ReadLines;
  /** What records may take of the memory; it may change meanwhile. */
  bytesMax(): number;
  mayRead(): boolean;
};

/**
 * Keeps records of one generation as the text they are stored as, a tenth of what listings take. Around what a search
 * had to read it reads on in the background, so that in a catalog that fits into memory questions nobody asked before
 * need no statement either.
 */
export function createRecordCache({ generation, read, bytesMax, mayRead }: RecordCacheOptions) {
  /** The least recently used first. */
  const ranges = new Map<number, Range>();
  const wanted = new Set<number>();
  let bytes = 0;
  let reading: Promise<void> | undefined;

  /** Takes over what another generation keeps of places that did not change. */
  function inherit(before: { list(): Iterable<[number, Range]> }, changed: ReadonlySet<number>) {
    const known = new Map(before.list());
    let last = 0;
    for (const key of known.keys()) last = Math.max(last, key);
    known.delete(last); // numbers may go on in it
    for (const number of changed) known.delete(number >> rangeBits);
    for (const [key, range] of known) keep(key, range);
    trim();
  }

  /** The records of a place, the leading one first; undefined when they are not in memory. */
  function find(number: number): FoundRecord[] | undefined {
    const key = number >> rangeBits;
    const range = ranges.get(key);
    if (!range) return undefined;
    ranges.delete(key);
    ranges.set(key, range);
    const { places, starts, text } = range;
    const found: FoundRecord[] = [];
    for (let row = places.indexOf(number); row >= 0 && places[row] === number; row += 1) {
      found.push(readLine(text.toString("utf8", starts[row], starts[row + 1])));
    }
    return found;
  }

  /** Reads the ranges of these places in the background, while there is room. */
  function readAround(numbers: readonly number[]) {
    if (!mayRead()) return;
    for (const number of numbers) if (wanted.size < wantedMax) wanted.add(number >> rangeBits);
    reading ??= readWanted()
      .catch(() => wanted.clear()) // a search reads what it needs
      .finally(() => (reading = undefined));
  }

  async function readWanted() {
    while (wanted.size > 0 && mayRead() && bytes < bytesMax() * roomShare) {
      const keys = [...wanted].slice(0, rangesAtOnce);
      for (const key of keys) wanted.delete(key);
      const missing = keys.filter((key) => !ranges.has(key));
      if (missing.length === 0) continue;
      const found = await read(missing.flatMap(numbersOf));
      if (found.generation !== generation) break;
      const byRange = Map.groupBy(found.rows, ({ place }) => place >> rangeBits);
      for (const key of missing) keep(key, rangeOf(byRange.get(key) ?? []));
      trim();
    }
    wanted.clear();
  }

  function keep(key: number, range: Range) {
    ranges.set(key, range);
    bytes += range.bytes;
  }

  /** Lets go of what no longer fits, the least recently used first. */
  function trim() {
    for (const [key, range] of ranges) {
      if (bytes <= bytesMax()) return;
      ranges.delete(key);
      bytes -= range.bytes;
    }
  }

  return {
    find,
    readAround,
    inherit,
    trim,
    list: () => ranges.entries(),
    bytes: () => bytes,
    idle: async () => reading,
  };
}

export type RecordCache = ReturnType<typeof createRecordCache>;

function numbersOf(key: number): number[] {
  return Array.from({ length: 1 << rangeBits }, (_, index) => (key << rangeBits) + index);
}

function rangeOf(rows: Awaited<ReturnType<ReadLines>>["rows"]): Range {
  const sorted = rows.toSorted((a, b) => a.place - b.place || Number(b.isLead) - Number(a.isLead));
  const places = Int32Array.from(sorted, ({ place }) => place);
  const starts = new Uint32Array(sorted.length + 1);
  sorted.forEach(({ line }, row) => (starts[row + 1] = (starts[row] ?? 0) + Buffer.byteLength(line)));
  const text = Buffer.from(sorted.map(({ line }) => line).join(""));
  return { places, starts, text, bytes: bytesPerRange + sorted.length * bytesPerRow + text.length };
}
