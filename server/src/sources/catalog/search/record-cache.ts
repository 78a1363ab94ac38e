import { setTimeout as sleep } from "node:timers/promises";
import type { ScratchFile } from "../../../platform/scratch-file.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import { businessOf, type FoundRecord, type RecordRange, type RecordState } from "./store.ts";

/** Places are numbered in the order of cells, so places with the same higher bits are mostly neighbors. */
const rangeBits = 8;
const placesPerRange = 1 << rangeBits;
/** What waits to be read; more than that is left to later searches. */
const wantedMax = 4_096;
/** So many ranges next to each other are about what a block has. */
const neighborBits = 5;
/** Into the last tenth of the memory nothing is read that no search has needed. */
const roomShare = 0.9;
/** After each range, reading pauses for so many times as long as it took: searches come first. */
const pauses = { whileRoom: 1, whenFull: 9 };
const bytesPerRange = 500;
const bytesPerState = 200;
/** A range with more is left to searches. */
const rowsMax = 0xff_ff;
const lineEnd = 0x0a;
/** Reading what lies between two places costs less than a further call as long as it is no longer. */
const gapBytesMax = 16 * 1024;
const linesBytes = 64 * 1024;

/** Where a range of places lies in the file, and what memory knows of it. */
type Range = {
  position: number;
  /** The first row of each place, and where the rows of the last one end. */
  rows: Uint16Array;
  /** Where each row begins, and where the last one ends. */
  starts: Uint32Array;
  /** Which of the states each row has. */
  stateOfRow: Uint16Array;
  states: readonly RecordState[];
  bytes: number;
};

type RecordCacheOptions = {
  generation: number;
  file: ScratchFile;
  read(first: number, last: number): Promise<RecordRange>;
  /** The memory for where records lie. */
  bytesMax: number;
  mayRead(): boolean;
};

/**
 * Keeps records of one generation in a file of this process, as the text they are stored as. Around what a search had to
 * read it reads on in the background, so that questions nobody asked before need no statement either: as far as there is
 * room also what no search has needed, then only what one has, and seldom.
 */
export function createRecordCache({ generation, file, read, bytesMax, mayRead }: RecordCacheOptions) {
  /** Those that were read first come first. */
  const ranges = new Map<number, Range>();
  const wanted = new Set<number>();
  const neighbors = new Set<number>();
  const knownNeighbors = new Set<number>();
  let bytes = 0;
  /** For what is read at once, again and again. */
  let lines = Buffer.allocUnsafe(linesBytes);
  let reading: Promise<void> | undefined;

  /** Takes over what another generation keeps of places that did not change. */
  function inherit(before: { list(): Iterable<[number, Range]> }, changed: ReadonlySet<number>) {
    let last = 0;
    for (const [key, range] of before.list()) {
      keep(key, range);
      last = Math.max(last, key);
    }
    drop(last); // numbers may go on in it
    for (const number of changed) drop(number >> rangeBits);
  }

  /** The records of places, the leading one of each first. A place is missing when its records are not at hand. */
  function find(numbers: readonly number[]): Map<number, FoundRecord[]> {
    const found = new Map<number, FoundRecord[]>();
    const inOrder = numbers.toSorted((one, other) => one - other);
    for (let at = 0, count = 1; at < inOrder.length; at += count) {
      const key = (inOrder[at] ?? 0) >> rangeBits;
      const range = ranges.get(key);
      count = range ? countTogether(range, key, inOrder, at) : 1;
      if (range) readTogether(range, inOrder.slice(at, at + count), found);
    }
    return found;
  }

  function readTogether(range: Range, numbers: readonly number[], found: Map<number, FoundRecord[]>) {
    const start = startOf(range, numbers[0] ?? 0);
    const length = endOf(range, numbers.at(-1) ?? 0) - start;
    if (length > lines.length) lines = Buffer.allocUnsafe(length);
    if (!file.read(range.position + start, lines.subarray(0, length))) return;
    for (const number of numbers) found.set(number, recordsIn(lines, range, number, start));
  }

  /** Reads the ranges of these places in the background, and then those around them. */
  function readAround(numbers: readonly number[]) {
    if (!mayRead()) return;
    for (const number of numbers) {
      const key = number >> rangeBits;
      if (wanted.size < wantedMax) wanted.add(key);
      if (neighbors.size < wantedMax) addNeighbors(key >> neighborBits);
    }
    reading ??= readWanted()
      .catch(() => undefined) // a search reads what it needs
      .finally(() => {
        wanted.clear();
        neighbors.clear();
        knownNeighbors.clear();
        reading = undefined;
      });
  }

  function addNeighbors(group: number) {
    if (knownNeighbors.has(group)) return;
    knownNeighbors.add(group);
    for (let index = 0; index < 1 << neighborBits; index += 1) neighbors.add((group << neighborBits) + index);
  }

  function* takeKeys() {
    for (;;) {
      const waiting = wanted.size > 0 ? wanted : neighbors;
      const [key] = waiting;
      if (key === undefined || (waiting === neighbors && !hasRoom())) return;
      waiting.delete(key);
      const known = ranges.get(key);
      if (!known || !file.has(known.position)) yield key;
    }
  }

  function hasRoom(): boolean {
    return !file.isFull() && bytes < bytesMax * roomShare;
  }

  async function readWanted() {
    for (const key of takeKeys()) {
      const began = performance.now();
      const first = key << rangeBits;
      const found = mayRead() ? await read(first, first + placesPerRange - 1) : undefined;
      if (found?.generation !== generation) return;
      // One without records may get some: numbers go on where they end.
      if (found.places.length === 0 || found.places.length > rowsMax) continue;
      const position = await file.append(found.lines);
      if (position === undefined) return;
      drop(key);
      keep(key, rangeOf(found, first, position));
      trim();
      const pause = hasRoom() ? pauses.whileRoom : pauses.whenFull;
      await sleep((performance.now() - began) * pause, undefined, { ref: false });
    }
  }

  function keep(key: number, range: Range) {
    ranges.set(key, range);
    bytes += range.bytes;
  }

  function drop(key: number) {
    bytes -= ranges.get(key)?.bytes ?? 0;
    ranges.delete(key);
  }

  /** Lets go of those that the file no longer has, and of the first of what no longer fits. */
  function trim() {
    for (const [key, { position }] of ranges) {
      if (bytes <= bytesMax && file.has(position)) return;
      drop(key);
    }
  }

  return { find, readAround, inherit, bytes: () => bytes, list: () => ranges.entries(), idle: async () => reading };
}

export type RecordCache = ReturnType<typeof createRecordCache>;

function startOf({ rows, starts }: Range, number: number): number {
  return starts[rows[number % placesPerRange] ?? 0] ?? 0;
}

function endOf({ rows, starts }: Range, number: number): number {
  return starts[rows[(number % placesPerRange) + 1] ?? 0] ?? 0;
}

/** How many of the places from this one on, which are in order, are read at once. */
function countTogether(range: Range, key: number, inOrder: readonly number[], at: number): number {
  let count = 1;
  for (let end = endOf(range, inOrder[at] ?? 0); ; count += 1) {
    const next = inOrder[at + count];
    if (next === undefined || next >> rangeBits !== key || startOf(range, next) - end > gapBytesMax) return count;
    end = endOf(range, next);
  }
}

/** The records of a place among lines that were read from a position of the range on. */
function recordsIn(lines: Buffer, range: Range, number: number, from: number): FoundRecord[] {
  const { rows, starts, stateOfRow, states } = range;
  const first = rows[number % placesPerRange] ?? 0;
  const found: FoundRecord[] = [];
  for (let row = first; row < (rows[(number % placesPerRange) + 1] ?? 0); row += 1) {
    const text = lines.toString("utf8", (starts[row] ?? 0) - from, (starts[row + 1] ?? 0) - from - 1);
    const { dataSetId, countryCode, areas } = states[stateOfRow[row] ?? 0] ?? nothing;
    const json = text.indexOf("{");
    const [id, revision] = text.slice(0, json).split(" ");
    const business = businessOf(id, Number(revision));
    const record = JSON.parse(text.slice(json)) as PlaceRecord;
    found.push({ place: number, isLead: row === first, dataSetId, countryCode, areas, record, business });
  }
  return found;
}

const nothing: RecordState = { dataSetId: 0, countryCode: "", areas: [] };

function rangeOf({ places, states, lines }: RecordRange, first: number, position: number): Range {
  const rows = new Uint16Array(placesPerRange + 1);
  for (let index = 0, row = 0; index < placesPerRange; index += 1) {
    while (places[row] === first + index) row += 1;
    rows[index + 1] = row;
  }
  const starts = new Uint32Array(places.length + 1);
  for (let row = 0, end = 0; row < places.length; row += 1) starts[row + 1] = end = lines.indexOf(lineEnd, end) + 1;
  const indexes = new Map([...new Set(states)].map((state, index) => [state, index]));
  const stateOfRow = Uint16Array.from(states, (state) => indexes.get(state) ?? 0);
  const bytes =
    rows.byteLength + starts.byteLength + stateOfRow.byteLength + indexes.size * bytesPerState + bytesPerRange;
  return { position, rows, starts, stateOfRow, states: [...indexes.keys()], bytes };
}
