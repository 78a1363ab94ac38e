import { memoize } from "../platform/memoize.ts";
import { borders, feature } from "@rapideditor/country-coder";
import { countEdges, isInside, type Outline, outlinesAt, tilesPerDegree } from "./borders.ts";
import { pointsAround, type Polygons } from "./points.ts";

/** The country of all points of a tile, or the outlines that pass through it. */
type Tile = string | null | readonly Outline[];

const tiles = new Map<number, Tile>();
const tilesMax = 50_000;
let keptEdges = 0;
const keptEdgesMax = 500_000;

/**
 * The ISO 3166-1 code of the country or territory a point lies in, or null at sea: Hong Kong and Réunion have their own.
 * All points of a tile without a border lie in the same.
 */
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

/** The library decides between outlines that overlap. */
function countryAmong(outlines: readonly Outline[], latitude: number, longitude: number): string | null {
  const [only, another] = outlines.filter((outline) => isInside(outline, latitude, longitude));
  if (!only) return null;
  const found = another ? smallestAt(latitude, longitude) : borders.features[only.feature];
  return found ? codeOf(found) : null;
}

type Feature = (typeof borders.features)[number];

function smallestAt(latitude: number, longitude: number): Feature | null {
  return feature([longitude, latitude], { level: "subterritory" });
}

const codesByFeature = new Map<Feature, string | null>();

/** The code of a part of the world, or of the innermost part around it that has a code: Ceuta's is Spain's. */
function codeOf(part: Feature): string | null {
  let code = codesByFeature.get(part);
  if (code === undefined) {
    const around = [part, ...part.properties.groups.flatMap((id) => feature(id) ?? [])];
    // Reserved codes, such as EA for Ceuta and Melilla, are in no list of countries.
    code = around.find(({ properties }) => properties.iso1A2 && properties.isoStatus !== "excRes")?.properties.iso1A2;
    codesByFeature.set(part, (code ??= null));
  }
  return code;
}

/** The outline by which a point lies in the country or territory: polygons of rings, longitudes first, as GeoJSON has them. */
export function outlineOf(countryCode: string): Polygons {
  return borders.features.flatMap((part) =>
    part.geometry?.type === "MultiPolygon" && codeOf(part) === countryCode
      ? part.geometry.coordinates.map((rings) => rings.map((ring) => ring.map(([x = 0, y = 0]) => [x, y] as const)))
      : [],
  );
}

/** The country of a territory that has an ISO code: France of Réunion. */
export function parentOf(countryCode: string): string | null {
  const parent = knownCode(countryCode) === countryCode ? feature(countryCode)?.properties.country : undefined;
  return parent ?? null;
}

/**
 * The country of a place that says which one it lies in. The point decides, unless it may be on the wrong side of a
 * border; a territory's own code is finer than that of the country it belongs to.
 */
export function countryOf(told: string | undefined, latitude: number, longitude: number): string | null {
  const found = countryAt(latitude, longitude);
  if (!told || told === found) return found;
  const code = knownCode(told);
  if (code === null || code === found || (found !== null && parentOf(found) === code)) return found;
  return found === null || isNear(code, latitude, longitude) || isClaimed(code, latitude, longitude) ? code : found;
}

/** The code that a code stands for: `UK` is written for GB. Null for one that no country has. */
function knownCode(text: string): string | null {
  return /^[a-z]{2}$/i.test(text) ? codeOfCode(text) : null;
}

const codesMax = 2_704; // every pair of letters, in both cases

const codeOfCode = memoize((text: string) => {
  const found = feature(text);
  return found && codeOf(found);
}, codesMax);

/** Outlines are simplified, and places are put beside where they are. */
const borderDegrees = [0.01, 0.03];

function isNear(countryCode: string, latitude: number, longitude: number): boolean {
  return borderDegrees
    .flatMap((degrees) => pointsAround(latitude, longitude, degrees))
    .some((point) => countryAt(point.latitude, point.longitude) === countryCode);
}

/** The library has Crimea with Russia; ISO 3166 has it with Ukraine. */
function isClaimed(countryCode: string, latitude: number, longitude: number): boolean {
  return countryCode === "UA" && smallestAt(latitude, longitude)?.properties.wikidata === "Q7835";
}

const languagesMax = 100;
const countriesMax = 1_000;

/** The country's name in the requested language, or in English. */
export function countryName(countryCode: string, hl: string): string | null {
  return namesIn(hl)(countryCode);
}

const namesIn = memoize((hl: string) => {
  const names = new Intl.DisplayNames([...supported(hl), "en"], { type: "region", fallback: "none" });
  return memoize((countryCode: string) => nameOf(countryCode, names), countriesMax);
}, languagesMax);

function nameOf(countryCode: string, names: Intl.DisplayNames): string | null {
  try {
    return names.of(countryCode) ?? null;
  } catch {
    return null; // a code that no country has
  }
}

function supported(hl: string): string[] {
  try {
    return Intl.DisplayNames.supportedLocalesOf(hl);
  } catch {
    return []; // a tag of a shape that no language has
  }
}
