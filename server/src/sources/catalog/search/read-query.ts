import { termsOf } from "../../vocabulary/index.ts";
import { wordsOf } from "../words.ts";
import type { Areas, Preference } from "./areas.ts";
import { countryNamed } from "./countries.ts";
import { parseViewport } from "./geometry.ts";
import { type Question, wordsMax } from "./question.ts";
import type { Where } from "./region.ts";
import { bitsOf, editDistance, letterSet, typosAllowed } from "./typos.ts";

export type QueryText = { q: string; hl: string; ll?: string; gl?: string };

/** One way to understand a query. Where several hold, what they find is put together. */
export type Reading = { question: Question; where: Where };

// Words between what and where, in the seven languages queries are read in.
const prepositions = setOf(
  "in near at around by within inside im bei nahe um rund beim am a au aux en dans pres proche vers chez cerca ad nei nel nella presso vicino intorno em no na nos nas perto te bij nabij rond rondom op",
);
// What is left of longer ones at either side: "in der Nähe von", "à proximité de", "cerca de la".
const linking = setOf(
  "in the of to close next der den dem die das nahe umgebung von um de du des d la le les l proximite pres cote cerca del el los las lado vicino al alla di da do dos das perto het buurt omgeving van naast",
);
const fillers = setOf(
  "the a an of and best top good cheap near nearby me my here around open now der die das ein eine und beste besten gute le la les l un une et meilleur meilleurs meilleure meilleures moi pres de du des el los las y mejor mejores mi cerca il lo gli i e migliore migliori me vicino o os as melhor melhores mim perto het een en goede mij",
);

/** Reads "what in where". An empty list means that the query has no words at all. */
export function readQuery({ q, hl, ll, gl }: QueryText, areas: Areas): Reading[] {
  const segments = q
    .split(/[,;،、，]/u)
    .map(wordsOf)
    .filter((words) => words.length > 0);
  if (segments.length === 0) return [];

  const countryCode = gl === undefined ? undefined : gl.toUpperCase() === "UK" ? "GB" : gl.toUpperCase();
  const viewport = ll === undefined ? undefined : parseViewport(ll);
  const context = segments.slice(1).map((words) => countryNamed(words.join(" ")));
  const preference: Preference = {
    near: viewport?.center ?? null,
    countryCode: context.find((code) => code !== undefined) ?? countryCode ?? null,
  };
  const elsewhere: Where = viewport
    ? { kind: "circle", ...viewport }
    : countryCode === undefined
      ? { kind: "everywhere" }
      : { kind: "country", countryCode };

  const all = segments.flat();
  const named: Reading = { question: readWhat(all, hl), where: elsewhere };
  const split = splitWhere(segments, areas, preference);
  if (!split) return [named];
  if (split.what.length === 0) return [named, { question: anything, where: split.where }];
  const inArea = { question: readWhat(split.what, hl), where: split.where };
  // "Hotel Vaduz" is a hotel in Vaduz, and may be what a hotel is called.
  return split.isSure ? [inArea] : [inArea, { question: asName(all), where: elsewhere }];
}

const anything: Question = { words: [], restMask: 0, categories: [], isKind: false, isAnything: true };

/** The reading of a *what* whose words were mistyped: kinds of place that are spelled almost so. */
export function withCorrectedKinds(question: Question, hl: string): Question {
  if (question.categories.length > 0 || question.words.length === 0) return question;
  const phrase = question.words.join(" ");
  const allowed = typosAllowed(phrase.length);
  if (allowed === 0) return question;
  const letters = letterSet(phrase);
  let best: { edits: number; categories: readonly string[] } | undefined;
  for (const terms of new Set([termsOf(hl), termsOf("en")])) {
    const byLength = spelledTermsOf(terms);
    for (let length = phrase.length - allowed; length <= phrase.length + allowed; length += 1) {
      for (const { term, categories, set } of byLength[length] ?? []) {
        if (bitsOf(set ^ letters) > allowed * 2) continue;
        const edits = editDistance(phrase, term, allowed);
        if (edits <= allowed && (!best || edits < best.edits)) best = { edits, categories };
      }
    }
  }
  return best ? { ...question, categories: best.categories, restMask: 0, isKind: true } : question;
}

type Terms = ReturnType<typeof termsOf>;
type SpelledTerm = { term: string; categories: readonly string[]; set: number };
const spelledTerms = new WeakMap<Terms, SpelledTerm[][]>();

/** The terms by their length. */
function spelledTermsOf(terms: Terms): SpelledTerm[][] {
  let byLength = spelledTerms.get(terms);
  if (!byLength) {
    byLength = [];
    for (const [term, categories] of terms) {
      (byLength[term.length] ??= []).push({ term, categories, set: letterSet(term) });
    }
    spelledTerms.set(terms, byLength);
  }
  return byLength;
}

type Split = { what: string[]; where: Where; isSure: boolean };

function splitWhere(segments: readonly string[][], areas: Areas, preference: Preference): Split | undefined {
  const [first = [], second] = segments;
  const find = (words: readonly string[]) =>
    words.length > 0 && words.length <= 6 && findArea(words, areas, preference);

  for (let at = first.length - 2; at >= 0; at -= 1) {
    if (!prepositions.has(first[at] ?? "")) continue;
    const where = find(first.slice(at + 1));
    if (where) return { what: trimmed(first.slice(0, at)), where, isSure: at > 0 };
  }
  if (second) {
    const where = find(second);
    if (where) return { what: first, where, isSure: true };
    const leading = find(first);
    return leading ? { what: segments.slice(1).flat(), where: leading, isSure: true } : undefined;
  }
  const whole = find(first);
  if (whole) return { what: [], where: whole, isSure: false };
  for (let count = Math.min(4, first.length - 1); count >= 1; count -= 1) {
    const last = find(first.slice(-count));
    if (last) return { what: trimmed(first.slice(0, -count)), where: last, isSure: false };
    const start = find(first.slice(0, count));
    if (start) return { what: first.slice(count), where: start, isSure: false };
  }
  const at = first.findLastIndex((word, index) => index > 0 && prepositions.has(word));
  const similar = at > 0 ? areas.findSimilar(first.slice(at + 1).join(" "), preference) : undefined;
  return similar && { what: trimmed(first.slice(0, at)), where: similar, isSure: true };
}

function findArea(words: readonly string[], areas: Areas, preference: Preference): Where | undefined {
  for (let start = 0; start < words.length; start += 1) {
    const where = areas.find(words.slice(start).join(" "), preference);
    if (where) return where;
    if (!linking.has(words[start] ?? "")) return undefined;
  }
  return undefined;
}

/** Without what belongs to a longer preposition: `pizza close` [to Vaduz]. */
function trimmed(words: string[]): string[] {
  let end = words.length;
  while (end > 1 && (prepositions.has(words[end - 1] ?? "") || linking.has(words[end - 1] ?? ""))) end -= 1;
  return words.slice(0, end);
}

/** The longest run of words that means a kind of place, in the language asked for or in English. */
function readWhat(all: readonly string[], hl: string): Question {
  const words = all.slice(0, wordsMax);
  for (const terms of [termsOf(hl), termsOf("en")]) {
    for (let count = words.length; count >= 1; count -= 1) {
      for (let from = 0; from + count <= words.length; from += 1) {
        const categories = terms.get(words.slice(from, from + count).join(" "));
        if (categories) return withKind(words, categories, from, count);
      }
    }
  }
  return asName(words);
}

function withKind(words: readonly string[], categories: readonly string[], from: number, count: number): Question {
  let restMask = 0;
  words.forEach((word, index) => {
    const isOfKind = index >= from && index < from + count;
    if (!isOfKind && !fillers.has(word)) restMask |= 1 << index;
  });
  return { words, restMask, categories, isKind: restMask === 0 };
}

function asName(all: readonly string[]): Question {
  const words = all.slice(0, wordsMax);
  return { words, restMask: (1 << words.length) - 1, categories: [], isKind: false };
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
