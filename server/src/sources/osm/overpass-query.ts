import { businessKeys, tagsOfCategory } from "../../kinds/index.ts";
import type { GeocodedPlace } from "./nominatim.ts";

/** Where Overpass looks. */
export type Region =
  | { kind: "area"; relationId: number }
  | { kind: "box"; box: GeocodedPlace["box"] }
  | { kind: "around"; latitude: number; longitude: number; meters: number };

export const placesMax = 200;

const queryBytesMax = 128 * 1024 * 1024;
const areaOffset = 3_600_000_000;

/** Asks for places of some categories, or with some words in their names, or both. */
export function writeQuery(categories: readonly string[], nameWords: readonly string[], region: Region): string {
  const names = nameWords.map((word) => `["name"~${quote(escapePattern(word))},i]`).join("");
  const kinds = categories.length > 0 ? categories.flatMap((id) => filterOf(id) ?? []) : [anyBusiness];
  const place = filterOfRegion(region);
  const lines = [...new Set(kinds)].map((kind) => `nwr${kind}["name"]${names}${place};`);
  // The area itself is part of the answer: without it an empty answer would prove nothing, since
  // Overpass has no areas of some boundaries.
  const where = region.kind === "area" ? `area(id:${areaOffset + region.relationId})->.where;.where out ids;` : "";
  return `${where}(${lines.join("")});out tags center ${placesMax};`;
}

/** A query as it is sent: Overpass gives it so much time, and says so when that does not suffice. */
export function withLimits(query: string, seconds: number): string {
  return `[out:json][timeout:${seconds}][maxsize:${queryBytesMax}];${query}`;
}

/** Asks for what Nominatim found by name. */
export function writeLookup(found: readonly GeocodedPlace[]): string {
  const lines = (["node", "way", "relation"] as const).flatMap((type) => {
    const ids = found.flatMap((one) => (one.type === type && one.id !== null ? [one.id] : []));
    return ids.length === 0 ? [] : [`${type}(id:${ids.join(",")});`];
  });
  return `(${lines.join("")});out tags center ${placesMax};`;
}

const anyBusiness = `[~"^(${[...businessKeys].join("|")})$"~"."]`;

/** The first tag of a category is compared whole, which Overpass has an index for; others may be lists. */
function filterOf(category: string): string | undefined {
  const tags = tagsOfCategory(category);
  if (!tags) return undefined;
  return Object.entries(tags)
    .map(([key, value]) => {
      if (value === "*") return `[${quote(key)}]`;
      if (businessKeys.has(key)) return `[${quote(key)}=${quote(value)}]`;
      return `[${quote(key)}~${quote(`(^|;) *${escapePattern(value)} *(;|$)`)}]`;
    })
    .join("");
}

function filterOfRegion(region: Region): string {
  if (region.kind === "area") return "(area.where)";
  if (region.kind === "around")
    return `(around:${region.meters},${degrees(region.latitude)},${degrees(region.longitude)})`;
  return `(${region.box.map(degrees).join(",")})`;
}

function degrees(value: number): string {
  return value.toFixed(6);
}

/** A text in a query: nothing in it can end it. */
function quote(text: string): string {
  const safe = text.replaceAll(/[\u0000-\u001f\u007f]/gu, " "); // eslint-disable-line no-control-regex -- these it is about
  return `"${safe.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}

/** A text in a pattern: every character means itself. */
function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, (character) => `\\${character}`);
}
