import type { Question } from "../../../query/question.ts";
import { bitsOf } from "../../../../text/edit-distance.ts";
import { type Block, makeBlock, type PostingLists } from "../block.ts";
import { kindNumber } from "./buckets.ts";
import { isOwnName, nameLengthMax, placesOf, type Postings, wordAt } from "./postings.ts";

/** Where one spelling of a word stands in a group's dictionary. */
export type Spelling = { row: Postings; index: number };

/** For each word of the question how it is spelled in a group; undefined for one that is common there. */
export type GroupSpellings = readonly (readonly Spelling[] | undefined)[];

/** What a place needs: so many of the words, or to be of the kind and have the words of the mask. */
export type Needs = {
  enough: number;
  restMask: number;
  /** By word the signs of all that it may stand for, and the signs of all kinds. */
  wordSigns: readonly number[];
  kindSigns: number;
};

/** Places that may answer, as a block. Its scores are right, or else at least as high as the right ones. */
export type Candidates = { block: Block; isExact: boolean };

/** More are not compared one by one. */
const candidatesMax = 100_000;

/**
 * All places of the groups that may answer the question; undefined when no word tells them from others. What the
 * dictionary does not say of a place is taken for granted unless its signature denies it: a common word, the categories
 * that are not its first.
 */
export function listCandidates(
  groups: readonly GroupSpellings[],
  question: Question,
  needs: Needs,
  without: ReadonlySet<number>,
): Candidates | undefined {
  const listed = groups.reduce((sum, group) => sum + group.reduce((most, each) => Math.max(most, countOf(each)), 0), 0);
  if (listed > candidatesMax * question.words.length) return undefined;
  const collected = createCollection(question, (signature) => maySatisfy(needs, signature));
  for (const group of groups) {
    const only = onlySpelling(group, question, needs);
    if (only) {
      if (collected.size() + countOf([only]) > candidatesMax) return undefined;
      collected.addAll(group, only, without);
      continue;
    }
    const matched = matchWords(group, question, needs);
    if (!matched || collected.size() + matched.size > candidatesMax) return undefined;
    for (const number of without) matched.delete(number);
    collected.add(group, matched);
  }
  return collected.make();
}

/**
 * The spelling that exactly the places of a group that may answer have: the usual case of a name with one rare word,
 * in which nothing has to be compared.
 */
function onlySpelling(group: GroupSpellings, { words, categories }: Question, { enough, restMask }: Needs) {
  if (enough < words.length) return undefined;
  const rare = group.findIndex((spellings) => spellings);
  const isRequired = categories.length === 0 || (restMask & (1 << rare)) !== 0;
  if (rare < 0 || !isRequired || group.findLastIndex((spellings) => spellings) !== rare) return undefined;
  const [first, ...others] = group[rare] ?? [];
  return others.length === 0 ? first : undefined;
}

/** The places of a group that have enough of the words, by number; undefined when other places may answer, too. */
function matchWords(
  group: GroupSpellings,
  { words, categories }: Question,
  { enough, restMask }: Needs,
): Map<number, number> | undefined {
  if (enough < words.length) return categories.length > 0 ? undefined : matchSome(group, enough);
  const required = group
    .map((spellings, index) => ({ spellings, index }))
    .filter(({ spellings, index }) => spellings && (categories.length === 0 || (restMask & (1 << index)) !== 0))
    .sort((a, b) => countOf(a.spellings) - countOf(b.spellings));
  return required.length === 0 ? undefined : matchAll(required.map(({ spellings }) => spellings ?? []));
}

function matchSome(group: GroupSpellings, enough: number): Map<number, number> | undefined {
  const commonCount = group.filter((spellings) => !spellings).length;
  if (commonCount >= enough) return undefined;
  const masks = new Map<number, number>();
  group.forEach((spellings, index) =>
    match(spellings, (number) => masks.set(number, (masks.get(number) ?? 0) | (1 << index))),
  );
  for (const [number, mask] of masks) if (bitsOf(mask) + commonCount < enough) masks.delete(number);
  return masks;
}

/** The rarest word first: of the others only the places that have it matter. */
function matchAll(words: readonly (readonly Spelling[])[]): Map<number, number> {
  const counts = new Map<number, number>();
  words.forEach((spellings, before) => {
    match(spellings, (number) => {
      if ((counts.get(number) ?? 0) === before) counts.set(number, before + 1);
    });
  });
  for (const [number, count] of counts) if (count < words.length) counts.delete(number);
  return counts;
}

function match(spellings: readonly Spelling[] | undefined, take: (number: number) => void) {
  for (const { row, index } of spellings ?? []) {
    const [from, to] = placesOf(row, index);
    for (let at = from; at < to; at += 1) take(row.places.numbers[at] ?? 0);
  }
}

function countOf(spellings: readonly Spelling[] | undefined): number {
  let count = 0;
  for (const { row, index } of spellings ?? []) {
    const [from, to] = placesOf(row, index);
    count += to - from;
  }
  return count;
}

/** False for a place that cannot have what is needed; true for all that can, and for some that do not. */
function maySatisfy({ enough, restMask, wordSigns, kindSigns }: Needs, signature: number): boolean {
  if (enough < wordSigns.length) return true;
  const isOfKind = (signature & kindSigns) !== 0;
  return wordSigns.every((signs, index) => (signature & signs) !== 0 || (isOfKind && (restMask & (1 << index)) === 0));
}

/** The candidates of group after group as the columns and postings of a block. */
function createCollection({ words, categories, attributes }: Question, mayAnswer: (signature: number) => boolean) {
  const columns: { row: Postings; at: number }[] = [];
  const postings: PostingLists = new Map();
  let isExact = categories.length === 0 && attributes.length === 0;

  function add(group: GroupSpellings, matched: ReadonlyMap<number, unknown>) {
    if (matched.size === 0) return;
    const first = columns.length;
    const positions = new Map<number, number>();
    for (const { row, index } of group.flatMap((spellings) => spellings ?? [])) {
      const posted = listOf(wordAt(row, index));
      const [from, to] = placesOf(row, index);
      for (let at = from; at < to; at += 1) {
        const number = row.places.numbers[at] ?? 0;
        if (!matched.has(number) || !mayAnswer(row.places.signatures[at] ?? 0)) continue;
        let position = positions.get(number);
        if (position === undefined) {
          position = columns.length;
          positions.set(number, position);
          columns.push({ row, at });
        }
        posted.push(position * 2 + (isOwnName(row, at) ? 1 : 0));
      }
    }
    addCommon(group, first);
  }

  /** The places of one spelling, of which each is there once. */
  function addAll(group: GroupSpellings, { row, index }: Spelling, without: ReadonlySet<number>) {
    const first = columns.length;
    const posted = listOf(wordAt(row, index));
    const [from, to] = placesOf(row, index);
    for (let at = from; at < to; at += 1) {
      if (without.has(row.places.numbers[at] ?? 0) || !mayAnswer(row.places.signatures[at] ?? 0)) continue;
      posted.push(columns.length * 2 + (isOwnName(row, at) ? 1 : 0));
      columns.push({ row, at });
    }
    if (columns.length > first) addCommon(group, first);
  }

  /** A common word counts for every place from one position on. */
  function addCommon(group: GroupSpellings, first: number) {
    group.forEach((spellings, index) => {
      if (spellings) return;
      isExact = false;
      const posted = listOf(words[index] ?? "");
      for (let position = first; position < columns.length; position += 1) posted.push(position * 2 + 1);
    });
  }

  function listOf(word: string): number[] {
    let posted = postings.get(word);
    if (!posted) postings.set(word, (posted = []));
    return posted;
  }

  function make(): Candidates {
    const size = columns.length;
    const numbers = new Int32Array(size);
    const latitudes = new Int32Array(size);
    const longitudes = new Int32Array(size);
    const countries = new Uint16Array(size);
    const ranks = new Uint8Array(size);
    const nameLengths = new Uint8Array(size);
    columns.forEach(({ row: { places }, at }, position) => {
      numbers[position] = places.numbers[at] ?? 0;
      latitudes[position] = places.latitudes[at] ?? 0;
      longitudes[position] = places.longitudes[at] ?? 0;
      countries[position] = places.countries[at] ?? 0;
      ranks[position] = places.ranks[at] ?? 0;
      nameLengths[position] = (places.nameLengths[at] ?? 0) & nameLengthMax;
    });
    const assumed: PostingLists = new Map(attributes.map(({ id }) => [id, columns.map((_, position) => position * 2)]));
    for (const category of categories) {
      const kind = kindNumber(category);
      const isFirst = ({ row, at }: { row: Postings; at: number }) => row.places.kinds[at] === kind;
      assumed.set(
        category,
        columns.map((column, position) => position * 2 + (isFirst(column) ? 1 : 0)),
      );
    }
    const block = { size, numbers, latitudes, longitudes, countries, ranks, nameLengths };
    return { block: makeBlock(block, postings, assumed), isExact };
  }

  return { add, addAll, make, size: () => columns.length };
}
