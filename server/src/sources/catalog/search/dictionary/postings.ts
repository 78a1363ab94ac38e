/**
 * One bucket of a group's dictionary. For each word: the blocks of the group that hold it, as bits, and the
 * numbers of the places that have it, unless those are so many that reading whole blocks costs less.
 */
export type Postings = {
  readonly count: number;
  /** How many numbers of 32 bits hold the blocks of one word. */
  readonly stride: number;
  /** The words in order, one after the other; `starts` says where each begins. */
  readonly text: string;
  readonly starts: Uint32Array;
  readonly blockBits: Uint32Array;
  readonly places: Int32Array;
  readonly placeStarts: Uint32Array;
  /** About how much memory it takes. */
  readonly bytes: number;
};

/** A word that more places of a group have is common there: only its blocks are kept. */
export const rareMax = 128;
/** Before a category's id, which then is a word like others. */
export const categoryMark = "=";
const layout = 1;
const headerLength = 4;

/** Words that begin alike share a bucket, so that a beginning of two letters is found in one. */
export function bucketOf(word: string): number {
  const hash = hashOf(word.startsWith(categoryMark) ? word : word.slice(0, 2));
  return (hash ^ (hash >>> 16)) & 255;
}

/** Stored buckets depend on it: it never changes. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  }
  return hash >>> 0;
}

/** Under which a cache keeps a bucket of a group: below zero, where no cell of a block is. */
export function postingsKey(groupCell: number, bucket: number): number {
  return -1 - (groupCell * 256 + bucket);
}

export function groupCellOf(key: number): number {
  return Math.floor((-1 - key) / 256);
}

/** Collects the words of a group, block by block, and packs them into buckets. */
export function createPostings(blockCount: number) {
  const stride = Math.max(1, Math.ceil(blockCount / 32));
  const words = new Map<string, number>();
  let blockBits = new Uint32Array(stride * 1_024);
  /** Undefined for a word that is common. */
  const places: (number[] | undefined)[] = [];

  /** Adds what some blocks say of a word; undefined places where it is common. */
  function add(word: string, blocks: readonly number[], numbers: readonly number[] | undefined) {
    let at = words.get(word);
    if (at === undefined) {
      at = words.size;
      words.set(word, at);
      places.push([]);
      if ((at + 1) * stride > blockBits.length) blockBits = grown(blockBits);
    }
    for (const block of blocks) {
      const bits = at * stride + (block >>> 5);
      blockBits[bits] = (blockBits[bits] ?? 0) | (1 << (block & 31));
    }
    const known = places[at];
    if (known === undefined) return;
    if (numbers === undefined || known.length + numbers.length > rareMax) places[at] = undefined;
    else known.push(...numbers);
  }

  function encode(): Map<number, Buffer> {
    const buckets = Map.groupBy([...words.keys()].sort(), bucketOf);
    return new Map([...buckets].map(([bucket, list]) => [bucket, encodeBucket(list)]));
  }

  function encodeBucket(list: readonly string[]): Buffer {
    const starts = new Uint32Array(list.length + 1);
    const placeStarts = new Uint32Array(list.length + 1);
    const bits = new Uint32Array(list.length * stride);
    const numbers: number[] = [];
    list.forEach((word, index) => {
      const at = words.get(word) ?? 0;
      starts[index + 1] = (starts[index] ?? 0) + word.length;
      bits.set(blockBits.subarray(at * stride, (at + 1) * stride), index * stride);
      numbers.push(...(places[at] ?? []));
      placeStarts[index + 1] = numbers.length;
    });
    return Buffer.concat([
      bytesOf(Uint32Array.of(layout, list.length, stride, numbers.length)),
      bytesOf(starts),
      bytesOf(placeStarts),
      bytesOf(bits),
      bytesOf(Int32Array.from(numbers)),
      Buffer.from(list.join("")),
    ]);
  }

  return { add, words: () => words.keys(), encode };
}

export function decodePostings(stored: Uint8Array): Postings {
  const { buffer } = Uint8Array.from(stored);
  const [version, count = 0, stride = 1, placeCount = 0] = new Uint32Array(buffer, 0, headerLength);
  if (version !== layout)
    throw new Error(`A dictionary of layout ${version} was written by another version of Waypost.`);
  let offset = headerLength * 4;
  const take = (length: number) => {
    const array = new Uint32Array(buffer, offset, length);
    offset += length * 4;
    return array;
  };
  const starts = take(count + 1);
  const placeStarts = take(count + 1);
  const blockBits = take(count * stride);
  const places = new Int32Array(buffer, offset, placeCount);
  const text = Buffer.from(buffer, offset + placeCount * 4).toString("utf8");
  return { count, stride, text, starts, blockBits, places, placeStarts, bytes: buffer.byteLength + text.length * 2 };
}

/** Every word, with the positions of its blocks and its places, undefined where it is common. */
export function* listPostings(
  postings: Postings,
): Iterable<{ word: string; blocks: number[]; places: readonly number[] | undefined }> {
  for (let index = 0; index < postings.count; index += 1) {
    const blocks: number[] = [];
    for (let block = 0; block < postings.stride * 32; block += 1) {
      if (hasBlock(postings.blockBits, index * postings.stride, block)) blocks.push(block);
    }
    yield { word: wordAt(postings, index), blocks, places: placesAt(postings, index) };
  }
}

export function hasBlock(bits: Uint32Array, offset: number, block: number): boolean {
  return ((bits[offset + (block >>> 5)] ?? 0) & (1 << (block & 31))) !== 0;
}

/** The range of the words that are this one, or that begin with it. */
export function rangeOf(postings: Postings, word: string, isPrefix: boolean): [first: number, end: number] {
  let low = 0;
  let high = postings.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wordAt(postings, middle) < word) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < postings.count && (isPrefix ? wordAt(postings, end).startsWith(word) : wordAt(postings, end) === word)) {
    end += 1;
  }
  return [low, end];
}

/** Undefined for a word that is common. */
export function placesAt({ places, placeStarts }: Postings, index: number): readonly number[] | undefined {
  const [from = 0, to = 0] = [placeStarts[index], placeStarts[index + 1]];
  return from === to ? undefined : [...places.subarray(from, to)];
}

function wordAt({ text, starts }: Postings, index: number): string {
  return text.slice(starts[index], starts[index + 1]);
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function bytesOf(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
