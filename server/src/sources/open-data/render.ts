import { getDomain } from "tldts";
import { cutText } from "../../platform/text.ts";
import { formatAddress } from "../address.ts";
import { readEmail, readWebsite } from "../contacts.ts";
import { countryAt } from "../country.ts";
import { explain } from "../explain.ts";
import type { FieldState, Reasons } from "../field-states.ts";
import type { Place } from "../place.ts";
import { plusCodeOf } from "../plus-code.ts";
import { timeZoneAt } from "../time-zone.ts";
import { isGeneral, labelOf } from "../vocabulary/index.ts";
import { neverInOpenData, neverWithoutAreas } from "./never-filled.ts";
import type { PlaceRecord } from "./record.ts";
import { renderFeatures } from "./render-features.ts";

export type RenderOptions = {
  hl: string;
  observedAt: Date;
  /** Where it lies by the areas around it: what counts where the record itself does not say. */
  within?: {
    city: string | undefined;
    municipality: string | undefined;
    region: string | undefined;
    countryCode: string;
  };
};

/** Fields that Overture's places do not have either. */
const notInOverture = "description hotelClass amenities about owner featuredImageUrl openingHours".split(" ");

const unreadableFields = { phones: ["phone", "phones"], website: ["website", "domain"] } as const;

// Most records have the same reasons; explanations are shared by those that do.
const reasonsByCase = new Map<string, Reasons>();

function reasonsOf({ sourceId, details }: PlaceRecord, hasAreas: boolean): Reasons {
  const { unreadable = [] } = details;
  const isOverture = sourceId.startsWith("overture:");
  const key = `${isOverture} ${hasAreas} ${unreadable.join(" ")}`;
  let reasons = reasonsByCase.get(key);
  if (!reasons) {
    const never = hasAreas ? neverInOpenData : neverWithoutAreas;
    const unsupported = isOverture ? [...never, ...notInOverture] : never;
    reasons = new Map<string, FieldState>([
      ["address.municipality", "not_supplied"],
      ...unsupported.map((field) => [field, "not_supported"] as const),
      // Hours that hold in some months only are not a week's; the text of them is there.
      ["openingHours.weekly", "parse_failed"],
      ...unreadable.flatMap((field) => unreadableFields[field].map((each) => [each, "parse_failed"] as const)),
    ]);
    reasonsByCase.set(key, reasons);
  }
  return reasons;
}

const listMax = 100;

/** The listing of a record in the requested language. Every field keeps to the schema, whatever was imported. */
export function renderPlace(record: PlaceRecord, { hl, observedAt, within }: RenderOptions): Place {
  const { details } = record;
  const [latitude, longitude] = [rounded(record.latitude), rounded(record.longitude)];
  const language = languagesOf(hl);
  const categories = categoryLabels(record, hl);
  const phones = (details.phones ?? []).map((phone) => cutText(phone, 128)).slice(0, listMax);
  const website = uriOrNull(details.website);
  const address = addressOf(record, hl, within);
  const { amenities, about } = renderFeatures(details.features ?? {}, hl);
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
    amenities,
    about,
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
    rating: null,
    reviewCount: null,
    emails: (details.emails ?? []).filter((email) => readEmail(email) === email).slice(0, listMax),
    socialProfiles: (details.socialProfiles ?? []).filter((url) => readWebsite(url) === url).slice(0, listMax),
    reviewsState: "not_requested",
    reviews: [],
    photosState: "not_requested",
    photos: [],
    openingHours: details.openingHours ?? null,
    priceRange: null,
    mapsUrl: uriOrNull(details.mapsUrl) ?? pointUrl(latitude, longitude),
    observedAt: observedAt.toISOString(),
    language: cutText(hl, 35),
    contactsCheckedAt: null,
    enrichmentState: "not_requested",
    contacts: [],
    fieldStates: {},
  };
  return explain(place, reasonsOf(record, within !== undefined));
}

// A listing is kept and comes again; so does the same listing with extra.
const withExtra = new WeakMap<Place, Place>();

/** The same listing for a request with `extra`: no open data set has reviews or photos. */
export function withUnavailableMedia(place: Place): Place {
  let listing = withExtra.get(place);
  if (!listing) {
    const states = { ...place.fieldStates, reviews: "not_supported", photos: "not_supported" };
    listing = { ...place, reviewsState: "unavailable", photosState: "unavailable", fieldStates: states };
    withExtra.set(place, listing);
  }
  return listing;
}

const knownLanguages = new Map<string, readonly string[]>();
const knownLanguagesMax = 1_000;

/** The requested language, then broader ones: `de-ch`, `de`. */
function languagesOf(hl: string): readonly string[] {
  let languages = knownLanguages.get(hl);
  if (!languages) {
    const subtags = hl.toLowerCase().split("-");
    languages = subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
    if (knownLanguages.size >= knownLanguagesMax) knownLanguages.clear();
    knownLanguages.set(hl, languages);
  }
  return languages;
}

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
    city: cutOrNull(address.city ?? within?.city, 512),
    region: cutOrNull(address.region ?? within?.region, 512),
    postalCode: cutOrNull(address.postalCode, 64),
  };
  return {
    formatted: cutOrNull(formatAddress(parts, countryCode, hl), 2000),
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
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`;
}

function starsOrNull(stars: number | null | undefined): number | null {
  return typeof stars === "number" && stars >= 0 && stars <= 5 ? stars : null;
}

function uriOrNull(uri: string | null | undefined): string | null {
  return uri ? readWebsite(uri) : null;
}

function cutOrNull(text: string | null | undefined, charactersMax: number): string | null {
  return text ? cutText(text, charactersMax) : null;
}
