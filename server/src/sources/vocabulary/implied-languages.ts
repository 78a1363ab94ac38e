import { languageFor } from "./data.ts";

/** The language that letters other than Latin ones most often are of. */
const languagesByScript: readonly (readonly [script: RegExp, language: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Han}/u, "zh-TW"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Cyrillic}/u, "ru"],
  [/[ٹڈڑںے]/u, "ur"],
  [/[پچژگ]/u, "fa"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Devanagari}/u, "hi"],
  [/\p{Script=Bengali}/u, "bn"],
  [/\p{Script=Georgian}/u, "ka"],
  [/\p{Script=Armenian}/u, "hy"],
  [/\p{Script=Ethiopic}/u, "am"],
  [/\p{Script=Sinhala}/u, "si"],
  [/\p{Script=Tamil}/u, "ta"],
];

const lastLatin = 0x24f;

/** The language of our own that a phrase is most likely in by its letters alone; undefined for Latin ones. */
export function languageOfLetters(phrase: string): string | undefined {
  if (phrase.charCodeAt(0) <= lastLatin) return undefined;
  return languagesByScript.find(([script]) => script.test(phrase))?.[1];
}

const languagesByCountry = new Map<string, string | undefined>();

/** The language of our own that most people of a country speak; undefined for English and for one that we lack. */
export function languageOfCountry(countryCode: string): string | undefined {
  if (!languagesByCountry.has(countryCode)) languagesByCountry.set(countryCode, findLanguage(countryCode));
  return languagesByCountry.get(countryCode);
}

function findLanguage(countryCode: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(countryCode)) return undefined;
  const { language, script } = new Intl.Locale(`und-${countryCode}`).maximize();
  const own = languageFor(`${language}-${script}`);
  return own === "en" ? undefined : own;
}
