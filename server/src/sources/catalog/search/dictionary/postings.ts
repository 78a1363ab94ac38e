import { bufferOf, type PlaceColumns } from "../block.ts";
import { bucketOf } from "./buckets.ts";

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
type PostedColumns = PlaceColumns & {
  /** What the category is that comes first, as kindNumber tells. */
  readonly kinds: Uint16Array;
  /** The signs of all its words and categories. */
  readonly signatures: Int32Array;
};

/** A place as a word of it knows it. Where it is counts in ten-millionths of a degree. */
export type PostedPlace = {
  number: number;
  latitude: number;
  longitude: number;
  country: number;
  kind: number;
  signature: number;
  rank: number;
  nameLength: number;
  isOwnName: boolean;
};

/** A word that more places of a group have is common there: only its blocks are kept. */
export const rareMax = 4_096;
const layout = 4;
const headerLength = 4;
const ownNameBit = 128;
export const nameLengthMax = 127;
/** What the objects take through which a row is read. */
const bytesPerRow = 2_000;
/** By place: number, latitude, longitude, signature; country, kind; rank, length of its name. */
const bytesPerPlace = 4 * 4 + 2 * 2 + 2;

/** Collects the words of a group, block by block, and packs them into buckets. */
export function createPostings(blockCount: number) {
  const stride = Math.max(1, Math.ceil(blockCount / 32));
  const words = new Map<string, number>();
  let blockBits = new Uint32Array(stride * 1_024);
  /** Undefined for a word that is common. */
  const places: (PostedPlace[] | undefined)[] = [];

  /** Adds what some blocks say of a word; undefined places where it is common. */
  function add(word: string, blocks: readonly number[], posted: readonly PostedPlace[] | undefined) {
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
    if (posted === undefined || known.length + posted.length > rareMax) places[at] = undefined;
    else for (const place of posted) known.push(place);
  }

  function encode(): Map<number, Buffer> {
    const buckets = Map.groupBy([...words.keys()].sort(), bucketOf);
    return new Map([...buckets].map(([bucket, list]) => [bucket, encodeBucket(list)]));
  }

  function encodeBucket(list: readonly string[]): Buffer {
    const starts = new Uint32Array(list.length + 1);
    const placeStarts = new Uint32Array(list.length + 1);
    const bits = new Uint32Array(list.length * stride);
    let size = 0;
    list.forEach((word, index) => {
      const at = words.get(word) ?? 0;
      starts[index + 1] = (starts[index] ?? 0) + word.length;
      bits.set(blockBits.subarray(at * stride, (at + 1) * stride), index * stride);
      placeStarts[index + 1] = size += places[at]?.length ?? 0;
    });
    return Buffer.concat([
      bytesOf(Uint32Array.of(layout, list.length, stride, size)),
      bytesOf(starts),
      bytesOf(placeStarts),
      bytesOf(bits),
      ...columnsOf(list, size),
      Buffer.from(list.join("")),
    ]);
  }

  function columnsOf(list: readonly string[], size: number): Buffer[] {
    const numbers = new Int32Array(size);
    const latitudes = new Int32Array(size);
    const longitudes = new Int32Array(size);
    const signatures = new Int32Array(size);
    const countries = new Uint16Array(size);
    const kinds = new Uint16Array(size);
    const ranks = new Uint8Array(size);
    const nameLengths = new Uint8Array(size);
    let at = 0;
    for (const word of list) {
      for (const place of places[words.get(word) ?? 0] ?? []) {
        numbers[at] = place.number;
        latitudes[at] = place.latitude;
        longitudes[at] = place.longitude;
        signatures[at] = place.signature;
        countries[at] = place.country;
        kinds[at] = place.kind;
        ranks[at] = place.rank;
        nameLengths[at] = place.nameLength + (place.isOwnName ? ownNameBit : 0);
        at += 1;
      }
    }
    return [numbers, latitudes, longitudes, signatures, countries, kinds, ranks, nameLengths].map(bytesOf);
  }

  return { add, words: () => words.keys(), encode };
}

export function decodePostings(stored: Uint8Array): Postings {
  const buffer = bufferOf(stored);
  const [version, count = 0, stride = 1, size = 0] = new Uint32Array(buffer, 0, headerLength);
  if (version !== layout)
    throw new Error(`A dictionary of layout ${version} was written by another version of Waypost.`);
  const wordsAt = headerLength * 4;
  const placesAt = wordsAt + (2 * (count + 1) + count * stride) * 4;
  const text = Buffer.from(buffer, placesAt + size * bytesPerPlace).toString("utf8");
  return {
    count,
    stride,
    text,
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
    bytes: buffer.byteLength + text.length * 2 + bytesPerRow,
  };
}

/** Every word, with the positions of its blocks and its places, undefined where it is common. */
export function* listPostings(
  postings: Postings,
): Iterable<{ word: string; blocks: number[]; places: PostedPlace[] | undefined }> {
  for (let index = 0; index < postings.count; index += 1) {
    const blocks: number[] = [];
    for (let block = 0; block < postings.stride * 32; block += 1) {
      if (hasBlock(postings.blockBits, index * postings.stride, block)) blocks.push(block);
    }
    const [from, to] = placesOf(postings, index);
    const places = Array.from({ length: to - from }, (_, at) => placeAt(postings.places, from + at));
    yield { word: wordAt(postings, index), blocks, places: from === to ? undefined : places };
  }
}

function placeAt(places: PostedColumns, at: number): PostedPlace {
  const { numbers, latitudes, longitudes, countries, kinds, signatures, ranks, nameLengths } = places;
  const nameLength = nameLengths[at] ?? 0;
  return {
    number: numbers[at] ?? 0,
    latitude: latitudes[at] ?? 0,
    longitude: longitudes[at] ?? 0,
    country: countries[at] ?? 0,
    kind: kinds[at] ?? 0,
    signature: signatures[at] ?? 0,
    rank: ranks[at] ?? 0,
    nameLength: nameLength & nameLengthMax,
    isOwnName: (nameLength & ownNameBit) !== 0,
  };
}

/** Whether the word that this place stands under is of its own name. */
export function isOwnName({ places }: Postings, at: number): boolean {
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

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function bytesOf(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
