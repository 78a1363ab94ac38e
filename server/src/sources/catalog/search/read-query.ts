import { parseViewport } from "../../geo.ts";
import { countryNamed } from "../../query/countries.ts";
import { linking, prepositions } from "../../query/languages.ts";
import { anything, asName, type Question, readWhat } from "../../query/question.ts";
import { type Split, splitsOf, withoutLinking } from "../../query/split.ts";
import { segmentsOf } from "../../query/words.ts";
import type { Areas, Preference } from "./areas.ts";
import type { Where } from "./region.ts";

export type QueryText = { q: string; hl: string; ll?: string; gl?: string };

/** One way to understand a query. Where several hold, what they find is put together. */
export type Reading = { question: Question; where: Where };

/** Reads "what in where". An empty list means that the query has no words at all. */
export function readQuery({ q, hl, ll, gl }: QueryText, areas: Areas): Reading[] {
  const segments = segmentsOf(q);
  if (segments.length === 0) return [];

  const countryCode = gl === undefined ? undefined : gl.toUpperCase() === "UK" ? "GB" : gl.toUpperCase();
  const viewport = ll === undefined ? undefined : parseViewport(ll);
  const context = segments.slice(1).map((words) => countryNamed(words.join(" ")));
  const preference: Preference = {
    near: viewport?.center ?? null,
    countryCode: context.find((code) => code !== undefined) ?? countryCode ?? null,
  };
  const elsewhere: Where = viewport
    ? { kind: "circle", ...viewport }
    : countryCode === undefined
      ? { kind: "everywhere" }
      : { kind: "country", countryCode };

  const all = segments.flat();
  const named: Reading = { question: readWhat(all, hl), where: elsewhere };
  const split = findSplit(segments, areas, preference);
  if (!split) return [named];
  if (split.what.length === 0) return [named, { question: anything, where: split.where }];
  const inArea = { question: readWhat(split.what, hl), where: split.where };
  // "Hotel Vaduz" is a hotel in Vaduz, and may be what a hotel is called.
  return split.mark === "beside" ? [inArea, { question: asName(all), where: elsewhere }] : [inArea];
}

type PlacedSplit = { what: readonly string[]; where: Where; mark: Split["mark"] };

const areaWordsMax = 6;

function findSplit(segments: readonly string[][], areas: Areas, preference: Preference): PlacedSplit | undefined {
  for (const { what, where: words, mark } of splitsOf(segments)) {
    const where = words.length <= areaWordsMax ? findArea(words, areas, preference) : undefined;
    if (where) return { what, where, mark };
  }
  const [first = [], second] = segments;
  if (second) return undefined;
  const at = first.findLastIndex((word, index) => index > 0 && prepositions.has(word));
  const similar = at > 0 ? areas.findSimilar(first.slice(at + 1).join(" "), preference) : undefined;
  return similar && { what: withoutLinking(first.slice(0, at)), where: similar, mark: "preposition" };
}

function findArea(words: readonly string[], areas: Areas, preference: Preference): Where | undefined {
  for (let start = 0; start < words.length; start += 1) {
    const where = areas.find(words.slice(start).join(" "), preference);
    if (where) return where;
    if (!linking.has(words[start] ?? "")) return undefined;
  }
  return undefined;
}
