import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { everydayElsewhere } from "./everyday-elsewhere.ts";

/** A name, aliases and search terms, the latter two as lists with commas. */
export type CategoryWords = readonly [name: string, aliases: string, terms: string];
/** A label, and labels of values. */
export type FieldWords = readonly [label: string, options: Readonly<Record<string, string>>];

export type Words = { categories: ReadonlyMap<string, CategoryWords>; fields: ReadonlyMap<string, FieldWords> };

const folder = join(import.meta.dirname, "tagging-schema");
const fieldPrefix = "field ";
// The files in it are written by scripts/tagging-schema.ts, one to a language, named for it.
const fileByLanguage: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).flatMap((file) => {
    const [, language] = /^([a-z]{2}(?:-[A-Z]{2})?)\.json$/.exec(file) ?? [];
    return language === undefined ? [] : [[language.toLowerCase(), file]];
  }),
);
/** Languages of which the schema has next to nothing are known by everyday words alone. */
const everydayLanguages: ReadonlySet<string> = new Set(everydayElsewhere.map(({ language }) => language));
/** Those that languageFor answers with. */
export const languages: readonly string[] = [...new Set([...fileByLanguage.keys(), ...everydayLanguages])];
const relatives: ReadonlyMap<string, string> = mapOf({
  nb: "no",
  nn: "no",
  iw: "he",
  // Languages that are near enough to one of ours, and what they were called before.
  bs: "hr",
  sh: "hr",
  cnr: "sr",
  prs: "fa",
  tl: "fil",
  in: "id",
  zh: "zh-cn",
  "zh-hans": "zh-cn",
  "zh-hant": "zh-tw",
  "zh-hk": "zh-tw",
  "zh-mo": "zh-tw",
});

const knownTags = new Map<string, string>();
const knownTagsMax = 1_000;

/** The language of ours that serves a language tag: `de-CH` is served by `de`, an unknown one by English. */
export function languageFor(hl: string): string {
  let language = knownTags.get(hl);
  if (language === undefined) {
    language = findLanguage(hl);
    if (knownTags.size >= knownTagsMax) knownTags.clear();
    knownTags.set(hl, language);
  }
  return language;
}

function findLanguage(hl: string): string {
  const subtags = hl.toLowerCase().split("-");
  for (let length = subtags.length; length > 0; length -= 1) {
    const tag = subtags.slice(0, length).join("-");
    const language = relatives.get(tag) ?? tag;
    if (fileByLanguage.has(language) || everydayLanguages.has(language)) return language;
  }
  return "en";
}

const wordsByLanguage = new Map<string, Words>();

/** The words of one language, read at first use; none of a language that the schema lacks. */
export function wordsOf(language: string): Words {
  const known = wordsByLanguage.get(language);
  if (known) return known;

  const file = fileByLanguage.get(language);
  const entries = Object.entries(file === undefined ? {} : readJson<Record<string, CategoryWords | FieldWords>>(file));
  const words = {
    categories: new Map(entries.filter((entry): entry is [string, CategoryWords] => !entry[0].startsWith(fieldPrefix))),
    fields: new Map(
      entries
        .filter((entry): entry is [string, FieldWords] => entry[0].startsWith(fieldPrefix))
        .map(([key, value]) => [key.slice(fieldPrefix.length), value]),
    ),
  };
  wordsByLanguage.set(language, words);
  return words;
}

/** A plain object answers to words such as `constructor`; what people type must not reach one. */
function mapOf(entries: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(entries));
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}
