import { normalize } from "../../text/normalize.ts";
import { isPostposition } from "./inflections.ts";
import { prepositions } from "./languages.ts";

/** Words that stand between what and where in languages of which no more than the kinds of place are known. */
const prepositionsByLanguage = {
  ru: "в во на около возле рядом близ недалеко",
  uk: "в у на біля поруч неподалік",
  bg: "в във на край близо",
  sr: "у на код близу u na kod blizu",
  mk: "во на кај близу",
  hr: "u na kod blizu",
  bs: "u na kod blizu",
  sl: "v na pri blizu",
  pl: "w we na koło obok przy niedaleko blisko",
  cs: "v ve na u blízko poblíž",
  sk: "v vo na pri blízko",
  ro: "în la lângă din",
  sv: "i på nära vid",
  da: "i på nær ved",
  nb: "i på nær ved",
  no: "i på nær ved",
  is: "í á nálægt við",
  lt: "prie šalia netoli",
  lv: "pie netālu",
  el: "σε στη στην στο στον στα κοντά",
  ar: "في قرب بالقرب",
  fa: "در نزدیک نزدیکی",
  ur: "میں",
  id: "di dekat",
  ms: "di dekat berhampiran sekitar",
  sq: "në afër pranë",
  mt: "fi ħdejn",
  af: "in naby by",
  ga: "i in sa san ag aice",
  et: "lähedal",
  vi: "ở tại gần",
  be: "у ў на каля",
  tg: "дар назди",
  km: "នៅ ក្នុង ជិត",
  lo: "ຢູ່ ໃນ ໃກ້",
  fil: "sa malapit",
  ht: "nan toupre",
  so: "ee ku u",
  rw: "i mu muri",
  mg: "any amin eto",
  ps: "په کې",
  sw: "katika karibu",
} as const;

const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(prepositionsByLanguage).map(([language, words]) => [language, new Set(normalize(words))]),
);

/** Those in other letters than Latin ones, which are no words of the languages read: who asks in them may leave out `hl`. */
const inOtherLetters: ReadonlySet<string> = new Set(
  [...byLanguage.values()].flatMap((words) => [...words]).filter((word) => !/^[a-z]/.test(word)),
);

export function isOtherPreposition(word: string, hl: string): boolean {
  return (byLanguage.get(primaryLanguage(hl)) ?? inOtherLetters).has(word);
}

/** Tells the prepositions of every language read, and of the requested one. */
export function prepositionsFor(hl: string): (word: string) => boolean {
  const others = byLanguage.get(primaryLanguage(hl)) ?? inOtherLetters;
  return (word) => prepositions.has(word) || others.has(word);
}

/** The languages that a word is a preposition in, of those that are not read. */
export function languagesOfPreposition(word: string): readonly string[] {
  return languagesByPreposition.get(word) ?? [];
}

const languagesByPreposition: ReadonlyMap<string, readonly string[]> = listLanguages();

function listLanguages(): Map<string, string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of byLanguage) {
    for (const word of words) languages.set(word, [...(languages.get(word) ?? []), language]);
  }
  return languages;
}

/** What is left of a *what* beside a town without the word of its language that links the two: "frisör nära" [Malmö]. */
export function withoutLocalLink(what: readonly string[], language: string, isBehindTown: boolean): readonly string[] {
  const local = primaryLanguage(language);
  if (isBehindTown) {
    const start = what.findIndex((word) => !isPostposition(word, local));
    return start <= 0 ? what : what.slice(start);
  }
  const end = what.findLastIndex((word) => byLanguage.get(local)?.has(word) !== true) + 1;
  return end === 0 ? what : what.slice(0, end);
}

/** `de` of `de-CH`. */
export function primaryLanguage(hl: string): string {
  const end = hl.indexOf("-");
  return (end === -1 ? hl : hl.slice(0, end)).toLowerCase();
}
