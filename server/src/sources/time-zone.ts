import tzLookup from "@photostructure/tz-lookup";

/**
 * The time zone of a point, or null where nobody knows. The map of zones is rough at borders: where it
 * names another country's zone, the zone of the country the point lies in counts, if that has just one.
 */
export function timeZoneAt(latitude: number, longitude: number, countryCode: string | null): string | null {
  const zone = lookUp(latitude, longitude);
  const [only, ...others] = countryCode === null ? [] : zonesOf(countryCode);
  if (only === undefined || others.length > 0) return zone;
  return zone === only || (zone !== null && canonical(zone) === canonical(only)) ? zone : only;
}

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
    return locale.getTimeZones?.() ?? locale.timeZones ?? [];
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
