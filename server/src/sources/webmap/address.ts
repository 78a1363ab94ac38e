import { cutText } from "../../platform/text.ts";
import type { Place } from "../../places/place.ts";
import { countryName } from "../../geography/country.ts";

/** The fields of a record that make up its address, as they were read. */
type AddressFields = {
  formatted: string | undefined;
  formattedWithName: string | undefined;
  lines: readonly string[];
  street: string | undefined;
  city: string | undefined;
  region: string | undefined;
  postalCode: string | undefined;
  countryCode: string | null;
};

export function addressOf(fields: AddressFields, name: string | null, language: string): Place["address"] {
  return {
    formatted: fields.formatted ?? withoutName(fields.formattedWithName, name),
    street: fields.street ?? null,
    city: fields.city ?? null,
    region: fields.region ?? null,
    postalCode: fields.postalCode ?? null,
    countryCode: fields.countryCode,
    municipality: municipalityOf(fields, language),
  };
}

/** What stands between a name and its address, in the scripts that have a comma of their own. */
const afterName = /^\s*[,،、，]\s*|^$/;

/** Where streets have no names, the code stands before the name of the business. */
const plusCodeFirst = /^[23456789CFGHJMPQRVWX]{4,8}\+[23456789CFGHJMPQRVWX]{2,7}\s+/;

/** Nothing stands behind the name of a business without an address. */
function withoutName(formatted: string | undefined, name: string | null): string | null {
  if (formatted === undefined) return null;
  const [plusCode = ""] = plusCodeFirst.exec(formatted) ?? [];
  const named = formatted.slice(plusCode.length);
  const rest = name !== null && named.startsWith(name) ? named.slice(name.length) : undefined;
  if (rest === undefined || !afterName.test(rest)) return cutText(formatted, 2000);
  const parts = [plusCode.trim(), rest.replace(afterName, "")].filter((part) => part !== "");
  return parts.length === 0 ? null : cutText(parts.join(", "), 2000);
}

/**
 * The last line of an address with its city or postal code, else the last one that is neither the street nor the
 * country. The map writes countries in other forms too, such as "USA", and may not know the requested language. Where
 * one line holds the whole address, as in Japan, it is no municipality.
 */
function municipalityOf(
  { lines, street, city, postalCode, countryCode }: AddressFields,
  language: string,
): string | null {
  const streetLines = street?.split(", ") ?? [];
  const countries = countryCode === null ? [] : [countryName(countryCode, language), countryName(countryCode, "en")];
  // A town may be called as the street is, and a number alone be part of its postal code.
  const isTelling = street !== undefined && /\p{L}/u.test(street) && !city?.includes(street);
  const holdsStreet = (line: string) => streetLines.includes(line) || (isTelling && line.includes(street));
  const others = lines.filter((line) => line !== street && !holdsStreet(line) && !countries.includes(line));
  const known = [city, postalCode].filter((part) => part !== undefined);
  return others.findLast((line) => known.some((part) => line.includes(part))) ?? others.at(-1) ?? null;
}
