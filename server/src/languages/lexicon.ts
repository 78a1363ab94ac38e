import { readFileSync } from "node:fs";
import { memoize } from "../platform/memoize.ts";
import type { Language } from "./language.ts";

/** What the files of languages say, but for the words of kinds, which are terms. Written by compile/write.ts. */
export const lexicon: ReadonlyMap<string, Language> = new Map(
  Object.entries<Language>(JSON.parse(readFileSync(new URL("compiled/lexicon.json", import.meta.url), "utf8"))),
);

/** Those that are understood whatever the language of a question, the likeliest first. */
export const rankedLanguages: readonly string[] = [...lexicon]
  .flatMap(([tag, { rank }]) => (rank === undefined ? [] : [{ tag, rank }]))
  .sort((one, other) => one.rank - other.rank)
  .map(({ tag }) => tag);

/** The others, in the order of their tags. */
export const furtherLanguages: readonly string[] = [...lexicon.keys()].filter((tag) => !rankedLanguages.includes(tag));

export const defaultLanguage = "en";
const tagsServed: ReadonlyMap<string, string> = new Map([
  ...[...lexicon].flatMap(([tag, { serves = [] }]) => serves.map((served): [string, string] => [served, tag])),
  ...[...lexicon.keys()].map((tag): [string, string] => [tag, tag]),
]);

/** The language of ours that serves a language tag: `de-CH` is served by `de`, an unknown one by English. */
export const languageFor = memoize(findLanguage, 1_000);

function findLanguage(hl: string): string {
  const subtags = hl.toLowerCase().split("-");
  for (let length = subtags.length; length > 0; length -= 1) {
    const language = tagsServed.get(subtags.slice(0, length).join("-"));
    if (language !== undefined) return language;
  }
  return defaultLanguage;
}
