import type { Block } from "./block.ts";
import type { Question } from "../../query/question.ts";
import { distanceToBounds, distanceWithin, type Region } from "./region.ts";
import { similarWords } from "./similar-words.ts";
import type { Top } from "./top.ts";
import { bitsOf } from "../../../text/edit-distance.ts";
import { beginsAt, isWordAt, lowerBound } from "./word-list.ts";

// What a place has of the question. The lower bits say which words; scratch is shared by all
// searches, which is safe because a block is searched without a pause.
const isFirstKind = 1 << 14;
const isKind = 1 << 13;
const wordBits = isKind - 1;
let marks = new Uint16Array(16_384);
let points = new Uint16Array(16_384);
let touched = new Int32Array(16_384);
/** Bit by attribute of the question. */
let attributeBits = new Uint8Array(16_384);
let touchedCount = 0;
/** By word of the question: where it is, or would be, among the words of the block. */
const firsts = new Int32Array(32);

/** Points of one matched word: of the name as written, another name, the beginning, with a typo. */
const written = 12;
const elsewhere = 8;
const begun = 9;
const mistyped = [0, 6, 4] as const;
const coverageMax = 10;

/**
 * How far a place may be from the question: as written, with typos, of the kind but without the other
 * words, or with some words missing.
 */
export type Leniency = "exact" | "typos" | "relaxed" | "partial";

/** A place that answers, wherever it is. */
export type Candidate = { number: number; worth: number; latitude: number; longitude: number; country: number };

export type BlockSearch = {
  question: Question;
  region: Region;
  /** Takes what answers and lies outside of the region, for a wider one; absent when there is none. */
  outside: Candidate[] | undefined;
  /** The widest region there is. */
  widest: Region;
  leniency: Leniency;
  top: Top;
  /** For each word the edits to those it was compared with: neighboring blocks share many words. */
  distances: readonly Map<string, number>[];
};

/**
 * Offers every place of the block that matches the question and can still make it to the top. While
 * the top is not full, matches outside of the region are collected too, so that a wider region need
 * not search the block again.
 */
export function searchBlock(block: Block, bounds: readonly number[], search: BlockSearch): void {
  const { question, region, outside, widest, leniency, top, distances } = search;
  const { words, attributes } = question;
  const last = words.length - 1;
  for (let index = 0; index <= last; index += 1) firsts[index] = lowerBound(block.words, words[index] ?? "");
  if (top.worst() !== undefined && !canMatter(region, bounds, textBound(block, question), top)) return;
  makeRoom(block.size);
  touchedCount = 0;
  if (question.isAnything) for (let position = 0; position < block.size; position += 1) touch(position);
  for (let index = 0; index <= last; index += 1) {
    const word = words[index] ?? "";
    markWord(block, word, firsts[index] ?? 0, 1 << index, index === last);
    const compared = distances[index];
    if ((leniency === "typos" || leniency === "partial") && compared) markTypos(block, word, 1 << index, compared);
  }
  for (const category of question.categories) markCategory(block, category);
  attributes.forEach(({ id }, index) => markAttribute(block, id, 1 << index));

  const count = words.length;
  const enough = leniency === "partial" ? Math.ceil(count / 2) : count;
  const restMask = leniency === "relaxed" ? 0 : question.restMask;
  const scoring = { block, question, all: (1 << count) - 1, enough, restMask };
  const { latitudes, longitudes, countries, ranks, numbers } = block;
  const hasAttributes = attributes.length > 0;
  for (let index = 0; index < touchedCount; index += 1) {
    const position = touched[index] ?? 0;
    const mark = marks[position] ?? 0;
    const wordPoints = points[position] ?? 0;
    marks[position] = 0;
    points[position] = 0;
    let attributePoints = 0;
    if (hasAttributes) {
      attributePoints = attributeScore(question, mark, attributeBits[position] ?? 0);
      attributeBits[position] = 0;
    }

    const rank = ranks[position] ?? 0;
    // A bench or a playground answers only who asks for its category.
    if (rank === 0 && (mark & isKind) === 0) continue;
    const latitude = latitudes[position] ?? 0;
    const longitude = longitudes[position] ?? 0;
    const country = countries[position] ?? 0;
    const distance = distanceWithin(region, latitude, longitude, country);
    if (distance < 0 && (!outside || distanceWithin(widest, latitude, longitude, country) < 0)) continue;
    const text = textScore(scoring, position, mark, wordPoints);
    if (text === 0) continue;
    const number = numbers[position] ?? 0;
    const worth = text + attributePoints + (rank / 255) * rankMax;
    if (distance >= 0) top.offer(number, worth + nearness(region, distance));
    else if (top.worst() === undefined) outside?.push({ number, worth, latitude, longitude, country });
  }
}

/** Offers those of the candidates that lie in the region; returns the others. */
export function offerInside(candidates: readonly Candidate[], region: Region, top: Top): Candidate[] {
  return candidates.filter(({ number, worth, latitude, longitude, country }) => {
    const distance = distanceWithin(region, latitude, longitude, country);
    if (distance < 0) return true;
    top.offer(number, worth + nearness(region, distance));
    return false;
  });
}

/** False when the top is full and nothing within these bounds can be better than the worst in it. */
export function canMatter(region: Region, bounds: readonly number[], text: number, top: Top): boolean {
  const worst = top.worst();
  return worst === undefined || text + nearness(region, distanceToBounds(region, bounds)) + rankMax >= worst;
}

/** The most that the words and kinds of any place may be worth. */
export function textBoundOf(question: Question): number {
  const extra = question.attributes.length > 0 ? attributesMax : 0;
  return extra + (isCalledKind(question) ? 300 + firstKind + wholeName : exactName + firstKind);
}

/** The words are what the kind is called, so a mere name counts for less. */
function isCalledKind(question: Question): boolean {
  return question.isKind && question.isLoose !== true && question.isGuess !== true;
}

/** More than distance and completeness can outweigh: places with the wanted attribute come first. */
const attributesMax = 80;
/**
 * What a place around an outline loses: more than nearness and completeness, so that the same kind inside
 * comes first, and less than a tier of text, so that a mere word in a name inside does not.
 */
export function outsidePenalty(question: Question): number {
  if (question.isWhole) return 0;
  return 110 + (question.attributes.length > 0 ? attributesMax : 0);
}

/** More than any other name or kind can have with distance and completeness. */
const exactName = 440;
const firstKind = 30;
/** The same for a place called just like a kind, as long as it lies in the region: an "Apotheke" far away is no better than a near one. */
const wholeName = 45;
const rankMax = 10;
const nearnessMax = 60;

function nearness(region: Region, distance: number): number {
  return (region.center ? nearnessMax / (1 + distance / region.scaleM) : 0) - region.penalty;
}

/** The most that the words and kinds of a place of this block may be worth. */
function textBound(block: Block, question: Question): number {
  if (!question.isKind && question.categories.length > 0) return textBoundOf(question);
  const isThere = question.words.every((word, index) => isWordAt(block.words, firsts[index] ?? 0, word));
  if (isThere && hasNameOf(block, question.words.length)) return textBoundOf(question);
  const extra = question.attributes.length > 0 ? attributesMax : 0;
  const name = question.isGuess || !question.isKind ? 2 * written + coverageMax : 0;
  return extra + 300 + (question.isKind ? firstKind : 0) + name;
}

/** Whether a name with the first of the words that are looked for has just so many words: the others are worth less. */
function hasNameOf(block: Block, count: number): boolean {
  const [word = 0] = firsts;
  const end = block.wordStarts[word + 1] ?? 0;
  for (let index = block.wordStarts[word] ?? 0; index < end; index += 1) {
    const posting = block.wordPostings[index] ?? 0;
    if ((posting & 1) === 1 && block.nameLengths[posting >>> 1] === count) return true;
  }
  return false;
}

/** What all places of a block are scored by: the bits of all words, how many are enough, which a kind must have. */
type Scoring = { block: Block; question: Question; all: number; enough: number; restMask: number };

/** 0 for a place that does not answer; otherwise tiers of a hundred, which distance does not outweigh. */
function textScore(
  { block, question, all, enough, restMask }: Scoring,
  position: number,
  mark: number,
  wordPoints: number,
) {
  const kind = (mark & isFirstKind) !== 0 ? firstKind : (mark & isKind) !== 0 ? 10 : 0;
  const matched = mark & wordBits;
  const hasAll = all !== 0 && matched === all;
  const count = question.words.length;
  if (hasAll) {
    const isWhole = wordPoints === count * written && block.nameLengths[position] === count;
    if (isWhole) return isCalledKind(question) ? 300 + firstKind + wholeName : exactName + kind;
    if (question.isWhole) return 0;
    if (question.isKind && !question.isGuess) return kind === 0 ? 100 + (wordPoints / count) * 2 : 300 + kind;
    return 300 + kind + (wordPoints / count) * 2 + coverage(block, position, count);
  }
  if (question.isWhole) return 0;
  if (kind > 0 && (matched & restMask) === restMask) {
    if (question.restMask === 0) return (question.isGuess ? 250 : 300) + kind;
    // Words that only some places have rank those before the others.
    return (restMask === 0 ? 200 + 5 * bitsOf(matched & question.restMask) : 250) + kind;
  }
  if (question.isAnything) return 50;
  const { requiredMask = 0 } = question;
  if ((matched & requiredMask) !== requiredMask) return 0;
  const matchedCount = bitsOf(matched);
  if (matchedCount === 0 || matchedCount < enough) return 0;
  return (matchedCount / count) * 100 + kind + (wordPoints / count) * 2;
}

/** The share of the attributes that a place has, or has in its name. */
function attributeScore({ attributes }: Question, mark: number, bits: number): number {
  if (attributes.length === 0) return 0;
  let count = 0;
  attributes.forEach(({ mask }, index) => {
    if ((bits & (1 << index)) !== 0 || (mark & mask) === mask) count += 1;
  });
  return (attributesMax * count) / attributes.length;
}

function coverage(block: Block, position: number, count: number): number {
  return coverageMax * Math.min(1, count / Math.max(1, block.nameLengths[position] ?? 1));
}

function markWord(block: Block, word: string, first: number, bit: number, isPrefix: boolean) {
  const { words } = block;
  const isThere = isWordAt(words, first, word);
  if (isThere) markPostings(block, first, bit, written);
  if (!isPrefix) return;
  for (let next = isThere ? first + 1 : first; beginsAt(words, next, word); next += 1) {
    markPostings(block, next, bit, begun);
  }
}

function markTypos(block: Block, word: string, bit: number, compared: Map<string, number>) {
  const similar = similarWords(block, word, compared);
  for (let at = 0; at < similar.length; at += 2) {
    markPostings(block, similar[at] ?? 0, bit, mistyped[similar[at + 1] ?? 0] ?? 0);
  }
}

function markPostings(block: Block, word: number, bit: number, worth: number) {
  const end = block.wordStarts[word + 1] ?? 0;
  for (let index = block.wordStarts[word] ?? 0; index < end; index += 1) {
    const posting = block.wordPostings[index] ?? 0;
    const position = posting >>> 1;
    const mark = marks[position] ?? 0;
    // The best way a word matches is looked for first, so a second way adds nothing.
    if ((mark & bit) !== 0) continue;
    if (mark === 0) touch(position);
    marks[position] = mark | bit;
    points[position] = (points[position] ?? 0) + ((posting & 1) === 1 ? worth : Math.min(worth, elsewhere));
  }
}

function markCategory(block: Block, category: string) {
  const index = block.categories.get(category);
  if (index === undefined) return;
  const end = block.categoryStarts[index + 1] ?? 0;
  for (let at = block.categoryStarts[index] ?? 0; at < end; at += 1) {
    const posting = block.categoryPostings[at] ?? 0;
    const position = posting >>> 1;
    const mark = marks[position] ?? 0;
    if (mark === 0) touch(position);
    marks[position] = mark | ((posting & 1) === 1 ? isFirstKind | isKind : isKind);
  }
}

/** After words and categories: only places that have one of those matter. */
function markAttribute(block: Block, id: string, bit: number) {
  const index = block.categories.get(id);
  if (index === undefined || bit > 128) return;
  const end = block.categoryStarts[index + 1] ?? 0;
  for (let at = block.categoryStarts[index] ?? 0; at < end; at += 1) {
    const position = (block.categoryPostings[at] ?? 0) >>> 1;
    if ((marks[position] ?? 0) !== 0) attributeBits[position] = (attributeBits[position] ?? 0) | bit;
  }
}

function touch(position: number) {
  touched[touchedCount] = position;
  touchedCount += 1;
}

function makeRoom(size: number) {
  if (marks.length >= size) return;
  marks = new Uint16Array(size);
  points = new Uint16Array(size);
  touched = new Int32Array(size);
  attributeBits = new Uint8Array(size);
}
