import { categoryMark, kindNumber, kindSign, wordSign } from "./buckets.ts";
import type { GroupPostings } from "./create-postings.ts";
import { isOwnName, listPostings, nameLengthMax, type Postings } from "./postings.ts";
import type { Block } from "../block.ts";
import type { PackedBlock } from "../pack-block.ts";
import { wordAt } from "../word-list.ts";

/** By position: the signs of all its words and categories, and what the category is that comes first. */
export type PlaceSigns = { signatures: Int32Array<ArrayBuffer>; kinds: Uint16Array<ArrayBuffer> };

/** What the dictionary says of the places of a block beside what the block does. */
export function signPlaces(block: PackedBlock): PlaceSigns {
  const { words, wordStarts, wordPostings, categories, categoryStarts, categoryPostings } = block;
  const signatures = new Int32Array(block.size);
  const kinds = new Uint16Array(block.size).fill(kindNumber(""));
  const sign = (bits: number, postings: Uint32Array, from = 0, to = 0) => {
    for (let at = from; at < to; at += 1) {
      const place = (postings[at] ?? 0) >>> 1;
      signatures[place] = (signatures[place] ?? 0) | bits;
    }
  };
  words.forEach((word, index) => sign(wordSign(word, false), wordPostings, wordStarts[index], wordStarts[index + 1]));
  categories.forEach((id, index) => {
    if (id.includes("/")) sign(kindSign(id), categoryPostings, categoryStarts[index], categoryStarts[index + 1]);
    const kind = kindNumber(id);
    for (const posting of categoryPostings.subarray(categoryStarts[index], categoryStarts[index + 1])) {
      if (posting & 1) kinds[posting >>> 1] = kind;
    }
  });
  return { signatures, kinds };
}

/** Adds the words and categories of a block, which is the one at this position of the group. */
export function addBlock(postings: GroupPostings, position: number, block: Block, signs: PlaceSigns) {
  const { signatures, kinds } = signs;
  const { size, numbers, latitudes, longitudes, countries, ranks, wordStarts } = block;
  const nameLengths = block.nameLengths.map((length) => Math.min(nameLengthMax, length));
  const columns = { size, numbers, latitudes, longitudes, countries, ranks, nameLengths, signatures, kinds };
  // A copy: the block's bytes need not stay.
  const source = postings.addSource({ columns, lists: block.wordPostings.slice() });
  const blocks = [position];
  for (let index = 0; index < block.words.count; index += 1) {
    const word = wordAt(block.words, index) ?? "";
    postings.add(word, blocks, source, wordStarts[index] ?? 0, wordStarts[index + 1] ?? 0);
  }
  for (const id of block.categories.keys()) postings.addCommon(categoryMark + id, blocks);
}

/** Adds words of a group as it was: `kept` says at which position each of its blocks stays. */
export function addKept(
  postings: GroupPostings,
  row: Postings,
  { kept, removedPlaces }: { kept: readonly (number | undefined)[]; removedPlaces: ReadonlySet<number> },
) {
  const lists = new Uint32Array(row.places.size);
  const source = postings.addSource({ columns: row.places, lists });
  let filled = 0;
  for (const { word, blocks, from, to } of listPostings(row)) {
    const staying = blocks.flatMap((block) => kept[block] ?? []);
    if (staying.length === 0) continue;
    if (from === to) {
      postings.addCommon(word, staying);
      continue;
    }
    const start = filled;
    for (let at = from; at < to; at += 1) {
      if (!removedPlaces.has(row.places.numbers[at] ?? 0)) lists[filled++] = at * 2 + (isOwnName(row, at) ? 1 : 0);
    }
    postings.add(word, staying, source, start, filled);
  }
}
