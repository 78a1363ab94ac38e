import { languageFor } from "../../languages/index.ts";

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
