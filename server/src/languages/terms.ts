import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { longestByFirstWord } from "../text/phrases.ts";
import { languageFor } from "./data.ts";
import { readLanguages } from "./everyday.ts";
import { type CollectedTerms, collectTerms } from "./terms/collect.ts";
import { parseTerms } from "./terms/file.ts";

export type Terms = ReadonlyMap<string, readonly string[]>;

const termsByLanguage = new Map<string, Terms>();
const looseTerms = new WeakMap<Terms, ReadonlySet<string>>();

/** Whether a term is only something that people search a category by, and not what it is called. */
export function isLoose(terms: Terms, term: string): boolean {
  return looseTerms.get(terms)?.has(term) === true;
}

/**
 * The words of a language that mean kinds of place: normalized words joined by one space, each with
 * its categories, best first. Singular and plural are both there.
 */
export function termsOf(hl: string): Terms {
  const language = languageFor(hl);
  let terms = termsByLanguage.get(language);
  if (!terms) {
    const { categories, loose } = isWritten(language) ? readTerms(language) : collectTerms(language);
    terms = categories;
    termsByLanguage.set(language, terms);
    looseTerms.set(terms, loose);
  }
  return terms;
}

/** How many words the longest term has that begins with this word; 0 when none does. */
export function longestTermFrom(terms: Terms, word: string): number {
  let longest = longestTerms.get(terms);
  if (!longest) longestTerms.set(terms, (longest = longestByFirstWord(terms.keys())));
  return longest.get(word) ?? 0;
}

const longestTerms = new WeakMap<Terms, ReadonlyMap<string, number>>();

/** What a whole phrase means in some language that questions are read in. */
export function categoriesInAnyLanguage(phrase: string): readonly string[] | undefined {
  return allTerms()
    .find((terms) => terms.has(phrase))
    ?.get(phrase);
}

/** The same for what categories are called by, not merely searched by. */
export function categoriesCalled(phrase: string): readonly string[] | undefined {
  return allTerms()
    .find((terms) => terms.has(phrase) && !isLoose(terms, phrase))
    ?.get(phrase);
}

function allTerms(): readonly Terms[] {
  return (termsOfAll ??= readLanguages.map((language) => termsOf(language)));
}

let termsOfAll: readonly Terms[] | undefined;

/** Reads the terms of the languages that questions are read in, with a pause after each. */
export async function warmTerms(): Promise<void> {
  for (const language of readLanguages) {
    longestTermFrom(termsOf(language), "");
    await setImmediate();
  }
}

/** Written by terms/write.ts. */
export function termsFile(language: string): URL {
  return new URL(`terms/${language}.txt`, import.meta.url);
}

/** Where words have no spaces between them, what they are hangs on the version of Node. */
export function isWritten(language: string): boolean {
  return !["ja", "th", "lo", "km", "my", "zh-cn", "zh-tw"].includes(language);
}

function readTerms(language: string): CollectedTerms {
  return parseTerms(readFileSync(termsFile(language), "utf8"));
}
