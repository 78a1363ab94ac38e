import { iso1A2Code } from "@rapideditor/country-coder";
import { hasBorder, tilesPerDegree } from "./borders.ts";

const countriesOfTiles = new Map<number, string | null | undefined>();
const tilesMax = 50_000;

/** The country a point lies in, or null at sea. All points of a tile without a border lie in the same. */
export function countryAt(latitude: number, longitude: number): string | null {
  const row = Math.floor(latitude * tilesPerDegree);
  const column = Math.floor(longitude * tilesPerDegree);
  const tile = row * 360 * tilesPerDegree * 2 + column;
  let country = countriesOfTiles.get(tile);
  if (country === undefined) {
    const isDivided = countriesOfTiles.has(tile) || hasBorder(row, column);
    country = iso1A2Code([longitude, latitude]);
    if (countriesOfTiles.size >= tilesMax) countriesOfTiles.clear();
    countriesOfTiles.set(tile, isDivided ? undefined : country);
  }
  return country;
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
