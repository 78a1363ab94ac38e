import { grown } from "../block.ts";
import { bucketOf } from "./buckets.ts";
import { layPostings, nameLengthMax, ownNameBit, type PostedColumns, rareMax } from "./postings.ts";

/** Places, and lists of them: a position in the columns times two, plus one when a word is of the place's own name. */
export type PostedLists = { columns: PostedColumns; lists: Uint32Array };

/** The numbers of a place in a source: number, latitude, longitude, signature; country and kind; rank and name's length. */
const numbersPerPlace = 6;

/** The word, what holds its list of places, and where the list begins and ends there. */
const numbersPerRun = 4;

/**
 * Collects the words of a group, block by block, and packs them into buckets. What it keeps of a word and a block are
 * four numbers, and each place once for all of its words: a group has some millions of postings.
 */
export function createPostings(blockCount: number) {
  const stride = Math.max(1, Math.ceil(blockCount / 32));
  const words = new Map<string, number>();
  /** Side by side, because the places of a word lie apart: a column each would be eight reads of distant memory. */
  const sources: { places: Int32Array; lists: Uint32Array }[] = [];
  let blockBits = new Uint32Array(stride * 1_024);
  /** By word: how many places have it; more than are rare for a word that is common. */
  let counts = new Uint32Array(1_024);
  let runs = new Uint32Array(numbersPerRun * 1_024);
  let runCount = 0;

  /** Keeps places for words that are added later, which name them by the number returned. */
  function addSource({ columns, lists }: PostedLists): number {
    return sources.push({ places: rowsOf(columns), lists }) - 1;
  }

  /** Adds what some blocks say of a word: its places are a part of a source's lists. */
  function add(word: string, blocks: readonly number[], source: number, from: number, to: number) {
    const at = indexOf(word, blocks);
    const count = (counts[at] ?? 0) + to - from;
    counts[at] = count;
    if (count > rareMax) return;
    const run = runCount * numbersPerRun;
    if (run === runs.length) runs = grown(runs);
    runs[run] = at;
    runs[run + 1] = source;
    runs[run + 2] = from;
    runs[run + 3] = to;
    runCount += 1;
  }

  /** Adds blocks of a word that is common. */
  function addCommon(word: string, blocks: readonly number[]) {
    counts[indexOf(word, blocks)] = rareMax + 1;
  }

  function indexOf(word: string, blocks: readonly number[]): number {
    let at = words.get(word);
    if (at === undefined) {
      at = words.size;
      words.set(word, at);
      if (at === counts.length) counts = grown(counts);
      if ((at + 1) * stride > blockBits.length) blockBits = grown(blockBits);
    }
    for (const block of blocks) {
      const bits = at * stride + (block >>> 5);
      blockBits[bits] = (blockBits[bits] ?? 0) | (1 << (block & 31));
    }
    return at;
  }

  /** The buckets in order, each packed when it is taken. */
  function* encode(): Generator<[bucket: number, bytes: Buffer], void, undefined> {
    const runsOf = orderRuns();
    const buckets = Map.groupBy(words.keys(), bucketOf);
    for (const bucket of Uint16Array.from(buckets.keys()).sort()) {
      yield [bucket, encodeBucket((buckets.get(bucket) ?? []).sort(), runsOf)];
    }
  }

  function encodeBucket(list: readonly string[], { starts, order }: RunsByWord): Buffer {
    const indexes = Uint32Array.from(list, (word) => words.get(word) ?? 0);
    let size = 0;
    for (const at of indexes) size += placesOf(at);
    const text = Buffer.from(list.join(""));
    const { bytes, ...laid } = layPostings({ count: list.length, stride, size, textBytes: text.length });
    text.copy(bytes, bytes.length - text.length);
    let filled = 0;
    indexes.forEach((at, index) => {
      laid.starts[index + 1] = (laid.starts[index] ?? 0) + (list[index]?.length ?? 0);
      for (let word = 0; word < stride; word += 1)
        laid.blockBits[index * stride + word] = blockBits[at * stride + word] ?? 0;
      if (placesOf(at) > 0) {
        for (let each = starts[at] ?? 0; each < (starts[at + 1] ?? 0); each += 1) {
          filled = copyRun((order[each] ?? 0) * numbersPerRun, laid.places, filled);
        }
      }
      laid.placeStarts[index + 1] = filled;
    });
    return bytes;
  }

  function placesOf(at: number): number {
    const count = counts[at] ?? 0;
    return count > rareMax ? 0 : count;
  }

  function copyRun(run: number, into: PostedColumns, start: number): number {
    const source = sources[runs[run + 1] ?? 0];
    if (!source) return start;
    const { places, lists } = source;
    let at = start;
    for (let each = runs[run + 2] ?? 0; each < (runs[run + 3] ?? 0); each += 1) {
      const posting = lists[each] ?? 0;
      const from = (posting >>> 1) * numbersPerPlace;
      const [kindAndCountry, lengthAndRank] = [places[from + 4] ?? 0, places[from + 5] ?? 0];
      into.numbers[at] = places[from] ?? 0;
      into.latitudes[at] = places[from + 1] ?? 0;
      into.longitudes[at] = places[from + 2] ?? 0;
      into.signatures[at] = places[from + 3] ?? 0;
      into.countries[at] = kindAndCountry & 0xff_ff;
      into.kinds[at] = kindAndCountry >>> 16;
      into.ranks[at] = lengthAndRank & 0xff;
      into.nameLengths[at] = (lengthAndRank >>> 8) | (posting & 1 ? ownNameBit : 0);
      at += 1;
    }
    return at;
  }

  /** The runs of each word, in the order they were added. */
  function orderRuns(): RunsByWord {
    const starts = new Uint32Array(words.size + 1);
    for (let run = 0; run < runCount; run += 1) {
      const after = (runs[run * numbersPerRun] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let word = 1; word < starts.length; word += 1) starts[word] = (starts[word] ?? 0) + (starts[word - 1] ?? 0);
    const next = starts.slice();
    const order = new Uint32Array(runCount);
    for (let run = 0; run < runCount; run += 1) {
      const word = runs[run * numbersPerRun] ?? 0;
      const at = next[word] ?? 0;
      next[word] = at + 1;
      order[at] = run;
    }
    return { starts, order };
  }

  return { addSource, add, addCommon, words: () => words.keys(), encode };
}

function rowsOf(columns: PostedColumns): Int32Array {
  const { size, numbers, latitudes, longitudes, signatures, countries, kinds, ranks, nameLengths } = columns;
  const rows = new Int32Array(size * numbersPerPlace);
  for (let place = 0; place < size; place += 1) {
    const at = place * numbersPerPlace;
    rows[at] = numbers[place] ?? 0;
    rows[at + 1] = latitudes[place] ?? 0;
    rows[at + 2] = longitudes[place] ?? 0;
    rows[at + 3] = signatures[place] ?? 0;
    rows[at + 4] = ((kinds[place] ?? 0) << 16) | (countries[place] ?? 0);
    rows[at + 5] = (((nameLengths[place] ?? 0) & nameLengthMax) << 8) | (ranks[place] ?? 0);
  }
  return rows;
}

export type GroupPostings = ReturnType<typeof createPostings>;

type RunsByWord = { starts: Uint32Array; order: Uint32Array };
