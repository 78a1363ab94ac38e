import { isGeneral, presets } from "../../kinds/index.ts";
import { normalize } from "../../text/normalize.ts";
import { romanized } from "../../text/transliterate.ts";
import { wordsOf } from "../data.ts";
import { everyday, readLanguages } from "../everyday.ts";
import { everydayElsewhere } from "../everyday-elsewhere.ts";
import { everydayServices } from "../everyday-services.ts";
import { everydayTrades } from "../everyday-trades.ts";
import { pluralsOf } from "../plurals.ts";
import { variantsOf } from "../variants.ts";

/** The categories of each term, best first, and the terms that only are something that people search one by. */
export type CollectedTerms = { categories: Map<string, string[]>; loose: Set<string> };

/** How sure it is that a term means a category; a surer reading hides the others. */
const ranks = { everyday: 0, everydayPlural: 1, name: 2, alias: 3, plural: 4, term: 5 };
type Rank = (typeof ranks)[keyof typeof ranks];
type Reading = { rank: Rank; ids: string[] };

/** A term that so many kinds of place are found by tells none of them apart: "store", "food". */
const categoriesPerTermMax = 6;

/** All terms of a language: what presets are called and searched by, in singular and plural, and everyday words. */
export function collectTerms(language: string): CollectedTerms {
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

  for (const [kinds, wording] of [...everyday, ...everydayTrades, ...everydayServices]) {
    const texts = base in wording ? wording[base as keyof typeof wording].split(",") : [];
    for (const text of texts) add(text, kinds.split(" "), ranks.everyday, ranks.everydayPlural);
  }
  for (const each of everydayElsewhere) {
    if (each.language !== language) continue;
    for (const text of each.words) add(text, each.kinds, ranks.everyday, ranks.everydayPlural);
  }
  for (const [id, [name, aliases, terms]] of wordsOf(language).categories) {
    // "Some shop" is found as a shop.
    const found = id.endsWith("/yes") ? id.slice(0, -"/yes".length) : id;
    if (!isSearched(found)) continue;
    add(name, [found], ranks.name, ranks.plural);
    names.push([normalize(name).join(" "), found]);
    for (const alias of [...aliases.split(","), withoutNote(name)]) add(alias, [found], ranks.alias, ranks.plural);
    for (const term of terms.split(/[,;]/)) add(term, [found], ranks.term, ranks.term);
  }
  readings.delete("");
  for (const [term, { rank, ids }] of readings) {
    if (rank === ranks.term && base !== "sr") continue;
    // Who is used to Cyrillic or Greek letters types Latin ones too: "apteka", "farmakeio". Serbs write in both.
    const latinRank = rank <= ranks.everydayPlural ? ranks.everydayPlural : Math.max(rank, ranks.plural);
    for (const latin of romanized(term, base)) put(readings, latin, ids, latinRank);
  }
  for (const [id, [name]] of wordsOf("en").categories) {
    if (isSearched(id) && !wordsOf(language).categories.has(id)) names.push([normalize(name).join(" "), id]);
  }
  // What we call a category finds it, whatever else people mean by the word; where a language has no
  // name for it, we call it by the English one.
  for (const [name, id] of names) {
    const ids = readings.get(name)?.ids;
    if (ids && !ids.includes(id)) ids.push(id);
  }

  const categories = new Map<string, string[]>();
  const loose = new Set<string>();
  const isRead = readLanguages.some((each) => each === base);
  for (const [term, { rank, ids: all }] of readings) {
    // Without everyday words, what all finer kinds are searched by too is the only word for the broad one.
    const ids = rank === ranks.term && !isRead && all.length > categoriesPerTermMax ? broadest(all) : all;
    if (rank === ranks.term) loose.add(term);
    if (rank === ranks.term && ids.length > categoriesPerTermMax) continue;
    categories.set(term, rank <= ranks.everydayPlural ? ids : ids.sort(broadFirst));
  }
  return { categories, loose };
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

/** Without kinds that one of the others has in it; where that leaves too many, only those that have others in them. */
function broadest(ids: readonly string[]): string[] {
  const broad = ids.filter((id) => !ids.some((other) => id.startsWith(`${other}/`)));
  if (broad.length <= categoriesPerTermMax) return broad;
  const holders = broad.filter((id) => ids.some((other) => other.startsWith(`${id}/`)));
  return holders.length > 0 ? holders : broad;
}

/** Names in Japanese tell mappers in wide brackets what to draw. */
function withoutNote(name: string): string {
  return name.replace(/（[^（）]*）$/u, "");
}

function broadFirst(left: string, right: string): number {
  return left.split("/").length - right.split("/").length || (left < right ? -1 : 1);
}
