import { lexicon, rankedLanguages } from "../../languages/index.ts";
import { phraseOf } from "../../text/words.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
// Not countries, although the language data names them.
const others = new Set(["EU", "EZ", "UN", "QO", "ZZ"]);
// Nor any more: the Netherlands Antilles would go by the name of Curaçao.
const former = new Set("AN BU CS DD DY FX HV NH NT QU RH SU TP UK VD YD YU ZR".split(" "));

type CodesByName = Map<string, string>;

let codesByName: CodesByName | undefined;

/** Collects the names that every question is compared with: those in the languages queries are read in. */
export function warmCountries() {
  codesByName ??= collectRead();
}

/** Collects the names in other languages of Latin letters, for which the first question would wait. */
export function warmFurtherCountries() {
  namesAlike("a");
}

/** The code of a country by its name in one of the languages queries are read in, else in another of the same letters. */
export function countryNamed(phrase: string): string | undefined {
  codesByName ??= collectRead();
  return codesByName.get(phrase) ?? namesAlike(phrase)?.get(phrase);
}

/** Whether a country is called so only in a language that queries are not read in. */
export function isFurtherName(phrase: string): boolean {
  codesByName ??= collectRead();
  return !codesByName.has(phrase) && namesAlike(phrase)?.has(phrase) === true;
}

/** The other languages that countries speak, by the letters they are written in. */
const languagesByScript: readonly (readonly [script: RegExp, languages: string])[] = [
  [/\p{Script=Latin}/u, "az bs cs da et fi hr hu id is lt lv ms nb pl ro sk sl sq sr-Latn sv sw tr uz vi"],
  [/\p{Script=Cyrillic}/u, "ru uk be bg mk sr kk ky mn"],
  [/\p{Script=Arabic}/u, "ar fa ur"],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, "zh zh-Hant ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Devanagari}/u, "hi mr ne"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Georgian}/u, "ka"],
  [/\p{Script=Armenian}/u, "hy"],
  [/\p{Script=Ethiopic}/u, "am"],
  [/\p{Script=Bengali}/u, "bn"],
  [/\p{Script=Tamil}/u, "ta"],
  [/\p{Script=Telugu}/u, "te"],
  [/\p{Script=Sinhala}/u, "si"],
  [/\p{Script=Khmer}/u, "km"],
  [/\p{Script=Lao}/u, "lo"],
  [/\p{Script=Myanmar}/u, "my"],
];

/** By the languages of a script, collected for the first phrase in it: all of them at once take a third of a second. */
const furtherNames = new Map<string, CodesByName>();

/** The names in the letters that a phrase begins with. */
function namesAlike(phrase: string): CodesByName | undefined {
  const first = String.fromCodePoint(phrase.codePointAt(0) ?? 0);
  const languages = languagesByScript.find(([script]) => script.test(first))?.[1];
  if (languages === undefined) return undefined;
  let names = furtherNames.get(languages);
  if (!names) furtherNames.set(languages, (names = collectFurther(languages.split(" "))));
  return names;
}

function collectRead(): CodesByName {
  const codes: CodesByName = new Map();
  for (const { countries = {} } of lexicon.values()) {
    for (const [code, names] of Object.entries(countries)) for (const name of names) codes.set(phraseOf(name), code);
  }
  for (const language of rankedLanguages) addNames(codes, namesIn(language));
  return codes;
}

/** A shorter name in Latin letters is too often another word: Italy is "Ý" in Vietnamese, Morocco "Fas" in Turkish. */
const tooShort = /^[a-z]{1,3}$/;

function collectFurther(languages: readonly string[]): CodesByName {
  const codes: CodesByName = new Map();
  for (const language of languages) {
    addNames(codes, namesIn(language));
    addNames(codes, namesIn(language, "short"));
  }
  for (const name of codes.keys()) if (tooShort.test(name)) codes.delete(name);
  return codes;
}

function addNames(codes: CodesByName, names: Intl.DisplayNames) {
  for (const code of (countryCodes ??= listCodes())) {
    const phrase = phraseOf(names.of(code) ?? "");
    if (phrase !== "" && !codes.has(phrase)) codes.set(phrase, code);
  }
}

let countryCodes: readonly string[] | undefined;

/** A code that English has no name for has none in the others: asking costs more than the names do. */
function listCodes(): string[] {
  const english = namesIn("en");
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return codes.filter((code) => mayBeCountry(code) && english.of(code) !== undefined);
}

function mayBeCountry(code: string): boolean {
  const isPrivate = code.startsWith("X") && code !== "XK";
  return !isPrivate && !others.has(code) && !former.has(code);
}

function namesIn(language: string, style: "long" | "short" = "long") {
  return new Intl.DisplayNames([language], { type: "region", fallback: "none", style });
}
