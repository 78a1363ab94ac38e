import { furtherLanguages, languageFor, lexicon, type LinkRole, rankedLanguages } from "../../languages/index.ts";
import { normalize } from "../../text/normalize.ts";

type Section = (tag: string) => readonly string[];

function linksOf(...roles: readonly LinkRole[]): Section {
  return (tag) => roles.flatMap((role) => lexicon.get(tag)?.links?.[role] ?? []);
}

/** Words that stand between what and where. */
export const prepositionsIn = linksOf("in", "on", "near");
const articlesIn: Section = (tag) => lexicon.get(tag)?.articles ?? [];

/** Those of every language that is understood everywhere: who looks a place up afterwards need not know the language. */
export const prepositions = union(rankedLanguages, prepositionsIn);
export const linking = union(rankedLanguages, linksOf("of"));
export const articles = union(rankedLanguages, articlesIn);
export const townWords = union(rankedLanguages, (tag) => lexicon.get(tag)?.towns ?? []);

/** Languages that inflect no landmark behind a word such as "near". */
const uninflecting = ["id", "ms", "ar", "fa"];
/** Words that say a place is to be close to something, which need not be a town. */
export const nearness = union([...rankedLanguages, ...uninflecting], linksOf("near", "close"));

/** Words beside a kind of place that say nothing about it; further Latin ones only of three letters and more, since shorter ones are words of any language. */
export const fillers: ReadonlySet<string> = new Set([
  ...union(rankedLanguages, fillersIn),
  ...[...union(furtherLanguages, fillersIn)].filter((word) => word.length > 2 || !/^[a-z]/.test(word)),
]);

function fillersIn(tag: string): readonly string[] {
  return lexicon.get(tag)?.fillers ?? [];
}

function union(tags: readonly string[], section: Section): ReadonlySet<string> {
  return new Set(tags.flatMap((tag) => section(tag).flatMap((word) => normalize(word))));
}

/** Whether a word only says how what and where belong together. */
export function isLink(word: string): boolean {
  return linking.has(word) || prepositions.has(word) || nearness.has(word);
}

export function withoutLinks(words: readonly string[]): readonly string[] {
  return words.slice(0, words.findLastIndex((word) => !isLink(word)) + 1);
}

const byLanguage = (section: Section): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(rankedLanguages.map((tag) => [tag, union([tag], section)]));
const prepositionsOf = byLanguage(prepositionsIn);
const articlesOf = byLanguage(articlesIn);

/** Those of the requested language and of English, for who cannot look a place up. */
export function isPreposition(word: string, hl: string): boolean {
  return prepositionsOf.get(languageOf(hl))?.has(word) === true || prepositionsOf.get("en")?.has(word) === true;
}

/** Whether a word is an article in the requested language, though it may be a preposition in another: "find a dentist". */
export function isArticle(word: string, hl: string): boolean {
  return articlesOf.get(languageOf(hl))?.has(word) === true;
}

function languageOf(hl: string): string {
  const [language = "en"] = languageFor(hl).split("-", 1);
  return language;
}
