import { getDomain } from "tldts";
import { memoize, memoizeByObject } from "../../platform/memoize.ts";
import { cutText } from "../../platform/text.ts";
import { formatAddress } from "../address.ts";
import { formatPhone, readEmail, readWebsite } from "../contacts.ts";
import { countryAt } from "../../geography/country.ts";
import type { Place } from "../place.ts";
import { plusCodeOf } from "../../geography/plus-code.ts";
import { timeZoneAt } from "../../geography/time-zone.ts";
import { isGeneral } from "../../kinds/index.ts";
import { labelOf } from "../../languages/index.ts";
import { explainOpenData } from "./explain-open-data.ts";
import type { PlaceRecord } from "../record.ts";
import { renderFeatures } from "./render-features.ts";

export type RenderOptions = {
  hl: string;
  /** When the data set was observed: what counts where the record has no date of its own. */
  observedAt: Date;
  /** Where it lies by its own address and the areas around it, called as in the language. */
  within?: {
    city: string | undefined;
    municipality: string | undefined;
    region: string | undefined;
    countryCode: string;
  };
};

const listMax = 100;
/** Listings share it: most have nothing to list in most of their fields. */
const nothing = Object.freeze([]) as unknown as never[]; // nobody may change a listing

/** The listing of a record in the requested language. Every field keeps to the schema, whatever was imported. */
export function renderPlace(record: PlaceRecord, { hl, observedAt, within }: RenderOptions): Place {
  const { details } = record;
  const latitude = rounded(record.latitude);
  const longitude = rounded(record.longitude);
  const language = languagesOf(hl);
  const categories = categoryLabels(record, hl);
  const phones = details.phones ? phonesOf(details.phones) : nothing;
  const website = uriOrNull(details.website);
  const address = addressOf(record, hl, within);
  const features = details.features && renderFeatures(details.features, hl);
  const place: Place = {
    placeId: cutText(record.sourceId, 512),
    cid: null,
    dataId: null,
    name: cutOrNull(pick(record.namesByLanguage, language) ?? record.name, 1000),
    description: cutOrNull(pickText(details.descriptionsByLanguage, language), 10_000),
    plusCode: plusCodeOf(latitude, longitude),
    timeZone: timeZoneAt(latitude, longitude, address.countryCode),
    note: null,
    hotelClass: starsOrNull(details.hotelClass),
    amenities: features?.amenities ?? nothing,
    about: features?.about ?? nothing,
    phones,
    claimed: null,
    owner: ownerOf(details.owner),
    kgmid: null,
    knowledgeUrl: uriOrNull(details.knowledgeUrl),
    reviewUrl: null,
    featuredImageUrl: uriOrNull(details.featuredImageUrl),
    businessStatus: cutOrNull(details.businessStatus, 128),
    category: categories[0] ?? null,
    categories,
    address,
    location: { latitude, longitude },
    phone: phones[0] ?? null,
    website,
    domain: website === null ? null : cutOrNull(getDomain(website), 253),
    rating: starsOrNull(details.rating),
    reviewCount: countOrNull(details.reviewCount),
    emails: details.emails?.filter((email) => readEmail(email) === email).slice(0, listMax) ?? nothing,
    socialProfiles: details.socialProfiles?.filter((url) => readWebsite(url) === url).slice(0, listMax) ?? nothing,
    reviewsState: "not_requested",
    reviews: nothing,
    photosState: "not_requested",
    photos: nothing,
    openingHours: details.openingHours ?? null,
    priceRange: cutOrNull(details.priceRange, 128),
    mapsUrl: uriOrNull(details.mapsUrl) ?? pointUrl(latitude, longitude),
    observedAt: record.observedAt ?? timestampOf(observedAt),
    language: cutText(hl, 35),
    contactsCheckedAt: null,
    enrichmentState: "not_requested",
    contacts: nothing,
    fieldStates: noStates,
  };
  return explainOpenData(place, record, within !== undefined);
}

/** Data sets of one listing may have stored a number in two ways: in E.164, and as older imports wrote it. */
function phonesOf(stored: readonly string[]): string[] {
  return [...new Set(stored.map((phone) => cutText(formatPhone(phone), 128)))].slice(0, listMax);
}

const noStates = Object.freeze({});
/** All records of a data set were observed at one moment. */
const timestampOf = memoizeByObject((moment: Date) => moment.toISOString());

/**
 * The same listing for a request with `extra`: no open data set has reviews or photos. A listing is kept and comes
 * again; so does the same listing with extra.
 */
export const withUnavailableMedia = memoizeByObject((place: Place): Place => {
  const states = { ...place.fieldStates, reviews: "not_supported", photos: "not_supported" };
  return { ...place, reviewsState: "unavailable", photosState: "unavailable", fieldStates: states };
});

const languagesMax = 1_000;

/** The requested language, then broader ones: `de-ch`, `de`. */
export const languagesOf = memoize((hl: string): readonly string[] => {
  const subtags = hl.toLowerCase().split("-");
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
}, languagesMax);

function pick(texts: Readonly<Record<string, string>> | undefined, languages: readonly string[]): string | undefined {
  if (!texts) return undefined;
  const language = languages.find((tag) => Object.hasOwn(texts, tag) && texts[tag]);
  return language === undefined ? undefined : texts[language];
}

/** A description in another language than the requested one is better than none. */
function pickText(
  texts: Readonly<Record<string, string>> | undefined,
  languages: readonly string[],
): string | undefined {
  if (!texts) return undefined;
  return pick(texts, [...languages, "", "en"]) ?? Object.values(texts)[0];
}

/** Labels best first; "Shop" alone is said only of a shop of which nothing finer is known. */
function categoryLabels({ categories, categoryLabels: own, isLabelFirst }: PlaceRecord, hl: string): string[] {
  const [only, another] = categories;
  // Most have one category, and need no list of lists.
  if (only && another === undefined && own.length === 0) return [cutText(labelOf(only, hl), 512)];
  const finer = categories.filter((id) => !isGeneral(id));
  const general = finer.length > 0 || own.length > 0 ? [] : categories;
  const leading = isLabelFirst ? own.slice(0, 1) : [];
  const labels = [...leading, ...finer.map((id) => labelOf(id, hl)), ...own, ...general.map((id) => labelOf(id, hl))];
  return [...new Set(labels.map((label) => cutText(label, 512)).filter((label) => label !== ""))].slice(0, listMax);
}

function addressOf(
  { address, latitude, longitude }: PlaceRecord,
  hl: string,
  within: RenderOptions["within"],
): Place["address"] {
  const given = (within?.countryCode || address.countryCode || "").toUpperCase();
  const countryCode = /^[A-Z]{2}$/.test(given) ? given : countryAt(latitude, longitude);
  const parts = {
    street: cutOrNull(address.street, 1000),
    city: cutOrNull(within?.city ?? address.city, 512),
    region: cutOrNull(within?.region ?? address.region, 512),
    postalCode: cutOrNull(address.postalCode, 64),
  };
  return {
    formatted: cutOrNull(
      (parts.street === null ? address.full : undefined) ??
        formatAddress({ ...parts, suburb: cutOrNull(address.suburb, 512) }, countryCode, hl),
      2000,
    ),
    street: parts.street,
    city: parts.city,
    region: parts.region,
    postalCode: parts.postalCode,
    countryCode,
    municipality: cutOrNull(within?.municipality, 512),
  };
}

function ownerOf(owner: Place["owner"] | undefined): Place["owner"] {
  const name = cutOrNull(owner?.name, 1000);
  return name === null ? null : { id: null, name, profileUrl: null };
}

/** To the centimeter: more digits than that are an accident of computing. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

function pointUrl(latitude: number, longitude: number): string {
  const north = degreesText(latitude);
  const east = degreesText(longitude);
  return `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=18/${north}/${east}`;
}

/** What `String` writes of rounded degrees, from whole numbers: to find the shortest digits of a fraction takes a third of a listing's time. */
function degreesText(degrees: number): string {
  const units = Math.round(Math.abs(degrees) * 1e7);
  let digits = units % 1e7;
  if (digits === 0 || units < 10) return String(degrees);
  let start = 1e7; // keeps the zeros in front
  while (digits % 10 === 0) {
    digits /= 10;
    start /= 10;
  }
  return `${degrees < 0 ? "-" : ""}${Math.floor(units / 1e7)}.${String(start + digits).slice(1)}`;
}

function starsOrNull(stars: number | null | undefined): number | null {
  return typeof stars === "number" && stars >= 0 && stars <= 5 ? stars : null;
}

function countOrNull(count: number | null | undefined): number | null {
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : null;
}

function uriOrNull(uri: string | null | undefined): string | null {
  return uri ? readWebsite(uri) : null;
}

function cutOrNull(text: string | null | undefined, charactersMax: number): string | null {
  return text ? cutText(text, charactersMax) : null;
}
