import { categoriesInAnyLanguage, lexicon, termsOf } from "../../languages/index.ts";
import { wordsOf } from "../../text/words.ts";
import { suits } from "./kinds.ts";

/** What stands in a name, word by word, as words are compared: without accents, in lower case. */
export type NameParts = {
  /** All of them, but for those that say nothing. */
  words: readonly string[];
  /** Words that say which business it is. */
  telling: readonly string[];
  /** Words for kinds of place, each with the kinds it means. */
  kinds: readonly Named[];
  /** Words for a department of a business. */
  parts: readonly Named[];
  /** Numbers as long as those of a chain's stores and of houses. */
  numbers: readonly string[];
};
export type Told = { nameWords: readonly string[]; categories: readonly string[] };
export type Named = { phrase: string; kinds: readonly string[] };

/** Words that are often shortened. */
const full: ReadonlyMap<string, string> = new Map(
  Object.entries({
    st: "saint",
    mt: "mount",
    ft: "fort",
    ctr: "center",
    centre: "center",
    cntr: "center",
    svc: "service",
    svcs: "service",
    services: "service",
    intl: "international",
    natl: "national",
    assoc: "associates",
    assn: "association",
    bros: "brothers",
    mfg: "manufacturing",
    dept: "department",
    univ: "university",
    hosp: "hospital",
    rest: "restaurant",
    apt: "apartments",
    apts: "apartments",
    mkt: "market",
    pharm: "pharmacy",
    hwy: "highway",
    ave: "avenue",
    rd: "road",
    bldg: "building",
    tech: "technology",
    mgmt: "management",
    equip: "equipment",
  }),
);

const languages = [...lexicon.values()];
const phrasesOf = (role: "idle" | "part") =>
  new Set(languages.flatMap(({ names }) => names?.[role] ?? []).map((phrase) => wordsOf(phrase).join(" ")));
const idle = phrasesOf("idle");
const partPhrases = phrasesOf("part");
const ordinals = new Map<string, string>(
  languages.flatMap(({ ordinals: words = {} }) =>
    Object.entries(words).flatMap(([number, spelled]) =>
      spelled.map((word): [string, string] => [wordsOf(word).join(" "), number]),
    ),
  ),
);

const wordsInPhrase = [3, 2, 1];
/** The number of one of several: "Terminal 2". */
export const siblingNumber = /^(?:\d{1,2}|i{1,3}|iv|v)$/;
const isLongNumber = /^\d{3,}$/;
/** Ordinals of numbers that no language file spells out: "42nd". */
const ordinal = /^(\d+)(?:st|nd|rd|th)$/;

/** The parts of a record's name, which is read once for all records that it is compared with. */
export function partsOf({ nameWords, categories }: Told): NameParts {
  const known = read.get(nameWords);
  if (known) return known;
  const parts = readName(nameWords, categories);
  read.set(nameWords, parts);
  return parts;
}

const read = new WeakMap<readonly string[], NameParts>();

function readName(nameWords: readonly string[], categories: readonly string[]): NameParts {
  const kept = nameWords.filter((word) => !idle.has(word));
  const words = (kept.length > 0 ? kept : nameWords).map(inFull);
  const telling: string[] = [];
  const kinds: Named[] = [];
  const parts: Named[] = [];
  const numbers: string[] = [];
  for (let from = 0; from < words.length;) {
    const { length, named, isPart } = phraseFrom(words, from, categories);
    if (isPart) parts.push(named);
    else if (named.kinds.length > 0) kinds.push(named);
    else if (isLongNumber.test(named.phrase)) numbers.push(named.phrase);
    else telling.push(named.phrase);
    from += length;
  }
  return { words, telling, kinds, parts, numbers };
}

/** The same where nothing but words for kinds tells the names: "Cardiology", "The Bakery", "First Baptist Church". */
export function withoutKinds({ words, numbers }: NameParts): NameParts {
  return { words, telling: words.filter((word) => !isLongNumber.test(word)), kinds: [], parts: [], numbers };
}

export function hasName({ telling }: NameParts): boolean {
  return telling.some((word) => !siblingNumber.test(word));
}

/** The longest phrase that means something, or the word that stands there. */
function phraseFrom(
  words: readonly string[],
  from: number,
  categories: readonly string[],
): { length: number; named: Named; isPart: boolean } {
  for (const length of wordsInPhrase) {
    if (from + length > words.length) continue;
    const phrase = words.slice(from, from + length).join(" ");
    const kinds = kindsNamed(phrase, categories);
    const isPart = partPhrases.has(phrase);
    if (isPart || kinds.length > 0 || length === 1) return { length, named: { phrase, kinds }, isPart };
  }
  return { length: 1, named: { phrase: words[from] ?? "", kinds: [] }, isPart: false };
}

function inFull(word: string): string {
  return full.get(word) ?? ordinals.get(word) ?? ordinal.exec(word)?.[1] ?? word;
}

/** In a language other than English, a word means a kind where the record is of it: a "Casa" is no roofer. */
function kindsNamed(phrase: string, categories: readonly string[]): readonly string[] {
  const inEnglish = termsOf("en").get(phrase);
  if (inEnglish) return inEnglish;
  const kinds = categoriesInAnyLanguage(phrase) ?? [];
  return suits(categories, kinds) ? kinds : [];
}
