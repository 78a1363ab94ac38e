import {
  type BlockPlace,
  bytesOf,
  countryNumber,
  degreesE7,
  grown,
  layout,
  lengthsOf,
  type PlaceColumns,
  withAncestors,
} from "./block.ts";
import { sortedPositions } from "./sort-words.ts";

/** A block as it is stored, with the parts that the dictionary is made of. */
export type PackedBlock = PlaceColumns & {
  bytes: Buffer;
  words: readonly string[];
  wordStarts: Uint32Array;
  wordPostings: Uint32Array;
  categories: readonly string[];
  categoryStarts: Uint32Array;
  categoryPostings: Uint32Array;
};

export function encodeBlock(places: readonly BlockPlace[]): Buffer {
  return packBlock(places).bytes;
}

export function packBlock(places: readonly BlockPlace[]): PackedBlock {
  const { words, categories, nameLengths } = listsOf(places);
  const columns = { ...columnsOf(places), nameLengths };
  const packed = words.pack();
  const kinds = categories.pack();
  const wordText = Buffer.from(packed.keys.join("\n"));
  const categoryText = Buffer.from(kinds.keys.join("\n"));
  const bytes = Buffer.concat([
    bytesOf(
      Uint32Array.of(
        layout,
        places.length,
        packed.keys.length,
        wordText.length,
        packed.postings.length,
        kinds.keys.length,
        categoryText.length,
        kinds.postings.length,
      ),
    ),
    bytesOf(columns.numbers),
    bytesOf(columns.latitudes),
    bytesOf(columns.longitudes),
    bytesOf(packed.starts),
    bytesOf(packed.postings),
    ...lengthsOf(packed.keys).map(bytesOf),
    bytesOf(kinds.starts),
    bytesOf(kinds.postings),
    bytesOf(columns.countries),
    bytesOf(columns.ranks),
    bytesOf(nameLengths),
    wordText,
    categoryText,
  ]);
  return {
    ...columns,
    bytes,
    words: packed.keys,
    wordStarts: packed.starts,
    wordPostings: packed.postings,
    categories: kinds.keys,
    categoryStarts: kinds.starts,
    categoryPostings: kinds.postings,
  };
}

function columnsOf(places: readonly BlockPlace[]): Omit<PlaceColumns, "nameLengths"> {
  const size = places.length;
  const [numbers, latitudes, longitudes] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
  const [countries, ranks] = [new Uint16Array(size), new Uint8Array(size)];
  const codes = new Map<string, number>();
  const codeOf = (country: string) => {
    let code = codes.get(country);
    if (code === undefined) codes.set(country, (code = countryNumber(country)));
    return code;
  };
  places.forEach((place, position) => {
    numbers[position] = place.number;
    latitudes[position] = degreesE7(place.latitude);
    longitudes[position] = degreesE7(place.longitude);
    countries[position] = codeOf(place.countryCode);
    ranks[position] = place.rank;
  });
  return { size, numbers, latitudes, longitudes, countries, ranks };
}

/** What the places are found by, and how many words the name of each has. */
function listsOf(places: readonly BlockPlace[]) {
  const words = createLists(places.length * 4);
  const categories = createLists(places.length * 2);
  // Neighbors have few different combinations of categories.
  const combinations = new Map<string, readonly number[]>();
  const nameLengths = new Uint8Array(places.length);
  places.forEach((place, position) => {
    const own = distinct(place.nameWords);
    for (const word of own) words.post(words.indexOf(word), position * 2 + 1);
    for (const word of distinct(place.otherWords)) {
      if (!own.includes(word)) words.post(words.indexOf(word), position * 2);
    }
    nameLengths[position] = Math.min(255, own.length);
    if (place.categories.length === 0) return;
    const key = place.categories.join("\n");
    let all = combinations.get(key);
    if (!all) combinations.set(key, (all = Array.from(withAncestors(place.categories), categories.indexOf)));
    // A set begins with what was put into it first, here the place's first category.
    all.forEach((category, index) => categories.post(category, position * 2 + (index === 0 ? 1 : 0)));
  });
  return { words, categories, nameLengths };
}

/** Collects postings by word or category in the order they come, and then lists those of each. */
function createLists(postingsExpected: number) {
  const indexes = new Map<string, number>();
  let keyOf = new Uint32Array(Math.max(16, postingsExpected));
  let postings = new Uint32Array(keyOf.length);
  let count = 0;

  function indexOf(key: string): number {
    let index = indexes.get(key);
    if (index === undefined) indexes.set(key, (index = indexes.size));
    return index;
  }

  function post(index: number, posting: number) {
    if (count === keyOf.length) [keyOf, postings] = [grown(keyOf), grown(postings)];
    keyOf[count] = index;
    postings[count] = posting;
    count += 1;
  }

  function pack(): { keys: string[]; starts: Uint32Array; postings: Uint32Array } {
    const collected = [...indexes.keys()];
    const sorted = sortedPositions(collected);
    const keys = Array.from(collected, (_, position) => collected[sorted[position] ?? 0] ?? "");
    const order = new Uint32Array(keys.length);
    for (let position = 0; position < sorted.length; position += 1) order[sorted[position] ?? 0] = position;
    const starts = new Uint32Array(keys.length + 1);
    for (let at = 0; at < count; at += 1) {
      const after = (order[keyOf[at] ?? 0] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let key = 1; key < starts.length; key += 1) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0);
    const next = starts.slice();
    const flat = new Uint32Array(count);
    for (let at = 0; at < count; at += 1) {
      const key = order[keyOf[at] ?? 0] ?? 0;
      const to = next[key] ?? 0;
      next[key] = to + 1;
      flat[to] = postings[at] ?? 0;
    }
    return { keys, starts, postings: flat };
  }

  return { indexOf, post, pack };
}

/** Comparing the few words of a name with each other takes less than a set of them. */
function distinct(words: readonly string[]): readonly string[] {
  if (words.length > 16) return [...new Set(words)];
  for (let index = 1; index < words.length; index += 1) {
    if (words.indexOf(words[index] ?? "") < index) return [...new Set(words)];
  }
  return words;
}
