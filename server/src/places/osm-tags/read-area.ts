import type { AreaRecord } from "../record.ts";
import { splitList } from "../contacts.ts";
import { countryAt } from "../../geography/country.ts";
import { shapeOf } from "../../geography/shape.ts";
import { isLandmark } from "../../kinds/index.ts";
import { byLanguage, type OsmElement, sourceIdOf, type Tags } from "./element.ts";

type Kind = AreaRecord["kind"];

const kindByPlace: ReadonlyMap<string, Kind> = new Map<string, Kind>(
  Object.entries({
    country: "country",
    state: "region",
    region: "region",
    province: "region",
    county: "region",
    district: "region",
    island: "region",
    city: "city",
    municipality: "town",
    town: "town",
    village: "village",
    hamlet: "village",
    suburb: "suburb",
    borough: "suburb",
    quarter: "suburb",
    neighbourhood: "suburb",
  } as const),
);

/** The kind of settlement or territory that tags alone tell of; undefined when they tell of none. */
export function kindOf(tags: Tags): Kind | undefined {
  const place = kindByPlace.get(tags["place"] ?? "");
  const level = tags["boundary"] === "administrative" ? levelOf(tags) : null;
  return place ?? (level === null ? undefined : kindByLevel(level, null));
}

/** What the geometry of an element says: its closed outlines, and the settlement in its middle. */
export type Outline = {
  box: AreaRecord["box"];
  rings?: readonly (readonly (readonly [number, number])[])[] | undefined;
  centerKind?: Kind | undefined;
};

/** A town, a suburb, a boundary or a landmark with a name; undefined for everything else. */
export function areaOf(element: OsmElement, { box, rings, centerKind }: Outline): AreaRecord | undefined {
  const { tags, latitude, longitude } = element;
  const isOther = kindOf(tags) === undefined;
  if (isOther && !isLandmark(tags)) return undefined; // most outlines are of buildings, whose country nobody needs
  const name = tags["name"]?.trim();
  const isUnit = tags["boundary"] === "administrative";
  const level = isUnit ? levelOf(tags) : null;
  const found = countryAt(latitude, longitude);
  const own = kindByPlace.get(tags["place"] ?? "") ?? (level === null ? undefined : kindByLevel(level, found));
  const settled = own === "town" && isUnit ? (centerKind ?? own) : own;
  const kind = isOther ? "landmark" : settled;
  if (!name || kind === undefined) return undefined;
  return {
    sourceId: sourceIdOf(element),
    name,
    namesByLanguage: byLanguage(tags, "name"),
    otherNames: otherNamesOf(tags),
    kind,
    latitude,
    longitude,
    box,
    population: populationOf(tags),
    countryCode: (kind === "country" ? codeOf(tags) : undefined) ?? found,
    level,
    // Nothing lies in a landmark.
    shape: rings && !isOther ? shapeOf(rings, pointsMax[kind] ?? pointsOfTownMax) : null,
  };
}

/** A country's outline decides over border towns, and there are few countries. */
const pointsMax: Readonly<Partial<Record<Kind, number>>> = { country: 10_000, region: 4_000 };
const pointsOfTownMax = 1_500;

const otherNameKeys = ["alt_name", "official_name", "short_name", "loc_name", "int_name", "old_name"];

function otherNamesOf(tags: Tags): string[] {
  const names = Object.entries(tags).flatMap(([key, value]) =>
    otherNameKeys.some((name) => key === name || key.startsWith(`${name}:`)) ? splitList(value) : [],
  );
  // "Valletta / Il-Belt" and "Sankt Anton;St. Anton" are two names each.
  const parts = [tags["name"] ?? "", ...Object.values(byLanguage(tags, "name"))].flatMap((name) =>
    /[;/]/.test(name) ? name.split(/[;/]/).map((part) => part.trim()) : [],
  );
  return [...new Set([...names, ...parts])].filter((name) => name !== "").slice(0, 40);
}

function codeOf(tags: Tags): string | undefined {
  const code = (tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"] ?? tags["country_code"] ?? "").toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? code : undefined;
}

/** More than any country has, and less than the catalog's column can hold. */
const populationMax = 2_000_000_000;

/** A whole number; separators stand between thousands, and in India between lakhs. Anything else is no count of people. */
function populationOf(tags: Tags): number | null {
  const text = tags["population"]?.trim() ?? "";
  if (!/^\d+$|^\d{1,3}(?:[\s,.']\d{2,3})*[\s,.']\d{3}$/.test(text)) return null;
  const population = Number(text.replaceAll(/\D/g, ""));
  return population > 0 && population <= populationMax ? population : null;
}

function levelOf(tags: Tags): number | null {
  const level = Number(tags["admin_level"]);
  return Number.isInteger(level) && level >= 2 && level <= 12 ? level : null;
}

/** Where a country's municipalities are not the units of the levels seven and eight. */
const kindsByCountry: Readonly<Record<string, Readonly<Record<number, Kind>>>> = {
  AM: { 6: "town", 7: "village", 8: "suburb" },
  AU: { 6: "town" },
  GB: { 8: "region", 10: "village" },
  IS: { 6: "town" },
  JP: { 8: "suburb" },
  KR: { 6: "town", 7: "suburb", 8: "suburb" },
  LT: { 5: "town" },
  MX: { 6: "town" },
  NL: { 10: "village" },
  PH: { 6: "town" },
  PT: { 8: "suburb" },
  SK: { 8: "region", 9: "town" },
  TH: { 6: "town", 8: "suburb" },
  TR: { 6: "town", 8: "suburb" },
  VN: { 6: "town", 8: "suburb" },
};

function kindByLevel(level: number, countryCode: string | null): Kind {
  const special = kindsByCountry[countryCode ?? ""]?.[level];
  if (special) return special;
  if (level === 2) return "country";
  if (level <= 6) return "region";
  return level <= 8 ? "town" : "suburb";
}
