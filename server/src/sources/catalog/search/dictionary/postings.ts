import { bufferOf, type PlaceColumns } from "../block.ts";

/**
 * One bucket of a group's dictionary. For each word: the blocks of the group that hold it, as bits, and the places
 * that have it with all that a search compares of them, unless those are so many that it reads whole blocks for less.
 */
export type Postings = {
  readonly count: number;
  /** How many numbers of 32 bits hold the blocks of one word. */
  readonly stride: number;
  /** The words in order, one after the other; `starts` says where each begins. */
  readonly text: string;
  readonly starts: Uint32Array;
  readonly blockBits: Uint32Array;
  /** The places of all words, one after the other; `placeStarts` says where those of each begin. */
  readonly places: PostedColumns;
  readonly placeStarts: Uint32Array;
  /** About how much memory it takes. */
  readonly bytes: number;
};

/** As in a block, but for the name's length: its highest bit says that the word is of the place's own name. */
export type PostedColumns = PlaceColumns & {
  /** What the category is that comes first, as kindNumber tells. */
  readonly kinds: Uint16Array;
  /** The signs of all its words and categories. */
  readonly signatures: Int32Array;
};

/** A word that more places of a group have is common there: only its blocks are kept. */
export const rareMax = 4_096;
const layout = 4;
const headerLength = 4;
export const ownNameBit = 128;
export const nameLengthMax = 127;
/** What the objects take through which a row is read. */
const bytesPerRow = 2_000;
/** By place: number, latitude, longitude, signature; country, kind; rank, length of its name. */
const bytesPerPlace = 4 * 4 + 2 * 2 + 2;

/** Room for a bucket, with its parts, of which the words' text is the last. */
export function layPostings(sizes: { count: number; stride: number; size: number; textBytes: number }) {
  const { count, stride, size, textBytes } = sizes;
  const buffer = new ArrayBuffer(placesOffset(count, stride) + size * bytesPerPlace + textBytes);
  new Uint32Array(buffer, 0, headerLength).set([layout, count, stride, size]);
  return { bytes: Buffer.from(buffer), ...partsOf(buffer, count, stride, size) };
}

export function decodePostings(stored: Uint8Array): Postings {
  const buffer = bufferOf(stored);
  const [version, count = 0, stride = 1, size = 0] = new Uint32Array(buffer, 0, headerLength);
  if (version !== layout)
    throw new Error(`A dictionary of layout ${version} was written by another version of Waypost.`);
  const text = Buffer.from(buffer, placesOffset(count, stride) + size * bytesPerPlace).toString("utf8");
  return {
    count,
    stride,
    text,
    ...partsOf(buffer, count, stride, size),
    bytes: buffer.byteLength + text.length * 2 + bytesPerRow,
  };
}

function placesOffset(count: number, stride: number): number {
  return (headerLength + 2 * (count + 1) + count * stride) * 4;
}

function partsOf(buffer: ArrayBuffer, count: number, stride: number, size: number) {
  const wordsAt = headerLength * 4;
  const placesAt = placesOffset(count, stride);
  return {
    starts: new Uint32Array(buffer, wordsAt, count + 1),
    placeStarts: new Uint32Array(buffer, wordsAt + (count + 1) * 4, count + 1),
    blockBits: new Uint32Array(buffer, wordsAt + (count + 1) * 8, count * stride),
    places: {
      size,
      numbers: new Int32Array(buffer, placesAt, size),
      latitudes: new Int32Array(buffer, placesAt + size * 4, size),
      longitudes: new Int32Array(buffer, placesAt + size * 8, size),
      signatures: new Int32Array(buffer, placesAt + size * 12, size),
      countries: new Uint16Array(buffer, placesAt + size * 16, size),
      kinds: new Uint16Array(buffer, placesAt + size * 18, size),
      ranks: new Uint8Array(buffer, placesAt + size * 20, size),
      nameLengths: new Uint8Array(buffer, placesAt + size * 21, size),
    },
  };
}

/** Every word, with the positions of its blocks, and where its places begin and end: nowhere for one that is common. */
export function* listPostings(
  postings: Postings,
): Iterable<{ word: string; blocks: number[]; from: number; to: number }> {
  for (let index = 0; index < postings.count; index += 1) {
    const blocks: number[] = [];
    for (let block = 0; block < postings.stride * 32; block += 1) {
      if (hasBlock(postings.blockBits, index * postings.stride, block)) blocks.push(block);
    }
    const [from, to] = placesOf(postings, index);
    yield { word: wordAt(postings, index), blocks, from, to };
  }
}

/** Whether the word that this place stands under is of its own name. */
export function isOwnName({ places }: Pick<Postings, "places">, at: number): boolean {
  return ((places.nameLengths[at] ?? 0) & ownNameBit) !== 0;
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

/** Where the places of a word begin and end; nowhere for a word that is common. */
export function placesOf({ placeStarts }: Postings, index: number): [from: number, to: number] {
  return [placeStarts[index] ?? 0, placeStarts[index + 1] ?? 0];
}

export function wordAt({ text, starts }: Postings, index: number): string {
  return text.slice(starts[index], starts[index + 1]);
}
