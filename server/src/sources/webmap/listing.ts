import tzLookup from "@photostructure/tz-lookup";
import { getDomain } from "tldts";
import { memoize } from "../../platform/memoize.ts";
import { cutText } from "../../platform/text.ts";
import { formatPhone, readPhones, readWebsite, toUri } from "../../places/contacts.ts";
import { explain } from "../../places/explain.ts";
import type { FieldState, Reasons } from "../../places/field-states.ts";
import type { Place } from "../../places/place.ts";
import { plusCodeOf } from "../../geography/plus-code.ts";
import { readAbout } from "./about.ts";
import { addressOf } from "./address.ts";
import { closedStateIn, closedStateOfSummary } from "./closed.ts";
import type { Drift } from "./drift.ts";
import { type FieldName, type Fields, fieldsFor, findField } from "./fields.ts";
import { readHours } from "./hours.ts";
import { type Media, missingMedia } from "./media.ts";
import type { WebmapRecord } from "./records.ts";
import { at, listAt, text } from "./values.ts";

export type ListingOptions = {
  hl: string;
  observedAt: Date;
  /** Detail answers hold what search answers never do. */
  isDetail: boolean;
  /** Details were requested, whether or not they came. */
  extra: boolean;
  /** The answer as a whole was trimmed, so what it lacks says nothing about the business. */
  isTrimmed: boolean;
  media: Media;
};

/** Every business is somewhere and has these: an answer without them withholds them. */
const alwaysThere = ["name", "placeId", "location", "plusCode", "timeZone"];

/** Fields that only a detail answer holds. */
const detailOnly = ["featuredImageUrl", "owner.name"];

/** What a listing makes of a field of the table, where that is more than the field of the same name. */
const madeOf: Partial<Record<FieldName, readonly string[]>> = {
  dataId: ["dataId", "cid", "mapsUrl"],
  kgmid: ["kgmid", "knowledgeUrl"],
  categories: ["categories", "category"],
  formatted: ["address.formatted"],
  formattedWithName: ["address.formatted"],
  street: ["address.street"],
  city: ["address.city"],
  postalCode: ["address.postalCode"],
  region: ["address.region"],
  countryCode: ["address.countryCode"],
  addressLines: ["address.municipality"],
  latitude: ["location", "plusCode", "timeZone"],
  longitude: ["location", "plusCode", "timeZone"],
  phone: ["phone", "phones"],
  website: ["website", "domain"],
  highlight: ["note", "businessStatus"],
  hotelClassText: ["hotelClass"],
  ownerId: ["owner", "owner.id", "owner.profileUrl", "claimed"],
  ownerName: ["owner", "owner.name"],
  claimLink: ["claimed"],
};

/** Makes listings of records, by the one table of positions. */
export function createListings({ base, drift }: { base: string; drift: Drift }) {
  const fields = fieldsFor(base);
  const origin = originOf(base);

  return (record: WebmapRecord, options: ListingOptions): Place => {
    const { read, unreadable } = readerOf(fields, record, drift);
    const { hl, observedAt, isDetail, extra, isTrimmed, media } = options;
    const dataId = read("dataId") ?? null;
    const cid = dataId === null ? null : cidOf(dataId);
    const kgmid = read("kgmid") ?? null;
    const categories = read("categories") ?? [];
    const location = locationOf(read("latitude"), read("longitude"));
    const name = read("name") ?? null;
    // The record's own language is that of its name; every label is in the requested language.
    const language = cutText(hl, 35);
    const formatted = read("formatted");
    const countryCode = read("countryCode") ?? null;
    const phones = phonesOf(record, read("phone"), countryCode);
    const website = websiteOf(read("website"));
    const highlight = read("highlight");
    const closedState = highlight === undefined ? undefined : closedStateIn(highlight);
    const ownerId = read("ownerId");
    const claimLink = read("claimLink");
    const { about, amenities, isUnreadable: isAboutUnreadable } = readAbout(record);
    const hours = readHours(record);
    drift.count("openingHours", hours === "missing" || hours === "unreadable" ? hours : 0);
    drift.count("about", about.length > 0 ? 0 : isAboutUnreadable ? "unreadable" : "missing");

    const place: Place = {
      placeId: read("placeId") ?? null,
      cid,
      dataId,
      name,
      description: read("description") ?? null,
      plusCode: read("plusCode") ?? (location && plusCodeOf(location.latitude, location.longitude)),
      timeZone: read("timeZone") ?? timeZoneAt(location),
      note: closedState === undefined ? (highlight ?? null) : null,
      hotelClass: read("hotelClass") ?? read("hotelClassText") ?? null,
      amenities,
      about,
      phones,
      claimed: unreadable.includes("claimLink") ? null : claimedOf(claimLink, ownerId),
      owner: ownerOf(origin, ownerId, read("ownerName")),
      kgmid,
      knowledgeUrl: kgmid && ownUrl(origin, `/search?kgmid=${kgmid}`),
      reviewUrl: read("reviewUrl") ?? null,
      featuredImageUrl: read("featuredImageUrl") ?? null,
      businessStatus: closedState ?? closedStateOfSummary(record) ?? null,
      category: categories[0] ?? null,
      categories,
      address: addressOf(
        {
          formatted,
          formattedWithName: formatted === undefined ? read("formattedWithName") : undefined,
          lines: read("addressLines") ?? [],
          street: read("street"),
          city: read("city"),
          region: read("region"),
          postalCode: read("postalCode"),
          countryCode,
        },
        name,
        language,
      ),
      location,
      phone: phones[0] ?? null,
      website,
      domain: website === null ? null : (read("domain") ?? getDomain(website)),
      rating: read("rating") ?? null,
      reviewCount: read("reviewCount") ?? null,
      emails: [],
      socialProfiles: [],
      // Named one by one: a spread in the middle makes the object twice as slow to build.
      reviewsState: media.reviewsState,
      reviews: media.reviews,
      photosState: media.photosState,
      photos: media.photos,
      openingHours: typeof hours === "string" ? null : hours,
      priceRange: read("priceRange") ?? null,
      mapsUrl: cid === null ? null : ownUrl(origin, `/maps?cid=${cid}`),
      observedAt: observedAt.toISOString(),
      language,
      contactsCheckedAt: null,
      enrichmentState: "not_requested",
      contacts: [],
      fieldStates: {},
    };
    const parseFailed = unreadable.flatMap((field) => madeOf[field] ?? field);
    if (hours === "unreadable") parseFailed.push("openingHours");
    if (isAboutUnreadable) parseFailed.push("about", "amenities");
    const notSupplied = [
      ...alwaysThere,
      // Who is rated was rated by somebody.
      ...(place.rating === null || place.reviewCount !== null ? [] : ["reviewCount"]),
      ...(isTrimmed ? trimmable : []),
      ...(extra && !isDetail ? detailOnly : []),
      ...(isDetail ? missingMedia(record, media) : []),
      ...(hours === "partial" ? ["openingHours"] : []),
      ...(typeof hours !== "string" && hours.weekly === null ? ["openingHours.weekly"] : []),
    ];
    return explain(place, reasonsWhy({ extra, notSupplied, parseFailed }));
  };
}

type Lacking = { extra: boolean; notSupplied: readonly string[]; parseFailed: readonly string[] };

// Most records lack the same fields for the same reasons; what is shared is explained once.
const reasonsWhy = memoize(
  ({ extra, notSupplied, parseFailed }: Lacking): Reasons =>
    new Map<string, FieldState>([
      ...notSupplied.map((field) => [field, "not_supplied"] as const),
      ...(extra ? [] : detailOnly).map((field) => [field, "not_requested"] as const),
      ...parseFailed.map((field) => [field, "parse_failed"] as const),
    ]),
  1_000,
  ({ extra, notSupplied, parseFailed }) => `${extra} ${notSupplied.join(" ")}|${parseFailed.join(" ")}`,
);

/** What a trimmed answer may lack although the business has it. */
const trimmable = [
  ..."description hotelClass amenities about phones phone claimed owner website domain rating reviewCount".split(" "),
  ..."reviewUrl priceRange openingHours note businessStatus kgmid knowledgeUrl featuredImageUrl".split(" "),
  ..."category categories address.street address.city address.region address.postalCode".split(" "),
  "address.municipality",
];

function readerOf(fields: Fields, record: WebmapRecord, drift: Drift) {
  const unreadable: FieldName[] = [];
  const read = <Name extends FieldName>(name: Name): ReturnType<Fields[Name]["read"]> => {
    const { value, place } = findField<unknown>(record, fields[name]);
    if (place === "unreadable") unreadable.push(name);
    drift.count(name, place);
    return value as ReturnType<Fields[Name]["read"]>; // this field's own reader made it
  };
  return { read, unreadable };
}

/** The second half of a data id as a decimal text: it exceeds what a JSON number holds. */
function cidOf(dataId: string): string {
  return BigInt(dataId.slice(dataId.indexOf(":") + 1)).toString();
}

function locationOf(latitude: number | undefined, longitude: number | undefined): Place["location"] {
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

function timeZoneAt(location: Place["location"]): string | null {
  return location && tzLookup(location.latitude, location.longitude);
}

/** Numbers as one dials them from abroad, where the answer has such; the main one first. */
function phonesOf(record: WebmapRecord, main: string | undefined, countryCode: string | null): string[] {
  if (main === undefined) return [];
  const readPhone = text(128);
  const all = [
    main,
    ...listAt(record, [178, 0, 1])
      .slice(0, 100)
      .flatMap((entry) => readPhone(at(entry, [0])) ?? []),
  ];
  const international = all.filter((phone) => /^\+\d/.test(phone));
  // One number may stand there with and without spaces.
  const byDigits = new Map(international.map((phone) => [phone.replaceAll(/\D/g, ""), phone]));
  if (byDigits.size > 0) return [...byDigits.values()];
  const read = readPhones(all, countryCode).map(formatPhone);
  return read.length > 0 ? read : [main];
}

function websiteOf(website: string | undefined): string | null {
  return website === undefined ? null : readWebsite(website);
}

function claimedOf(claimLink: string | undefined, ownerId: string | undefined): boolean | null {
  if (claimLink !== undefined) return false;
  return ownerId === undefined ? null : true;
}

function ownerOf(origin: string | null, id: string | undefined, name: string | undefined): Place["owner"] {
  if (id === undefined && name === undefined) return null;
  return {
    id: id ?? null,
    name: name ?? null,
    profileUrl: id === undefined ? null : ownUrl(origin, `/maps/contrib/${id}`),
  };
}

/** An address on the map itself; what comes after its origin holds ids alone, which need no escapes. */
function ownUrl(origin: string | null, path: string): string | null {
  return origin === null ? null : origin + path;
}

function originOf(base: string): string | null {
  const url = URL.parse("/", base);
  const uri = url && toUri(url);
  return uri === null ? null : uri.slice(0, -1);
}
