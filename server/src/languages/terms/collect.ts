import { isGeneral, presets } from "../../kinds/index.ts";
import { foldedRuns, normalize, withoutPartings } from "../../text/normalize.ts";
import { romanized } from "../../text/transliterate.ts";
import type { Language } from "../language.ts";
import { wordsOf } from "../tagging-schema.ts";
import { pluralsOf } from "./plurals.ts";
import { variantsOf } from "./variants.ts";

/** The categories of each term, best first, and the terms that only are something that people search one by. */
export type CollectedTerms = { categories: Map<string, string[]>; loose: Set<string> };

/** How sure it is that a term means a category; a surer reading hides the others. */
export const ranks = { everyday: 0, everydayPlural: 1, name: 2, alias: 3, plural: 4, term: 5 };
export type Rank = (typeof ranks)[keyof typeof ranks];
type Reading = { rank: Rank; ids: string[] };

/** A meaning that a term may have, and the word of the language's file that it comes of. */
export type Meaning = { term: string; ids: readonly string[]; rank: Rank; word?: string };

/** A term that finds this many kinds distinguishes none of them: "store", "food". */
const categoriesPerTermMax = 6;

/** All terms of a language: what presets are called and searched by, in singular and plural, and everyday words. */
export function collectTerms(tag: string, language: Language): CollectedTerms {
  const readings = new Map<string, Reading>();
  for (const { term, ids, rank } of meaningsIn(tag, language)) put(readings, term, ids, rank);
  for (const [term, { rank, ids }] of readings) {
    if (rank === ranks.term && language.latin?.isUsual !== true) continue;
    // Who is used to Cyrillic or Greek letters types Latin ones too: "apteka", "farmakeio".
    const latinRank = rank <= ranks.everydayPlural ? ranks.everydayPlural : Math.max(rank, ranks.plural);
    for (const latin of romanized(term, language.latin?.letters)) put(readings, latin, ids, latinRank);
  }
  // What we call a category finds it, whatever else people mean by the word.
  for (const [name, id] of namesIn(tag, language)) {
    const ids = readings.get(name)?.ids;
    if (ids && !ids.includes(id)) ids.push(id);
  }

  const categories = new Map<string, string[]>();
  const loose = new Set<string>();
  for (const [parted, { rank, ids: all }] of readings) {
    // How a dictionary parts words that have no blanks between them hangs on the version of Node.
    const term = withoutPartings(parted);
    // Without many everyday words, what all finer kinds are searched by too is the only word for the broad one.
    const isOnlyWord = rank === ranks.term && language.rank === undefined && all.length > categoriesPerTermMax;
    const ids = isOnlyWord ? broadest(all) : all;
    if (rank === ranks.term) loose.add(term);
    if (rank === ranks.term && ids.length > categoriesPerTermMax) continue;
    categories.set(term, rank <= ranks.everydayPlural ? ids : ids.sort(broadFirst));
  }
  return { categories, loose };
}

/** What terms may mean, by the words of the language's file and by those of the tagging schema. */
export function* meaningsIn(tag: string, language: Language): Iterable<Meaning> {
  for (const [kinds, words] of Object.entries(language.kinds ?? {})) {
    const ids = kinds.split(" ");
    for (const word of words) {
      for (const meaning of formsOf(word, ids, language, ranks.everyday, ranks.everydayPlural))
        yield { ...meaning, word };
    }
  }
  for (const [id, [name, aliases, terms]] of wordsOf(tag).categories) {
    const ids = [foundAs(id)];
    if (!isSearched(foundAs(id))) continue;
    yield* formsOf(name, ids, language, ranks.name, ranks.plural);
    for (const alias of [...aliases.split(","), withoutNote(name)]) {
      yield* formsOf(alias, ids, language, ranks.alias, ranks.plural);
    }
    for (const term of terms.split(/[,;]/)) yield* formsOf(term, ids, language, ranks.term, ranks.term);
  }
}

/** A word as it is, in other numbers, and as others say it. */
function* formsOf(text: string, ids: readonly string[], language: Language, rank: Rank, pluralRank: Rank) {
  const words = language.blanks === false ? foldedRuns(text) : normalize(text);
  if (words.length === 0) return;
  yield { term: words.join(" "), ids, rank };
  for (const plural of pluralsOf(words, language.plurals)) yield { term: plural.join(" "), ids, rank: pluralRank };
  for (const variant of variantsOf(words, language.variants)) {
    yield { term: variant.join(" "), ids, rank: pluralRank };
    for (const plural of pluralsOf(variant, language.plurals)) {
      yield { term: plural.join(" "), ids, rank: ranks.plural };
    }
  }
}

/** What each category is called: in English where the language has no name for it. */
function namesIn(tag: string, { blanks }: Language): [name: string, id: string][] {
  const own = wordsOf(tag).categories;
  const names: [string, string][] = [];
  for (const [id, [name]] of own) {
    if (isSearched(foundAs(id)))
      names.push([(blanks === false ? foldedRuns(name) : normalize(name)).join(" "), foundAs(id)]);
  }
  for (const [id, [name]] of wordsOf("en").categories) {
    if (isSearched(id) && !own.has(id)) names.push([normalize(name).join(" "), id]);
  }
  return names;
}

/** "Some shop" is found as a shop. */
function foundAs(id: string): string {
  return id.endsWith("/yes") ? id.slice(0, -"/yes".length) : id;
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
