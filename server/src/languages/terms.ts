import { readFileSync } from "node:fs";
import { memoize } from "../platform/memoize.ts";
import { languageFor, rankedLanguages } from "./lexicon.ts";
import type { CollectedTerms } from "./terms/collect.ts";
import { parseTerms } from "./terms/file.ts";

export type Terms = ReadonlyMap<string, readonly string[]>;

/** More than there are. */
const languagesMax = 1_000;
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
  return readOnce(languageFor(hl));
}

const readOnce = memoize((language: string): Terms => {
  const { categories, loose } = collectedTerms(language);
  looseTerms.set(categories, loose);
  return categories;
}, languagesMax);

/** What a whole phrase means in a language that is understood whatever that of a question. */
export function categoriesInAnyLanguage(phrase: string): readonly string[] | undefined {
  return allTerms()
    .find((terms) => terms.has(phrase))
    ?.get(phrase);
}

function allTerms(): readonly Terms[] {
  return (termsOfAll ??= rankedLanguages.map((language) => termsOf(language)));
}

let termsOfAll: readonly Terms[] | undefined;

function collectedTerms(language: string): CollectedTerms {
  return parseTerms(readFileSync(termsFile(language), "utf8"));
}

/** Written by compile/write.ts. */
function termsFile(language: string): URL {
  return new URL(`compiled/terms/${language}.txt`, import.meta.url);
}
