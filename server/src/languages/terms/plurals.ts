import { memoize } from "../../platform/memoize.ts";
import type { Plurals } from "../language.ts";

/** The plural forms in queries, by normalized words. A plural that nobody would write does no harm: real terms win over made ones. */
export function pluralsOf(words: readonly string[], plurals: Plurals | undefined): string[][] {
  if (!plurals || words.length === 0) return [];
  const { nounFirst, rules } = plurals;
  const inflect = (word: string) => inflected(word, rules);
  if (!nounFirst) return inflect(words.at(-1) ?? "").map((last) => [...words.slice(0, -1), last]);

  // `agence immobilière` inflects both words, `salon de coiffure` only the first.
  const end = words.findIndex((word) => nounFirst.includes(word));
  const nouns = end === -1 ? words : words.slice(0, end);
  const [first = "", ...others] = nouns;
  return inflect(first).map((plural) => [
    plural,
    ...others.map((word) => inflect(word)[0] ?? word),
    ...words.slice(nouns.length),
  ]);
}

function inflected(word: string, rules: Plurals["rules"]): string[] {
  for (const [ending = "", ...replacements] of rules) {
    const pattern = patternOf(ending);
    if (!pattern.test(word)) continue;
    return replacements.map((replacement) => word.replace(pattern, replacement)).filter((plural) => plural !== word);
  }
  return [];
}

const patternOf = memoize((ending: string) => new RegExp(`${ending}$`), 1_000);
