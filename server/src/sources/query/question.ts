import {
  categoriesCalled,
  categoriesInAnyLanguage,
  isLoose,
  longestTermFrom,
  rankedLanguages,
  termsOf,
} from "../../languages/index.ts";
import { languagesOfLetters } from "./implied-languages.ts";
import { type Attribute, readAttributes } from "./attributes.ts";
import { conjunctionsOf } from "./conjunctions.ts";
import { fillers } from "./links.ts";
import { bitsOf, editDistance, letterSet, typosAllowed } from "../../text/edit-distance.ts";

/** What a query asks of each place, once it has been read. */
export type Question = {
  /** Every word of the query, for places that are called so. */
  words: readonly string[];
  /** Bit by word: those a place must have when it is of one of the categories. */
  restMask: number;
  categories: readonly string[];
  /** The words are nothing but the name of the categories, so the kind of a place says more than its name. */
  isKind: boolean;
  /** What else a place should have: those that have it come first. */
  attributes: readonly Attribute[];
  /** Nothing but an area was named: whatever is there answers. */
  isAnything?: boolean;
  /** The kind is merely searched by these words: a place that is called so is meant before it. */
  isLoose?: boolean;
  /** Bit by word: those that a place must have when some of the words are enough. */
  requiredMask?: number;
  /** Only a place that is called by these words and no others answers. */
  isWhole?: boolean;
  /** Not what was typed, but what may be meant by it: nothing that is spelled as typed may answer as well. */
  isGuess?: boolean;
  /** How many words of the query stand before these. */
  skipped?: number;
};

/** A place is compared by so many words: the index has a bit for each. */
const wordsMax = 12;
/** A kind is looked for among so many: sentences name it late. */
const readMax = 24;

export const anything: Question = {
  words: [],
  restMask: 0,
  categories: [],
  isKind: false,
  attributes: [],
  isAnything: true,
};

/**
 * The longest run of words that means a kind of place, in the requested language or in English; of two as
 * long, one that a kind is called by before one that it is merely searched by ("where can I get shoes"), or
 * that may be an attribute: "takeaway restaurant". A word for an attribute stays one where the schema has it as a mere search term: "vegan restaurant".
 * Only the first `kindWithin` words may name the kind.
 */
export function readWhat(all: readonly string[], hl: string, kindWithin = readMax): Question {
  const run = findRun(all.slice(0, readMax), Math.min(all.length, readMax, kindWithin), hl);
  if (!run) {
    const words = all.slice(0, wordsMax);
    return asAttributes(words) ?? asName(words);
  }
  const { categories, from, count } = run;
  const either = count === all.length ? undefined : readEither(all, hl);
  if (either) return either;
  const skipped = Math.max(0, from + count - wordsMax);
  const question = withKind(all.slice(skipped, skipped + wordsMax), categories, from - skipped, count);
  return { ...question, ...(run.isLoose ? { isLoose: true } : {}), ...(skipped > 0 ? { skipped } : {}) };
}

/** "Bar or cafe": several kinds of place, each of which a kind is called by, with a conjunction between them. */
function readEither(all: readonly string[], hl: string): Question | undefined {
  const conjunctions = conjunctionsOf(hl);
  const at = all.findIndex((word) => conjunctions.has(word));
  if (at < 1 || at === all.length - 1 || all.length > wordsMax) return undefined;
  const parts = [readWhat(all.slice(0, at), hl), readWhat(all.slice(at + 1), hl)];
  if (!parts.every((part) => isWholeKind(part) && !part.isLoose && part.attributes.length === 0)) return undefined;
  const categories = [...new Set(parts.flatMap((part) => part.categories))];
  return { words: all, restMask: 0, categories, isKind: true, attributes: [] };
}

/** Words side by side that mean a kind of place. */
type Run = { categories: readonly string[]; from: number; count: number; isLoose: boolean };

function findRun(words: readonly string[], end: number, hl: string): Run | undefined {
  const attributeMask = readAttributes(words, 0).reduce((mask, attribute) => mask | attribute.mask, 0);
  const longest = longestRuns(words.slice(0, end), hl);
  for (let count = Math.min(end, wordsMax, Math.max(0, ...longest)); count >= 1; count -= 1) {
    let [attribute, loose]: (Run | undefined)[] = [];
    for (let from = 0; from + count <= end; from += 1) {
      if (count > (longest[from] ?? 0)) continue;
      const phrase = count === 1 ? (words[from] ?? "") : words.slice(from, from + count).join(" ");
      const terms = termsWith(phrase, hl);
      const categories = terms.get(phrase);
      if (!categories) continue;
      const isAttribute = ((((1 << count) - 1) << from) & attributeMask) !== 0;
      const run = { categories, from, count, isLoose: isLoose(terms, phrase) };
      if (run.isLoose) {
        if (!isAttribute) loose ??= run;
      } else if (isAttribute) attribute ??= run;
      else return run;
    }
    if (attribute ?? loose) return attribute ?? loose;
  }
  return undefined;
}

/** How many words a kind may have that begins with each of these. Few words begin one: most phrases need no look at all. */
function longestRuns(words: readonly string[], hl: string): number[] {
  const languages = new Set([hl, "en", ...words.flatMap(languagesOfLetters)]);
  const terms = [...languages].map((language) => termsOf(language));
  return words.map((word) => Math.max(...terms.map((each) => longestTermFrom(each, word))));
}

/** The terms that may have a phrase: of the requested language, else of one its letters tell of, else of English. */
function termsWith(phrase: string, hl: string): Terms {
  const own = termsOf(hl);
  if (own.has(phrase)) return own;
  const byLetters = languagesOfLetters(phrase).map((language) => termsOf(language));
  return byLetters.find((terms) => terms.has(phrase)) ?? byLetters[0] ?? termsOf("en");
}

/** Nothing but attributes: "vegan", "outdoor seating". What has the first of them is a kind of its own; open is whatever is. */
function asAttributes(words: readonly string[]): Question | undefined {
  const attributes = readAttributes(words, 0);
  if (attributes.length === 0 || restOf(words, 0, attributes) !== 0) return undefined;
  const kind = attributes.find(({ id }) => id !== "@open_now");
  if (!kind) return { ...anything, isKind: true, attributes };
  const others = attributes.filter((attribute) => attribute !== kind);
  return { words, restMask: 0, categories: [kind.id], isKind: true, attributes: others };
}

/**
 * How a *what* may be read: as a kind of place, or as a name that may be a kind of place in another language. What is a
 * kind only in part, as "studio dentistico" is a studio in English, may be a whole one in another language too: in the
 * one that is spoken where the question is about, else in one of those read.
 */
export function readWhats(all: readonly string[], hl: string, local?: string): Question[] {
  const question = readWhat(all, hl);
  if (isWholeKind(question)) return [question];
  const spoken = local === undefined ? undefined : readWhat(all, local);
  if (spoken && isWholeKind(spoken)) return [question, spoken];
  const { words } = question;
  const phrase = words.join(" ");
  const asKind = (categories: readonly string[]) => ({ words, restMask: 0, categories, isKind: true, attributes: [] });
  const called = categoriesCalled(phrase);
  if (called) return [question, asKind(called)];
  // Brands are search terms of kinds in some languages: what is called almost so is meant before the kind.
  const searched = categoriesInAnyLanguage(phrase);
  if (searched) return [question, { ...asKind(searched), isLoose: true, isGuess: true }, ...joined(question)];
  if (question.categories.length > 0 || words.length < 2) return [question];
  // "Restaurante vegano" is a kind with an attribute, whatever the language of the request.
  const foreign = rankedLanguages.map((each) => readWhat(all, each)).find(isWholeKind);
  if (foreign) return [question, foreign];
  // Beside words that nobody knows, the kind of place may still be named in the language of the place: "romantik otel".
  const named = spoken !== undefined && spoken.categories.length > 0 && !spoken.isLoose ? [spoken] : [];
  return [question, ...named, ...joined(question)];
}

/** Two words of a name may be one: "Mc Donalds". */
function joined({ words, categories }: Question): Question[] {
  return words.length === 2 && categories.length === 0 ? [{ ...asName([words.join("")]), isGuess: true }] : [];
}

function isWholeKind({ isKind, categories }: Question): boolean {
  return isKind && categories.length > 0;
}

/** The words with a run of them as the kind of place. */
export function withKind(
  words: readonly string[],
  categories: readonly string[],
  from: number,
  count: number,
): Question {
  const kindMask = ((1 << count) - 1) << from;
  const attributes = readAttributes(words, kindMask);
  const restMask = restOf(words, kindMask, attributes);
  return { words, restMask, categories, isKind: restMask === 0, attributes };
}

/** The bits of the words that mean neither a kind nor an attribute, and something at all. */
function restOf(words: readonly string[], kindMask: number, attributes: readonly Attribute[]): number {
  const read = attributes.reduce((mask, attribute) => mask | attribute.mask, kindMask);
  let restMask = 0;
  words.forEach((word, index) => {
    if ((read & (1 << index)) === 0 && !fillers.has(word)) restMask |= 1 << index;
  });
  return restMask;
}

/** The words as a name, whatever else they mean. */
export function asName(all: readonly string[]): Question {
  const words = all.slice(0, wordsMax);
  return { words, restMask: (1 << words.length) - 1, categories: [], isKind: false, attributes: [] };
}

/** Where nobody cooks what was asked for, any place to eat answers: "italian restaurant" in a village; so with finer shops. */
export function withoutCuisine(question: Question): Question {
  if (!question.categories.some((category) => cuisine.test(category))) return question;
  const categories = question.categories.map((category) => cuisine.exec(category)?.[1] ?? category);
  return { ...question, categories: [...new Set(categories)] };
}

const cuisine = /^(amenity\/(?:restaurant|fast_food|cafe|doctors)|shop\/[a-z_]+)\/./;

/** The reading of a *what* whose words were mistyped: kinds of place that are spelled almost so. */
export function correctKind(question: Question, hl: string): Question {
  let corrected = corrections.get(question);
  if (!corrected) corrections.set(question, (corrected = findKind(question, hl)));
  return corrected;
}

/** A question is read in one language, so it has one correction. */
const corrections = new WeakMap<Question, Question>();

function findKind(question: Question, hl: string): Question {
  if (question.categories.length > 0 || question.words.length === 0) return question;
  const phrase = question.words.join(" ");
  const allowed = typosAllowed(phrase.length);
  if (allowed === 0) return question;
  const letters = letterSet(phrase);
  let best: { edits: number; categories: readonly string[]; isLoose: boolean } | undefined;
  for (const terms of new Set([termsOf(hl), termsOf("en")])) {
    const byLength = spelledTermsOf(terms);
    for (let length = phrase.length - allowed; length <= phrase.length + allowed; length += 1) {
      const { sets, spelled } = byLength[length] ?? noTerms;
      for (let index = 0; index < sets.length; index += 1) {
        if (bitsOf((sets[index] ?? 0) ^ letters) > allowed * 2) continue;
        const [term, categories] = spelled[index] ?? ["", []];
        const edits = editDistance(phrase, term, allowed);
        if (edits > allowed || (best && edits >= best.edits)) continue;
        best = { edits, categories, isLoose: isLoose(terms, term) };
      }
    }
  }
  if (!best) return question;
  const { categories } = best;
  return {
    ...question,
    categories,
    restMask: 0,
    isKind: true,
    ...(best.isLoose ? { isLoose: true, isGuess: true } : {}),
  };
}

type Terms = ReturnType<typeof termsOf>;
/** Terms of one length, and the letters of each in a list of their own: most terms are passed over by those. */
type SpelledTerms = { sets: Int32Array; spelled: readonly (readonly [string, readonly string[]])[] };
const noTerms: SpelledTerms = { sets: new Int32Array(), spelled: [] };
const spelledTerms = new WeakMap<Terms, SpelledTerms[]>();

/** The terms by their length. */
function spelledTermsOf(terms: Terms): SpelledTerms[] {
  let byLength = spelledTerms.get(terms);
  if (!byLength) {
    byLength = [];
    for (const [length, spelled] of Map.groupBy(terms, ([term]) => term.length)) {
      byLength[length] = { sets: Int32Array.from(spelled, ([term]) => letterSet(term)), spelled };
    }
    spelledTerms.set(terms, byLength);
  }
  return byLength;
}
