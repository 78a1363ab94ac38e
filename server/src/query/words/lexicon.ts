import { setImmediate } from "node:timers/promises";
import { isLoose, type Language, lexicon, linkRoles, termsOf } from "../../languages/index.ts";
import { foldedRuns, withoutPartings } from "../../text/normalize.ts";
import { attributesByPhrase } from "./attributes.ts";
import { timesByPhrase } from "./times.ts";
import type { Meaning } from "../spans.ts";

/** What words of a language mean, whatever is in the catalog. */
export type WordMeaning = Extract<
  Meaning,
  { type: "kind" | "attribute" | "open" | "link" | "here" | "filler" | "article" | "town" | "or" }
>;

/** As it is typed: what has no blanks keeps none. */
function phraseOf(text: string): string {
  return withoutPartings(foldedRuns(text).join(" "));
}

type Lexicon = {
  byPhrase: ReadonlyMap<string, readonly WordMeaning[]>;
  /** How many words the longest phrase has that begins with each word. */
  longest: ReadonlyMap<string, number>;
};

let known: Lexicon | undefined;

/** The words of all languages, collected for the first question. */
export function words(): Lexicon {
  if (!known) for (const _ of collecting()); // in one go
  return known ?? { byPhrase: new Map(), longest: new Map() };
}

/** The same, with a pause after each language. */
export async function warmWords(): Promise<void> {
  if (known) return;
  for (const _ of collecting()) await setImmediate();
}

/** Collects a language at a time; what is collected twice is the same. */
function* collecting(): Iterable<undefined> {
  if (known) return;
  const byPhrase = new Map<string, WordMeaning[]>();
  const longest = new Map<string, number>();
  const add = (phrase: string, meaning: WordMeaning) => {
    if (phrase === "") return;
    const others = byPhrase.get(phrase);
    if (others) others.push(meaning);
    else {
      byPhrase.set(phrase, [meaning]);
      const { length, 0: first = "" } = phrase.split(" ");
      if (length > (longest.get(first) ?? 0)) longest.set(first, length);
    }
  };
  for (const [tag, language] of lexicon) {
    addLanguage(tag, language, add);
    yield;
  }
  for (const [phrase, id] of attributesByPhrase()) add(phrase, { type: "attribute", id });
  for (const [phrase, at] of timesByPhrase()) add(phraseOf(phrase), { type: "open", at });
  known = { byPhrase, longest };
}

type Add = (phrase: string, meaning: WordMeaning) => void;

function addLanguage(tag: string, language: Language, add: Add): void {
  const { links = {}, here = [], fillers = [], articles = [], towns = [], postpositions } = language;
  const side = postpositions ? "before" : "behind";
  for (const [kinds, terms] of kindsOf(tag)) {
    for (const [isLooseHere, phrases] of terms) {
      const meaning = { type: "kind" as const, kinds, languages: [tag], isLoose: isLooseHere };
      for (const phrase of phrases) add(phrase, meaning);
    }
  }
  for (const role of linkRoles) {
    for (const word of links[role] ?? []) add(phraseOf(word), { type: "link", role, languages: [tag], sides: [side] });
  }
  const others = { here, filler: fillers, article: articles, town: towns } as const;
  for (const type of ["here", "filler", "article", "town"] as const) {
    for (const phrase of others[type]) add(phraseOf(phrase), { type });
  }
  for (const word of conjunctionsIn(tag)) add(word, { type: "or" });
}

/** The terms of a language by what they mean, those that kinds are called by and those that they are merely searched by. */
function kindsOf(tag: string): Map<readonly string[], Map<boolean, string[]>> {
  const terms = termsOf(tag);
  const byKinds = new Map<readonly string[], Map<boolean, string[]>>();
  for (const [term, kinds] of terms) {
    let byLooseness = byKinds.get(kinds);
    if (!byLooseness) byKinds.set(kinds, (byLooseness = new Map()));
    const isLooseHere = isLoose(terms, term);
    const others = byLooseness.get(isLooseHere);
    if (others) others.push(term);
    else byLooseness.set(isLooseHere, [term]);
  }
  return byKinds;
}

/** The words for *or* and *and*, as CLDR lists things with them. */
function conjunctionsIn(tag: string): string[] {
  return (["disjunction", "conjunction"] as const).flatMap((type) =>
    new Intl.ListFormat(tag, { type })
      .formatToParts(["1", "2"])
      .flatMap((part) => (part.type === "literal" ? phraseOf(part.value) : [])),
  );
}
