import tzLookup from "@photostructure/tz-lookup";
import { memoize } from "../platform/memoize.ts";
import { pointsAround } from "./points.ts";

/**
 * The time zone of a point, or null where nobody knows. The map of zones is rough at borders: where it names another
 * country's zone, the only zone of the country the point lies in counts, or the nearest of several.
 */
export function timeZoneAt(latitude: number, longitude: number, countryCode: string | null): string | null {
  const zone = lookUp(latitude, longitude);
  if (countryCode === null || isZoneOf(countryCode, zone)) return zone;
  const [only, ...others] = zonesOf(countryCode);
  if (only === undefined) return zone;
  return others.length === 0 ? (renamed[only] ?? only) : (nearestOf({ countryCode, latitude, longitude }) ?? zone);
}

const searchDegrees = [0.1, 0.25, 0.5, 1, 2];
/** Points of a tile have one answer: the map is no finer there. */
const tilesPerDegree = 20;
const tileOf = (degrees: number) => Math.floor(degrees * tilesPerDegree);

type PointIn = { countryCode: string; latitude: number; longitude: number };

/** The zone of a country that is nearest to a point; null where none is near. */
const nearestOf = memoize(findNearest, 50_000, ({ countryCode, latitude, longitude }) =>
  [countryCode, tileOf(latitude), tileOf(longitude)].join(" "),
);

function findNearest({ countryCode, latitude, longitude }: PointIn): string | null {
  for (const degrees of searchDegrees) {
    for (const point of pointsAround(latitude, longitude, degrees)) {
      const zone = lookUp(point.latitude, point.longitude);
      if (zone !== null && isZoneOf(countryCode, zone)) return zone;
    }
  }
  return null;
}

const countriesMax = 1_000;
const zonesMax = 1_000;

function isZoneOf(countryCode: string, zone: string | null): boolean {
  return zone !== null && zoneCheckOf(countryCode)(zone);
}

const zoneCheckOf = memoize((countryCode: string) => {
  const names = zonesOf(countryCode);
  const zones = new Set(names.map(canonical));
  return memoize((zone: string) => names.includes(zone) || zones.has(canonical(zone)), zonesMax);
}, countriesMax);

/** The platform keeps to the first name of a zone; the map has the one of today. */
const renamed: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
};

function lookUp(latitude: number, longitude: number): string | null {
  try {
    return tzLookup(latitude, longitude);
  } catch {
    return null;
  }
}

const zonesOf = memoize(readZones, countriesMax);

type LocaleWithZones = Intl.Locale & { getTimeZones?: () => string[]; timeZones?: string[] };

function readZones(countryCode: string): readonly string[] {
  try {
    const locale: LocaleWithZones = new Intl.Locale("und", { region: countryCode });
    const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
    return countryCode === "RU" ? [...zones, "Europe/Simferopol"] : zones; // the zone database has it with both
  } catch {
    return []; // a code that no country has
  }
}

/** Zones go by several names: Asia/Calcutta is Asia/Kolkata. */
const canonical = memoize(
  (zone: string) => new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone,
  zonesMax,
);
