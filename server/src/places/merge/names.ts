import { categoriesInAnyLanguage, isLoose, termsOf } from "../../languages/index.ts";
import { editDistance, typosAllowed } from "../../text/edit-distance.ts";
import { areUnits, suits } from "./kinds.ts";

// All words are spelled as they are compared: without accents, in lower case.

/** Legal forms, and words that say nothing of which business it is. */
const empty: ReadonlySet<string> = new Set(
  [
    "the and of at in by for on a an und der die das et le la les l de du des el los las y e il lo di da do dos das van het en",
    "llc inc incorporated ltd limited co corp corporation company plc llp lp pllc pc pa dba gmbh ag kg ohg ek sa sas sarl srl spa sl slu lda bv nv oy ab as aps sro",
    "md dds dmd do phd esq dr drs mr mrs ms prof cpa",
    "official store shop location branch no number suite ste unit",
  ]
    .join(" ")
    .split(" "),
);

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

/** What two names have in common, and what only one of them has. */
export type NameMatch = {
  /** 0 to 1: the share of telling words that both have. */
  share: number;
  /** Words of one side only that say which business it is. */
  ownFirst: number;
  ownSecond: number;
  /** The first telling word of the longer name is missing in the other. */
  isHeadMissing: boolean;
  /** A word of one side says that it is something else than the other: "ATM", "Photo Center", another number. */
  isOtherKind: boolean;
  /** Some word that both have is more than the word for a kind of place. */
  isTelling: boolean;
};

type Named = { nameWords: readonly string[]; categories: readonly string[] };

export function compareNames(a: Named, b: Named): NameMatch {
  const [first, second] = [tellingWords(a.nameWords), tellingWords(b.nameWords)];
  if (first.length === 0 || second.length === 0) {
    return { share: 0, ownFirst: 0, ownSecond: 0, isHeadMissing: false, isOtherKind: false, isTelling: false };
  }
  if (first.join("") === second.join("")) {
    return { share: 1, ownFirst: 0, ownSecond: 0, isHeadMissing: false, isOtherKind: false, isTelling: true };
  }
  const free = [...second];
  const common: string[] = [];
  const onlyFirst: string[] = [];
  for (const word of first) {
    const at = free.findIndex((other) => isSameWord(word, other));
    if (at < 0) onlyFirst.push(word);
    else common.push(free.splice(at, 1)[0] ?? word);
  }
  const [readFirst, readSecond] = [readRest(onlyFirst, b.categories), readRest(free, a.categories)];
  // "First Baptist" and "First Presbyterian": different words for a kind tell them apart, unless they mean the same.
  const isApart =
    readFirst.kinds.length > 0 &&
    readSecond.kinds.length > 0 &&
    !readFirst.kinds.some((kind) => kind !== null && readSecond.kinds.includes(kind));
  const ownFirst = isApart ? onlyFirst : readFirst.words;
  const ownSecond = isApart ? free : readSecond.words;
  const head = (first.length >= second.length ? first[0] : second[0]) ?? "";
  return {
    share: (2 * common.length) / (2 * common.length + ownFirst.length + ownSecond.length),
    ownFirst: ownFirst.length,
    ownSecond: ownSecond.length,
    isHeadMissing: ownFirst.includes(head) || ownSecond.includes(head),
    isOtherKind: readFirst.isOtherKind || readSecond.isOtherKind || (readFirst.hasNumber && readSecond.hasNumber),
    isTelling: common.some((word) => word.length >= 3 && !isKindWord(word)),
  };
}

function tellingWords(words: readonly string[]): string[] {
  const telling = words.filter((word) => !empty.has(word)).map((word) => full.get(word) ?? word);
  return telling.length > 0 ? telling : [...words];
}

/**
 * The words that only one name has: those that say which business it is, and the kinds that the others
 * mean, null for a word that merely leads to a kind.
 */
type Rest = { words: string[]; kinds: (string | null)[]; hasNumber: boolean; isOtherKind: boolean };

const isNumber = /^\d+$/;

function readRest(words: readonly string[], categories: readonly string[]): Rest {
  const rest: Rest = { words: [], kinds: [], hasNumber: false, isOtherKind: false };
  for (let from = 0; from < words.length;) {
    const count = [3, 2, 1].find((each) => from + each <= words.length && kindsNamed(words.slice(from, from + each)));
    const named = count === undefined ? undefined : kindsNamed(words.slice(from, from + count));
    if (named) {
      const isName = !isLoose(termsOf("en"), words.slice(from, from + (count ?? 1)).join(" "));
      rest.kinds.push(isName ? (named[0] ?? null) : null);
      rest.isOtherKind ||= (isName || areUnits(named)) && !suits(categories, named);
    } else if (isNumber.test(words[from] ?? "")) rest.hasNumber = true;
    else rest.words.push(words[from] ?? "");
    from += count ?? 1;
  }
  return rest;
}

function kindsNamed(words: readonly string[]): readonly string[] | undefined {
  const phrase = words.join(" ");
  return termsOf("en").get(phrase) ?? categoriesInAnyLanguage(phrase);
}

function isKindWord(word: string): boolean {
  return kindsNamed([word]) !== undefined;
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const allowed = Math.min(typosAllowed(a.length), typosAllowed(b.length));
  return allowed > 0 && editDistance(a, b, allowed) <= allowed;
}
