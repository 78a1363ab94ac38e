import { furtherLanguages, lexicon } from "../../languages/index.ts";
import { normalize } from "../../text/normalize.ts";
import { isPostposition } from "./inflections.ts";
import { prepositions, prepositionsIn } from "./links.ts";

/** Words that stand between what and where in languages that are not understood everywhere, by each tag that they serve. */
const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  furtherLanguages
    .toSorted((one, other) => orderOf(one) - orderOf(other))
    .flatMap((tag) => {
      const words = new Set(prepositionsIn(tag).flatMap((word) => normalize(word)));
      return words.size === 0 ? [] : [tag, ...(lexicon.get(tag)?.serves ?? [])].map((each) => [each, words] as const);
    }),
);

/** A name is tried in the inflections of these languages first; in the others in the order of their tags. */
function orderOf(tag: string): number {
  const at = ["ru", "uk", "bg", "sr", "mk", "hr", "sl", "pl", "cs", "sk", "ro"].indexOf(tag);
  return at === -1 ? furtherLanguages.length : at;
}

/** Those in other letters than Latin ones, which are no words of the languages read: who asks in them may leave out `hl`. */
const inOtherLetters: ReadonlySet<string> = new Set(
  [...byLanguage.values()].flatMap((words) => [...words]).filter((word) => !/^[a-z]/.test(word)),
);

export function isOtherPreposition(word: string, hl: string): boolean {
  return (byLanguage.get(primaryLanguage(hl)) ?? inOtherLetters).has(word);
}

/** Tells the prepositions of every language read, and of the requested one. */
export function prepositionsFor(hl: string): (word: string) => boolean {
  const others = byLanguage.get(primaryLanguage(hl)) ?? inOtherLetters;
  return (word) => prepositions.has(word) || others.has(word);
}

/** The languages that a word is a preposition in, of those that are not read. */
export function languagesOfPreposition(word: string): readonly string[] {
  return languagesByPreposition.get(word) ?? [];
}

const languagesByPreposition: ReadonlyMap<string, readonly string[]> = listLanguages();

function listLanguages(): Map<string, string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of byLanguage) {
    for (const word of words) languages.set(word, [...(languages.get(word) ?? []), language]);
  }
  return languages;
}

/** What is left of a *what* beside a town without the word of its language that links the two: "frisör nära" [Malmö]. */
export function withoutLocalLink(what: readonly string[], language: string, isBehindTown: boolean): readonly string[] {
  const local = primaryLanguage(language);
  if (isBehindTown) {
    const start = what.findIndex((word) => !isPostposition(word, local));
    return start <= 0 ? what : what.slice(start);
  }
  const end = what.findLastIndex((word) => byLanguage.get(local)?.has(word) !== true) + 1;
  return end === 0 ? what : what.slice(0, end);
}

/** `de` of `de-CH`. */
export function primaryLanguage(hl: string): string {
  const end = hl.indexOf("-");
  return (end === -1 ? hl : hl.slice(0, end)).toLowerCase();
}
