import { inflectedLanguages, inflectsAs, uninflected } from "../../query/inflections.ts";
import { linking } from "../../query/links.ts";
import { languagesOfPreposition, prepositionsFor, primaryLanguage } from "../../query/other-prepositions.ts";
import { type Question, readWhat, readWhats } from "../../query/question.ts";
import { type Split, splitsOf } from "../../query/split.ts";
import { languageOfCountry } from "../../query/implied-languages.ts";
import type { Areas, FoundArea, Preference } from "./areas.ts";

export type PlacedSplit = Split & { area: FoundArea };

/** What areas are found among, for a question in this language. */
export type Among = { hl: string; areas: Areas; preference: Preference };

type Segments = readonly (readonly string[])[];

/** More words are no name of an area. */
export const areaWordsMax = 6;

/** "Pizza Slema" is pizza in Sliema when nothing is called so: a kind of place beside a misspelled town. */
export function correctBeside(segments: Segments, among: Among, wordsMin = 1): PlacedSplit | undefined {
  for (const split of splitsOf(segments, prepositionsFor(among.hl))) {
    if (split.mark !== "beside" || split.where.length < wordsMin) continue;
    const area = isKind(split.what, among.hl) ? findAlike(split.where, among) : undefined;
    if (area) return { ...split, area };
  }
  return undefined;
}

/**
 * What stands behind a preposition or a comma is a where, if need be a misspelled one: of an import rather
 * than a far town that only its last word names, "Aya Napa" is not Napa.
 */
export function correctMarked(
  segments: Segments,
  among: Among,
  ofWorld: PlacedSplit | undefined,
): PlacedSplit | undefined {
  const isUnsure = !ofWorld || (ofWorld.area.isUnlikely === true && ofWorld.mark !== "whole");
  for (const split of splitsOf(segments, prepositionsFor(among.hl))) {
    if (split.mark !== "preposition" && split.mark !== "comma") return undefined;
    if (split.what.length === 0 || split.where.length > areaWordsMax) continue;
    if (!isUnsure && (ofWorld?.area.isCovered || split.where.length <= (ofWorld?.where.length ?? 0))) continue;
    const area = findAlike(withoutLeadingLinks(split.where), among);
    if (area) return { ...split, area };
  }
  return undefined;
}

/** "Pizza w Krakowie" is in Kraków although nobody said that it is Polish: the preposition does. */
export function correctForeign(segments: Segments, among: Among): PlacedSplit | undefined {
  const [words = [], ...others] = segments;
  if (others.length > 0) return undefined;
  for (let at = words.length - 2; at >= 1; at -= 1) {
    const languages = languagesOfPreposition(words[at] ?? "");
    const what = words.slice(0, at);
    if (languages.length === 0) continue;
    const where = words.slice(at + 1);
    const area = findInflected(where, languages, findAmong(among));
    if (area && readWhats(what, among.hl, languageOf(area)).some(isOfKind))
      return { what, fullWhat: what, where, mark: "preposition", whereFrom: at + 1, area };
  }
  return undefined;
}

/** "İzmirde eczane" is in İzmir although nobody said that it is Turkish: the kind and the ending are, as is the town. */
export function correctLocal(segments: Segments, among: Among, wordsMin = 1): PlacedSplit | undefined {
  const find = remembering(among);
  for (const split of splitsOf(segments, prepositionsFor(among.hl))) {
    if (split.mark !== "beside" || split.where.length < wordsMin) continue;
    for (const language of inflectedLanguages(split.where[0] ?? "")) {
      const area = findInflected(split.where, [language], find);
      const local = area && (area.isOwn || area.isCovered) ? languageOf(area) : undefined;
      if (!area || local === undefined || !inflectsAs(local, language)) continue;
      if (isOfKind(readWhat(split.what, local))) return { ...split, area };
    }
  }
  return undefined;
}

function isKind(what: readonly string[], hl: string, local?: string): boolean {
  return readWhats(what, hl, local).some((question) => question.isKind);
}

/** Whether a question names a kind of place, with or without other words: "лучшие рестораны" [Еревана]. */
export function isOfKind({ isKind: isWhole, categories, isLoose }: Question): boolean {
  return isWhole || (categories.length > 0 && !isLoose);
}

/** The language that is spoken in an area. */
export function languageOf({ countryCode }: FoundArea): string | undefined {
  return languageOfCountry(countryCode ?? "");
}

/** The area whose name was inflected, or else misspelled. */
function findAlike(where: readonly string[], among: Among): FoundArea | undefined {
  const inflected = findInflected(where, [primaryLanguage(among.hl)], findAmong(among));
  return inflected ?? among.areas.findSimilar(where.join(" "), among.preference);
}

/** The area with places whose name the language of the request inflects so. */
export function correctInflected(where: readonly string[], among: Among): FoundArea | undefined {
  const area = findInflected(where, [primaryLanguage(among.hl)], findAmong(among));
  return area?.isOwn || area?.isCovered ? area : undefined;
}

/** The area whose name is inflected in one of these languages: one with data, else a great city of the world. */
function findInflected(where: readonly string[], languages: readonly string[], find: Find): FoundArea | undefined {
  let city: FoundArea | undefined;
  for (const form of uninflected(where, languages)) {
    const area = find(form);
    if (area && (area.isOwn || area.isCovered)) return area;
    if (area && !area.isUnlikely) city ??= area;
  }
  return city;
}

type Find = (phrase: string) => FoundArea | undefined;

function findAmong({ areas, preference }: Among): Find {
  return (phrase) => areas.find(phrase, preference);
}

/** Many languages have the same endings, and a form of one is looked for once. */
function remembering(among: Among): Find {
  const find = findAmong(among);
  const known = new Map<string, FoundArea | undefined>();
  return (phrase) => {
    if (!known.has(phrase)) known.set(phrase, find(phrase));
    return known.get(phrase);
  };
}

function withoutLeadingLinks(words: readonly string[]): readonly string[] {
  let start = 0;
  while (start < words.length - 1 && linking.has(words[start] ?? "")) start += 1;
  return words.slice(start);
}
