import tzLookup from "@photostructure/tz-lookup";
import { pointsAround } from "./geo.ts";

/**
 * The time zone of a point, or null where nobody knows. The map of zones is rough at borders: where it names another
 * country's zone, the only zone of the country the point lies in counts, or the nearest of several.
 */
export function timeZoneAt(latitude: number, longitude: number, countryCode: string | null): string | null {
  const zone = lookUp(latitude, longitude);
  const zones = countryCode === null ? [] : zonesOf(countryCode);
  const isOfCountry = (name: string | null) =>
    name !== null && (zones.includes(name) || zones.some((each) => canonical(each) === canonical(name)));
  const [only, ...others] = zones;
  if (only === undefined || isOfCountry(zone)) return zone;
  if (others.length === 0) return renamed[only] ?? only;
  const around = searchDegrees.flatMap((degrees) => pointsAround(latitude, longitude, degrees));
  return around.map((point) => lookUp(point.latitude, point.longitude)).find(isOfCountry) ?? zone;
}

const searchDegrees = [0.1, 0.25, 0.5, 1, 2];

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

const zonesByCountry = new Map<string, readonly string[]>();

function zonesOf(countryCode: string): readonly string[] {
  let zones = zonesByCountry.get(countryCode);
  if (!zones) zonesByCountry.set(countryCode, (zones = readZones(countryCode)));
  return zones;
}

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

const canonicalNames = new Map<string, string>();

/** Zones go by several names: Asia/Calcutta is Asia/Kolkata. */
function canonical(zone: string): string {
  let name = canonicalNames.get(zone);
  if (name === undefined) {
    name = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    canonicalNames.set(zone, name);
  }
  return name;
}
