import { languageFor } from "../../languages/index.ts";

/** The languages that letters other than Latin ones most often are of, the likeliest first. */
const languagesByScript: readonly (readonly [script: RegExp, ...languages: string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Han}/u, "zh-TW"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Greek}/u, "el"],
  // Letters that Russian lacks. Belarusian ones are spelled as others where words are compared.
  [/[ҷҳ]/u, "tg"],
  [/[әғқңұһ]/u, "kk"],
  [/[үө]/u, "ky"],
  [/[іє]/u, "uk"],
  [/[ђћљњјџ]/u, "sr"],
  [/\p{Script=Cyrillic}/u, "ru"],
  [/[ټډړښځڅ]/u, "ps"],
  [/[ٹڈڑںے]/u, "ur"],
  [/[پچژگ]/u, "fa"],
  [/\p{Script=Arabic}/u, "ar", "fa", "ur", "ps"],
  [/\p{Script=Devanagari}/u, "hi", "mr", "ne"],
  [/\p{Script=Bengali}/u, "bn"],
  [/\p{Script=Georgian}/u, "ka"],
  [/\p{Script=Armenian}/u, "hy"],
  [/\p{Script=Ethiopic}/u, "am"],
  [/\p{Script=Sinhala}/u, "si"],
  [/\p{Script=Tamil}/u, "ta"],
  [/\p{Script=Telugu}/u, "te"],
  [/\p{Script=Kannada}/u, "kn"],
  [/\p{Script=Malayalam}/u, "ml"],
  [/\p{Script=Gujarati}/u, "gu"],
  [/\p{Script=Gurmukhi}/u, "pa"],
  [/\p{Script=Khmer}/u, "km"],
  [/\p{Script=Lao}/u, "lo"],
  [/\p{Script=Myanmar}/u, "my"],
];

const lastLatin = 0x24f;

/** The languages of our own that a phrase is likely in by its letters alone; none for Latin ones. */
export function languagesOfLetters(phrase: string): readonly string[] {
  if (phrase.charCodeAt(0) <= lastLatin) return [];
  const [, ...languages] = languagesByScript.find(([script]) => script.test(phrase)) ?? [];
  return languages;
}

/** Where many ask in Russian, it is known by its letters anyway. */
const languagesByCountry = new Map<string, string | undefined>([
  ["BY", "be"],
  ["KZ", "kk"],
]);

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
