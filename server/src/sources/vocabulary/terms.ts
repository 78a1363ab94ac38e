import { isGeneral } from "./categories.ts";
import { languageFor, presets, wordsOf } from "./data.ts";
import { everyday } from "./everyday.ts";
import { normalize } from "./normalize.ts";
import { pluralsOf } from "./plurals.ts";

export type Terms = ReadonlyMap<string, readonly string[]>;

/** How sure it is that a term means a category; a surer reading hides the others. */
const ranks = { everyday: 0, name: 1, everydayPlural: 2, alias: 3, plural: 4, term: 5 };
type Rank = (typeof ranks)[keyof typeof ranks];
type Reading = { rank: Rank; ids: string[] };

/** A term that so many kinds of place are found by tells none of them apart: "store", "food". */
const categoriesPerTermMax = 6;

const termsByLanguage = new Map<string, Terms>();

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

function collect(language: string): Terms {
  const readings = new Map<string, Reading>();
  const add = (text: string, ids: readonly string[], rank: Rank, pluralRank: Rank) => {
    const words = normalize(text);
    put(readings, words.join(" "), ids, rank);
    for (const plural of pluralsOf(words, language)) put(readings, plural.join(" "), ids, pluralRank);
  };

  for (const [categories, wording] of everyday) {
    const texts = language in wording ? wording[language as keyof typeof wording].split(",") : [];
    for (const text of texts) add(text, categories.split(" "), ranks.everyday, ranks.everydayPlural);
  }
  for (const [id, [name, aliases, terms]] of wordsOf(language).categories) {
    if (!isSearched(id)) continue;
    add(name, [id], ranks.name, ranks.plural);
    for (const alias of aliases.split(",")) add(alias, [id], ranks.alias, ranks.plural);
    for (const term of terms.split(",")) add(term, [id], ranks.term, ranks.term);
  }
  readings.delete("");

  return new Map(
    [...readings].flatMap(([term, { rank, ids }]): [string, string[]][] => {
      if (rank === ranks.everyday || rank === ranks.everydayPlural) return [[term, ids]];
      return rank === ranks.term && ids.length > categoriesPerTermMax ? [] : [[term, ids.sort(broadFirst)]];
    }),
  );
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
  if (id.endsWith("/yes")) return false;
  return !isGeneral(id) || presets.get(id)?.hidden !== true;
}

function broadFirst(left: string, right: string): number {
  return left.split("/").length - right.split("/").length || (left < right ? -1 : 1);
}
