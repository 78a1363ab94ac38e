import { titleOf } from "../kinds/index.ts";
import type { FeatureGroup } from "./language.ts";
import { defaultLanguage, languageFor, lexicon } from "./lexicon.ts";
import { type FieldWords, wordsOf } from "./tagging-schema.ts";

/** The category's name in the requested language, else in English, else made from its id. */
export function labelOf(categoryId: string, hl: string): string {
  const words =
    wordsOf(languageFor(hl)).categories.get(categoryId) ?? wordsOf(defaultLanguage).categories.get(categoryId);
  return words?.[0] ?? titleOf(categoryId.slice(categoryId.lastIndexOf("/") + 1));
}

/** The label of a feature such as `outdoor_seating`, in the requested language where there is one. */
export function featureLabel(key: string, hl: string): string {
  const family = familyOf(key);
  if (family !== undefined) return optionLabel(family, key.slice(family.length), hl);
  return field(key, hl)?.[0] ?? titleOf(key.replaceAll(":", " "));
}

/** The label of a feature's value, such as `wlan` of `internet_access`. */
export function optionLabel(key: string, value: string, hl: string): string {
  return (
    option(wordsOf(languageFor(hl)).fields.get(key), value) ??
    option(wordsOf(defaultLanguage).fields.get(key), value) ??
    titleOf(value.replaceAll(":", " "))
  );
}

/** What a family of tags such as `payment:` is called. */
export function familyLabel(family: "payment:" | "diet:", hl: string): string {
  return field(family, hl)?.[0] ?? titleOf(family.slice(0, -1));
}

/** What a group of features is called. */
export function groupLabel(group: FeatureGroup, hl: string): string {
  const language = lexicon.get(languageFor(hl));
  const base = lexicon.get(language?.extends ?? defaultLanguage);
  return language?.groups?.[group] ?? base?.groups?.[group] ?? lexicon.get(defaultLanguage)?.groups?.[group] ?? group;
}

export function familyOf(key: string): "payment:" | "diet:" | undefined {
  if (key.startsWith("payment:")) return "payment:";
  return key.startsWith("diet:") ? "diet:" : undefined;
}

function option(words: FieldWords | undefined, value: string): string | undefined {
  return words && Object.hasOwn(words[1], value) ? words[1][value] : undefined;
}

function field(key: string, hl: string) {
  return wordsOf(languageFor(hl)).fields.get(key) ?? wordsOf(defaultLanguage).fields.get(key);
}
