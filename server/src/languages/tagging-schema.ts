import { existsSync, readFileSync } from "node:fs";
import { memoize } from "../platform/memoize.ts";

/** A name, aliases and search terms, the latter two as lists with commas. */
export type CategoryWords = readonly [name: string, aliases: string, terms: string];
/** A label, and labels of values. */
export type FieldWords = readonly [label: string, options: Readonly<Record<string, string>>];

export type Words = { categories: ReadonlyMap<string, CategoryWords>; fields: ReadonlyMap<string, FieldWords> };

const fieldPrefix = "field ";
/** More than there are. */
const languagesMax = 1_000;

/** The schema's words of one language, read at first use; none of a language that the schema lacks. */
export const wordsOf = memoize((language: string): Words => {
  const entries = Object.entries(readWords(language));
  return {
    categories: new Map(entries.filter((entry): entry is [string, CategoryWords] => !entry[0].startsWith(fieldPrefix))),
    fields: new Map(
      entries
        .filter((entry): entry is [string, FieldWords] => entry[0].startsWith(fieldPrefix))
        .map(([key, value]) => [key.slice(fieldPrefix.length), value]),
    ),
  };
}, languagesMax);

/** Written by scripts/tagging-schema.ts. */
function readWords(language: string): Record<string, CategoryWords | FieldWords> {
  const file = new URL(`tagging-schema/${language}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}
