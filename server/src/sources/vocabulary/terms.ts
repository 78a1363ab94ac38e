import { setImmediate } from "node:timers/promises";
import { isGeneral } from "./categories.ts";
import { languageFor, presets, wordsOf } from "./data.ts";
import { everyday, readLanguages } from "./everyday.ts";
import { everydayServices } from "./everyday-services.ts";
import { everydayTrades } from "./everyday-trades.ts";
import { normalize } from "./normalize.ts";
import { pluralsOf } from "./plurals.ts";
import { variantsOf } from "./variants.ts";

export type Terms = ReadonlyMap<string, readonly string[]>;

/** How sure it is that a term means a category; a surer reading hides the others. */
const ranks = { everyday: 0, everydayPlural: 1, name: 2, alias: 3, plural: 4, term: 5 };
type Rank = (typeof ranks)[keyof typeof ranks];
type Reading = { rank: Rank; ids: string[] };

/** A term that so many kinds of place are found by tells none of them apart: "store", "food". */
const categoriesPerTermMax = 6;

const termsByLanguage = new Map<string, Terms>();
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
  const language = languageFor(hl);
  let terms = termsByLanguage.get(language);
  if (!terms) {
    terms = collect(language);
    termsByLanguage.set(language, terms);
  }
  return terms;
}

/** What a whole phrase means in some language that questions are read in. */
export function categoriesInAnyLanguage(phrase: string): readonly string[] | undefined {
  termsOfAll ??= readLanguages.map((language) => termsOf(language));
  for (const terms of termsOfAll) {
    const categories = terms.get(phrase);
    if (categories) return categories;
  }
  return undefined;
}

let termsOfAll: readonly Terms[] | undefined;

/** Collects the terms of the languages that questions are read in, with a pause after each. */
export async function warmTerms(): Promise<void> {
  for (const language of readLanguages) {
    termsOf(language);
    await setImmediate();
  }
}

function collect(language: string): Terms {
  const [base = language] = language.split("-", 1); // Brazilians write Portuguese words too
  const readings = new Map<string, Reading>();
  const names: [string, string][] = [];
  const add = (text: string, ids: readonly string[], rank: Rank, pluralRank: Rank) => {
    const words = normalize(text);
    put(readings, words.join(" "), ids, rank);
    for (const plural of pluralsOf(words, base)) put(readings, plural.join(" "), ids, pluralRank);
    for (const variant of variantsOf(words, base)) {
      put(readings, variant.join(" "), ids, pluralRank);
      for (const plural of pluralsOf(variant, base)) put(readings, plural.join(" "), ids, ranks.plural);
    }
  };

  for (const [categories, wording] of [...everyday, ...everydayTrades, ...everydayServices]) {
    const texts = base in wording ? wording[base as keyof typeof wording].split(",") : [];
    for (const text of texts) add(text, categories.split(" "), ranks.everyday, ranks.everydayPlural);
  }
  for (const [id, [name, aliases, terms]] of wordsOf(language).categories) {
    // "Some shop" is found as a shop.
    const found = id.endsWith("/yes") ? id.slice(0, -"/yes".length) : id;
    if (!isSearched(found)) continue;
    add(name, [found], ranks.name, ranks.plural);
    names.push([normalize(name).join(" "), found]);
    for (const alias of aliases.split(",")) add(alias, [found], ranks.alias, ranks.plural);
    for (const term of terms.split(",")) add(term, [found], ranks.term, ranks.term);
  }
  readings.delete("");
  for (const [id, [name]] of wordsOf("en").categories) {
    if (isSearched(id) && !wordsOf(language).categories.has(id)) names.push([normalize(name).join(" "), id]);
  }
  // What we call a category finds it, whatever else people mean by the word; where a language has no
  // name for it, we call it by the English one.
  for (const [name, id] of names) {
    const ids = readings.get(name)?.ids;
    if (ids && !ids.includes(id)) ids.push(id);
  }

  const collected = new Map(
    [...readings].flatMap(([term, { rank, ids }]): [string, string[]][] => {
      if (rank === ranks.everyday || rank === ranks.everydayPlural) return [[term, ids]];
      return rank === ranks.term && ids.length > categoriesPerTermMax ? [] : [[term, ids.sort(broadFirst)]];
    }),
  );
  looseTerms.set(collected, new Set([...readings].flatMap(([term, { rank }]) => (rank === ranks.term ? [term] : []))));
  return collected;
}

function put(readings: Map<string, Reading>, term: string, ids: readonly string[], rank: Rank): void {
  const known = readings.get(term);
  if (!known || rank < known.rank) {
    readings.set(term, { rank, ids: [...ids] });
    return;
  }
  if (rank > known.rank) return;
  for (const id of ids) if (!known.ids.includes(id)) known.ids.push(id);
}

/** Kinds that only say "some shop" are looked for as such; "some amenity" by nobody. */
function isSearched(id: string): boolean {
  return !isGeneral(id) || presets.get(id)?.hidden !== true;
}

function broadFirst(left: string, right: string): number {
  return left.split("/").length - right.split("/").length || (left < right ? -1 : 1);
}
