import { iso1A2Code } from "@rapideditor/country-coder";

/** The country a point lies in, or null at sea. */
export function countryAt(latitude: number, longitude: number): string | null {
  return iso1A2Code([longitude, latitude]);
}

const namesByLanguage = new Map<string, Intl.DisplayNames>();
const languagesMax = 100;
const knownNames = new Map<string, string | null>();
const knownNamesMax = 10_000;

/** The country's name in the requested language, or in English. */
export function countryName(countryCode: string, hl: string): string | null {
  const key = `${countryCode} ${hl}`;
  let name = knownNames.get(key);
  if (name === undefined) {
    name = nameOf(countryCode, hl);
    if (knownNames.size >= knownNamesMax) knownNames.clear();
    knownNames.set(key, name);
  }
  return name;
}

function nameOf(countryCode: string, hl: string): string | null {
  try {
    return displayNames(hl).of(countryCode) ?? null;
  } catch {
    return null; // a code that no country has
  }
}

function displayNames(hl: string): Intl.DisplayNames {
  const known = namesByLanguage.get(hl);
  if (known) return known;
  if (namesByLanguage.size >= languagesMax) namesByLanguage.clear();
  const names = new Intl.DisplayNames([...supported(hl), "en"], { type: "region", fallback: "none" });
  namesByLanguage.set(hl, names);
  return names;
}

function supported(hl: string): string[] {
  try {
    return Intl.DisplayNames.supportedLocalesOf(hl);
  } catch {
    return []; // a tag of a shape that no language has
  }
}
