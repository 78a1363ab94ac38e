import { categoryMark, kindNumber, kindSign, wordSign } from "./buckets.ts";
import type { GroupPostings } from "./create-postings.ts";
import { isOwnName, listPostings, nameLengthMax, type PostedColumns, type Postings } from "./postings.ts";
import type { PackedBlock } from "../pack-block.ts";

/** Adds the words and categories of a block, which is the one at this position of the group. */
export function addBlock(postings: GroupPostings, position: number, block: PackedBlock) {
  const source = postings.addSource({ columns: postedColumns(block), lists: block.wordPostings });
  const blocks = [position];
  block.words.forEach((word, index) =>
    postings.add(word, blocks, source, block.wordStarts[index] ?? 0, block.wordStarts[index + 1] ?? 0),
  );
  for (const id of block.categories) postings.addCommon(categoryMark + id, blocks);
}

/** What the dictionary says of the places of a block. */
function postedColumns(block: PackedBlock): PostedColumns {
  const { words, wordStarts, wordPostings, categories, categoryStarts, categoryPostings } = block;
  const signatures = new Int32Array(block.size);
  const kinds = new Uint16Array(block.size).fill(kindNumber(""));
  const sign = (bits: number, postings: Uint32Array) => {
    for (const posting of postings) signatures[posting >>> 1] = (signatures[posting >>> 1] ?? 0) | bits;
  };
  words.forEach((word, index) =>
    sign(wordSign(word, false), wordPostings.subarray(wordStarts[index], wordStarts[index + 1])),
  );
  categories.forEach((id, index) => {
    const postings = categoryPostings.subarray(categoryStarts[index], categoryStarts[index + 1]);
    if (id.includes("/")) sign(kindSign(id), postings);
    const kind = kindNumber(id);
    for (const posting of postings) if (posting & 1) kinds[posting >>> 1] = kind;
  });
  const { size, numbers, latitudes, longitudes, countries, ranks } = block;
  return {
    size,
    numbers,
    latitudes,
    longitudes,
    countries,
    ranks,
    signatures,
    kinds,
    nameLengths: block.nameLengths.map((length) => Math.min(nameLengthMax, length)),
  };
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
