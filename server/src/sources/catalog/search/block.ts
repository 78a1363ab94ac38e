import { letterSet } from "../../../text/edit-distance.ts";
import { bytesOfWords, readWordList, type WordList, wordListOf } from "./word-list.ts";

/**
 * A block is the search index of a few thousand neighboring places. Everything a search compares
 * lies in flat arrays: the places by position, and for each word and each category the positions of
 * the places that have it. A process keeps the blocks it has read; a search over one touches only
 * the postings of what was asked.
 */
export type Block = {
  readonly size: number;
  /** By position: the place's number, where it is in ten-millionths of a degree, and what ranks it. */
  readonly numbers: Int32Array;
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  readonly countries: Uint16Array;
  readonly ranks: Uint8Array;
  /** How many words its name has: a query that matches them all has named it exactly. */
  readonly nameLengths: Uint8Array;
  /** In order, so that a prefix is a range. */
  readonly words: WordList;
  /** The words once more by length, with the letters of each: what typos are looked for in. */
  readonly wordsByLength: Uint32Array;
  readonly lettersByLength: Int32Array;
  /** Where each length begins in those. */
  readonly lengthStarts: Uint32Array;
  readonly wordStarts: Uint32Array;
  /** Position times two, plus one when the word is of the place's own name. */
  readonly wordPostings: Uint32Array;
  readonly categories: ReadonlyMap<string, number>;
  readonly categoryStarts: Uint32Array;
  /** Position times two, plus one when the category is the place's first. */
  readonly categoryPostings: Uint32Array;
  /** About how much memory it takes. */
  readonly bytes: number;
};

export type BlockPlace = {
  number: number;
  latitude: number;
  longitude: number;
  countryCode: string;
  /** 0 to 255: how complete what we know of it is. */
  rank: number;
  nameWords: readonly string[];
  otherWords: readonly string[];
  categories: readonly string[];
};

export const layout = 1;
const headerLength = 8;
/** Longer words are filed under this length. */
export const lengthsMax = 48;

export function decodeBlock(stored: Uint8Array): Block {
  const buffer = bufferOf(stored);
  const header = new Uint32Array(buffer, 0, headerLength);
  const [version, size = 0, wordCount = 0, wordBytes = 0, wordTotal = 0, count = 0, categoryBytes = 0, sum = 0] =
    header;
  if (version !== layout) throw new Error(`A block of layout ${version} was written by another version of Waypost.`);

  let offset = headerLength * 4;
  const take = <Array>(
    make: new (buffer: ArrayBuffer, offset: number, length: number) => Array,
    length: number,
    bytes: number,
  ) => {
    const array = new make(buffer, offset, length);
    offset += length * bytes;
    return array;
  };
  const numbers = take(Int32Array, size, 4);
  const latitudes = take(Int32Array, size, 4);
  const longitudes = take(Int32Array, size, 4);
  const wordStarts = take(Uint32Array, wordCount + 1, 4);
  const wordPostings = take(Uint32Array, wordTotal, 4);
  const lengthStarts = take(Uint32Array, lengthsMax + 2, 4);
  const wordsByLength = take(Uint32Array, wordCount, 4);
  const lettersByLength = take(Int32Array, wordCount, 4);
  const categoryStarts = take(Uint32Array, count + 1, 4);
  const categoryPostings = take(Uint32Array, sum, 4);
  const countries = take(Uint16Array, size, 2);
  const ranks = take(Uint8Array, size, 1);
  const nameLengths = take(Uint8Array, size, 1);
  const words = readWordList(Buffer.from(buffer, offset, wordBytes), wordCount);
  const categories = listOf(Buffer.from(buffer, offset + wordBytes, categoryBytes), count);
  return {
    size,
    numbers,
    latitudes,
    longitudes,
    countries,
    ranks,
    nameLengths,
    words,
    wordsByLength,
    lettersByLength,
    lengthStarts,
    wordStarts,
    wordPostings,
    categories: new Map(categories.map((category, index) => [category, index])),
    categoryStarts,
    categoryPostings,
    bytes: buffer.byteLength + bytesOfWords(words, wordBytes),
  };
}

/** A buffer of these bytes alone: aligned for the arrays, and free of the one the answer arrived in. */
export function bufferOf(stored: Uint8Array): ArrayBuffer {
  const { buffer } = stored;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === stored.byteLength;
  return isAlone ? buffer : new Uint8Array(stored).buffer;
}

/** In ten-millionths of a degree. */
export function degreesE7(degrees: number): number {
  return Math.round(degrees * 1e7);
}

/** Two letters as one number; 0 for none. */
export function countryNumber(code: string): number {
  return /^[A-Za-z]{2}$/.test(code) ? parseInt(code, 36) : 0;
}

/** An Italian restaurant is a restaurant: `amenity/restaurant/italian` is found by `amenity/restaurant` too. */
export function withAncestors(categories: readonly string[]): Set<string> {
  const all = new Set<string>(categories);
  for (const category of categories) {
    for (let slash = category.lastIndexOf("/"); slash > 0; slash = category.lastIndexOf("/", slash - 1)) {
      all.add(category.slice(0, slash));
    }
  }
  return all;
}

/** What a search compares of each place, beside its words and categories. */
export type PlaceColumns = Pick<
  Block,
  "size" | "numbers" | "latitudes" | "longitudes" | "countries" | "ranks" | "nameLengths"
>;

/** A block of these places that is never stored. */
export function makeBlock(columns: PlaceColumns, words: PostingLists, categories: PostingLists): Block {
  const [wordList, categoryList] = [[...words.keys()].sort(), [...categories.keys()]];
  const [wordStarts, wordPostings] = postings(words, wordList);
  const [lengthStarts, wordsByLength, lettersByLength] = lengthsOf(wordList);
  const [categoryStarts, categoryPostings] = postings(categories, categoryList);
  return {
    ...columns,
    words: wordListOf(wordList),
    wordsByLength,
    lettersByLength,
    lengthStarts,
    wordStarts,
    wordPostings,
    categories: new Map(categoryList.map((category, index) => [category, index])),
    categoryStarts,
    categoryPostings,
    bytes: 0,
  };
}

/** By word or category: position times two, plus one as in a block. */
export type PostingLists = Map<string, number[]>;

function total(lists: PostingLists): number {
  let sum = 0;
  for (const list of lists.values()) sum += list.length;
  return sum;
}

function postings(lists: PostingLists, keys: readonly string[]): [starts: Uint32Array, flat: Uint32Array] {
  const starts = new Uint32Array(keys.length + 1);
  const flat = new Uint32Array(total(lists));
  let filled = 0;
  keys.forEach((key, index) => {
    starts[index] = filled;
    for (const posting of lists.get(key) ?? []) flat[filled++] = posting;
  });
  starts[keys.length] = filled;
  return [starts, flat];
}

/** The words by length, in their order within each: so many of a length are counted, and each then has its place. */
export function lengthsOf(words: readonly string[]): [starts: Uint32Array, order: Uint32Array, letters: Int32Array] {
  const lengths = new Uint8Array(words.length);
  for (let index = 0; index < words.length; index += 1) {
    lengths[index] = Math.min(lengthsMax, words[index]?.length ?? 0);
  }
  const starts = new Uint32Array(lengthsMax + 2);
  for (const length of lengths) starts[length + 1] = (starts[length + 1] ?? 0) + 1;
  for (let length = 1; length < starts.length; length += 1) {
    starts[length] = (starts[length] ?? 0) + (starts[length - 1] ?? 0);
  }
  const next = starts.slice();
  const order = new Uint32Array(words.length);
  const letters = new Int32Array(words.length);
  words.forEach((word, index) => {
    const length = lengths[index] ?? 0;
    const at = next[length] ?? 0;
    next[length] = at + 1;
    order[at] = index;
    letters[at] = letterSet(word);
  });
  return [starts, order, letters];
}

/** The same numbers with room for as many more. */
export function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

export function bytesOf(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function listOf(text: Buffer, count: number): string[] {
  return count === 0 ? [] : text.toString("utf8").split("\n");
}
