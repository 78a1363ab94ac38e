import { isLoose, termsOf } from "../../languages/index.ts";
import { editDistance, typosAllowed } from "../../text/edit-distance.ts";
import { areUnits, isOfKind, standApart, suits } from "./kinds.ts";
import { hasName, type Named, type NameParts, partsOf, siblingNumber, type Told, withoutKinds } from "./name-words.ts";

/** What two names have in common, and what only one of them has. */
export type NameMatch = {
  /** 0 to 1: the share of telling words that both have. */
  share: number;
  /** Words of one side only that say which business it is. */
  ownFirst: number;
  ownSecond: number;
  /** The first telling word of the longer name is missing in the other. */
  isHeadMissing: boolean;
  /** The longer name is the other one with words behind it. */
  isContinued: boolean;
  /** A word of one side names another kind than the other's: "Adler Hotel" and "Adler Optics". */
  isOtherKind: boolean;
  /** A word of one side names a department of the other or what stands beside it: "ATM", "Photo Center", "Grooming". */
  isDepartment: boolean;
  /** Both have numbers, and none in common. */
  isOtherNumber: boolean;
  /** One side has a number as small as those of siblings: "Terminal 2". */
  isNumbered: boolean;
};

const whole = { share: 1, ownFirst: 0, ownSecond: 0, isHeadMissing: false, isContinued: false } as const;

export function compareNames(a: Told, b: Told): NameMatch {
  const [first, second] = readNames(a, b);
  const alike = { ...whole, isOtherKind: false, isDepartment: false, isOtherNumber: false, isNumbered: false };
  if (a.nameWords.length > 0 && a.nameWords.join("") === b.nameWords.join("")) return alike;
  const sides = sidesOf(first, a, second, b);
  const areApart = sides.every(({ kinds }) => kinds.length > 0) && first.kinds.length === second.kinds.length;
  const said = {
    isOtherKind: sides.some(isOtherKind),
    isDepartment: sides.some(hasDepartment) || sides.every(({ parts }) => parts.length > 0),
    isOtherNumber: areOthers(first.numbers, second.numbers),
  };
  if (first.telling.join("") === second.telling.join("") && !areApart) return { ...alike, ...said };
  const { common, onlyFirst, onlySecond } = matchWords(first, second);
  const [ownFirst, ownSecond] = [onlyFirst.length + Number(areApart), onlySecond.length + Number(areApart)];
  const [shorter, longer] = [first.telling, second.telling].sort((one, other) => one.length - other.length);
  const isContinued = shorter?.every((word, index) => isSameWord(word, longer?.[index] ?? "")) ?? false;
  return {
    share: common === 0 ? 0 : (2 * common) / (2 * common + ownFirst + ownSecond),
    ownFirst,
    ownSecond,
    isHeadMissing: !shorter?.some((word) => isSameWord(word, longer?.[0] ?? "")),
    isContinued,
    ...said,
    isNumbered: [...onlyFirst, ...onlySecond].some((word) => siblingNumber.test(word)),
  };
}

function readNames(a: Told, b: Told): [NameParts, NameParts] {
  const [first, second] = [partsOf(a), partsOf(b)];
  return hasName(first) && hasName(second) ? [first, second] : [withoutKinds(first), withoutKinds(second)];
}

/** What stands in the other name as a word for a kind is no word of its own. */
function matchWords(first: NameParts, second: NameParts) {
  const free = [...second.telling];
  const onlyFirst = first.telling.filter((word) => {
    const at = free.findIndex((other) => isSameWord(word, other));
    if (at >= 0) free.splice(at, 1);
    return at < 0;
  });
  return {
    common: first.telling.length - onlyFirst.length,
    onlyFirst: onlyFirst.filter((word) => !second.words.includes(word)),
    onlySecond: free.filter((word) => !first.words.includes(word)),
  };
}

/** The words for kinds and departments that only one of two names has. */
type Side = {
  kinds: readonly Named[];
  parts: readonly Named[];
  /** Those of the kinds that stand behind a word for a kind that both are of: "Bar & Grill", "Hotel & Spa". */
  further: readonly Named[];
  own: readonly string[];
  other: readonly string[];
};

function sidesOf(first: NameParts, a: Told, second: NameParts, b: Told): [Side, Side] {
  return [sideOf(first, second, a.categories, b.categories), sideOf(second, first, b.categories, a.categories)];
}

function sideOf(mine: NameParts, theirs: NameParts, own: readonly string[], other: readonly string[]): Side {
  const kinds = mine.kinds.filter((named) => !isIn(named, theirs));
  const parts = mine.parts.filter((named) => !isIn(named, theirs));
  const isShared = (named: Named) => !kinds.includes(named) || (other.length > 0 && suits(other, named.kinds));
  const sharedAt = mine.kinds.findIndex(isShared);
  const further = sharedAt < 0 ? [] : mine.kinds.slice(sharedAt);
  return { kinds, parts, further, own, other };
}

function isIn(named: Named, { words, kinds }: NameParts): boolean {
  return (
    named.phrase.split(" ").every((word) => words.includes(word)) || kinds.some((each) => meanTheSame(named, each))
  );
}

/** Whether the words mean one kind, or one of them a finer kind of the other: a pizzeria is a restaurant. */
function meanTheSame(a: Named, b: Named): boolean {
  return a.kinds.some((kind) => b.kinds.some((other) => isWithin(kind, other)));
}

function isWithin(kind: string, other: string): boolean {
  return `${kind}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${kind}/`);
}

/** "Luigi's" is "Luigi's Restaurant", and "Adler Hotel" is no "Adler" that sells glasses. */
function isOtherKind({ kinds, further, own, other }: Side): boolean {
  return kinds.some((named) => {
    if (suits(other, named.kinds)) return false;
    if (isOfKind(own.slice(0, 1), named.kinds) && other.length > 0) return true;
    return !further.includes(named) && !isLoose(termsOf("en"), named.phrase);
  });
}

/** A department that is of the other's kind is the whole business. */
function hasDepartment({ kinds, parts, other }: Side): boolean {
  return (
    parts.some((named) => !isOfKind(other, named.kinds)) ||
    kinds.some((named) => standApart(other, named.kinds) || (areUnits(named.kinds) && !suits(other, named.kinds)))
  );
}

function areOthers(first: readonly string[], second: readonly string[]): boolean {
  return first.length > 0 && second.length > 0 && !first.some((number) => second.includes(number));
}

/** Of the same word, with a typo or another ending. Numbers with a typo are other numbers. */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (hasDigit.test(a) || hasDigit.test(b)) return false;
  const allowed = Math.min(typosAllowed(a.length), typosAllowed(b.length));
  if (allowed > 0 && editDistance(a, b, allowed) <= allowed) return true;
  const stem = Math.max(stemMin, Math.ceil(stemShare * Math.max(a.length, b.length)));
  return a.length >= stem && b.length >= stem && a.slice(0, stem) === b.slice(0, stem);
}

const hasDigit = /\d/;
/** How much of a word remains in any inflection of it. */
const stemShare = 0.7;
const stemMin = 5;
