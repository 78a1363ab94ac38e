import { cutText } from "../../platform/text.ts";
import type { Place } from "../place.ts";
import { countryName } from "../country.ts";

/** What a record tells of an address, as it was read. */
type Told = {
  formatted: string | undefined;
  formattedWithName: string | undefined;
  lines: readonly string[];
  street: string | undefined;
  city: string | undefined;
  region: string | undefined;
  postalCode: string | undefined;
  countryCode: string | null;
};

export function addressOf(told: Told, name: string | null, language: string): Place["address"] {
  return {
    formatted: told.formatted ?? withoutName(told.formattedWithName, name),
    street: told.street ?? null,
    city: told.city ?? null,
    region: told.region ?? null,
    postalCode: told.postalCode ?? null,
    countryCode: told.countryCode,
    municipality: municipalityOf(told, language),
  };
}

/** What stands between a name and its address, in the scripts that have a comma of their own. */
const afterName = /^\s*[,،、，]\s*|^$/;

/** Nothing stands behind the name of a business without an address. */
function withoutName(formatted: string | undefined, name: string | null): string | null {
  if (formatted === undefined) return null;
  const rest = name !== null && formatted.startsWith(name) ? formatted.slice(name.length) : undefined;
  const bare = rest !== undefined && afterName.test(rest) ? rest.replace(afterName, "") : formatted;
  return bare === "" ? null : cutText(bare, 2000);
}

/**
 * The last line of an address with its city or postal code, else the last one that is neither the street nor the
 * country. The map writes countries in other forms too, such as "USA", and may not know the requested language.
 */
function municipalityOf({ lines, street, city, postalCode, countryCode }: Told, language: string): string | null {
  const streetLines = street?.split(", ") ?? [];
  const countries = countryCode === null ? [] : [countryName(countryCode, language), countryName(countryCode, "en")];
  const others = lines.filter((line) => line !== street && !streetLines.includes(line) && !countries.includes(line));
  const known = [city, postalCode].filter((part) => part !== undefined);
  return others.findLast((line) => known.some((part) => line.includes(part))) ?? others.at(-1) ?? null;
}
