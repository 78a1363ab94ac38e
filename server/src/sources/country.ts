import { iso1A2Code } from "@rapideditor/country-coder";
import { countEdges, isInside, type Outline, outlinesAt, tilesPerDegree } from "./borders.ts";

/** The country of all points of a tile, or the outlines that pass through it. */
type Tile = string | null | readonly Outline[];

const tiles = new Map<number, Tile>();
const tilesMax = 50_000;
let keptEdges = 0;
const keptEdgesMax = 500_000;
const countriesOfFeatures = new Map<number, string | null>();

/** The country a point lies in, or null at sea. All points of a tile without a border lie in the same. */
export function countryAt(latitude: number, longitude: number): string | null {
  const row = Math.floor(latitude * tilesPerDegree);
  const column = Math.floor(longitude * tilesPerDegree);
  const key = row * 360 * tilesPerDegree * 2 + column;
  let tile = tiles.get(key);
  if (tile === undefined) {
    const { outlines, isDivided } = outlinesAt(row, column);
    tile = isDivided ? outlines : countryAmong(outlines, latitude, longitude);
    keep(key, tile, isDivided ? countEdges(outlines) : 0);
  }
  return typeof tile === "object" && tile !== null ? countryAmong(tile, latitude, longitude) : tile;
}

function keep(key: number, tile: Tile, edges: number): void {
  keptEdges += edges;
  if (tiles.size >= tilesMax || keptEdges > keptEdgesMax) {
    tiles.clear();
    keptEdges = edges;
  }
  tiles.set(key, tile);
}

/** The library decides between outlines that overlap, and names the country of each. */
function countryAmong(outlines: readonly Outline[], latitude: number, longitude: number): string | null {
  const around = outlines.filter((outline) => isInside(outline, latitude, longitude));
  const [only] = around;
  if (!only) return null;
  const known = around.length === 1 ? countriesOfFeatures.get(only.feature) : undefined;
  if (known !== undefined) return known;
  const country = iso1A2Code([longitude, latitude]);
  if (around.length === 1) countriesOfFeatures.set(only.feature, country);
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
