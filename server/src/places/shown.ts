import type { PlaceRecord } from "./record.ts";

/**
 * What a client can read of a record in any language, as a text that is the same as long as that is. Other spellings of
 * ours are not in it: how a phone is written, how hours were understood, the order of names. A further field comes last,
 * and only where it says something, or the revision of every business would rise.
 */
export function shownText(record: PlaceRecord): string {
  const { address, details } = record;
  return JSON.stringify([
    record.sourceId,
    record.name,
    sorted(record.namesByLanguage),
    record.categories,
    record.categoryLabels,
    record.isLabelFirst === true,
    rounded(record.latitude),
    rounded(record.longitude),
    [address.street, address.city, address.region, address.postalCode, address.countryCode, address.suburb].map(given),
    given(details.hotelClass),
    details.phones?.map(digitsOf) ?? [],
    details.owner ? sorted(details.owner) : [],
    given(details.knowledgeUrl),
    given(details.featuredImageUrl),
    given(details.businessStatus),
    given(details.website),
    details.emails ?? [],
    details.socialProfiles ?? [],
    given(details.openingHours?.raw ?? details.openingHours?.weekly),
    given(details.mapsUrl),
    sorted(details.descriptionsByLanguage),
    sorted(details.features),
    ...ratingsOf(details),
    ...(address.full === undefined ? [] : [address.full]),
  ]);
}

/** Most records have none. */
function ratingsOf({ rating, reviewCount, priceRange }: PlaceRecord["details"]): unknown[] {
  const ratings = [rating, reviewCount, priceRange].map(given);
  return ratings.every((each) => each === null) ? [] : ratings;
}

function given(value: unknown): unknown {
  return value === undefined || value === "" ? null : value;
}

/** The entries that say something, in the order of their names. */
function sorted(values: Readonly<Record<string, unknown>> = {}): [string, unknown][] {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return entries.length < 2 ? entries : entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, "");
}

/** As far as a listing says it. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
