import type { Business } from "../../businesses/index.ts";
import { emailsText, hoursText, phoneText, profilesText } from "./cells-for-people.ts";

/**
 * What a cell holds. A list is a list of texts; json is anything deeper, which formats without
 * nesting write as JSON text.
 */
export type ColumnType = "text" | "integer" | "number" | "boolean" | "timestamp" | "list" | "json";

export type Column = {
  name: string;
  type: ColumnType;
  read(business: Business): unknown;
  /** What csv and xlsx write instead, where a spreadsheet would damage the value. */
  readForSpreadsheet?(business: Business): unknown;
};

/**
 * The preset `all`: every field of a record. Names and order are a promise
 * (docs/reference/export-columns.md): new columns come last, none is renamed.
 */
export const allColumns: readonly Column[] = [
  column("businessId", "text", ({ businessId }) => businessId),
  column("revision", "integer", ({ revision }) => revision),
  ofPlace("name", "text"),
  ofPlace("category", "text"),
  ofPlace("categories", "list"),
  ofPlace("businessStatus", "text"),
  ofPlace("description", "text"),
  column("addressFormatted", "text", ({ place }) => place.address.formatted),
  column("addressStreet", "text", ({ place }) => place.address.street),
  column("addressCity", "text", ({ place }) => place.address.city),
  column("addressRegion", "text", ({ place }) => place.address.region),
  column("addressPostalCode", "text", ({ place }) => place.address.postalCode),
  column("addressCountryCode", "text", ({ place }) => place.address.countryCode),
  column("addressMunicipality", "text", ({ place }) => place.address.municipality),
  column("latitude", "number", ({ place }) => place.location?.latitude),
  column("longitude", "number", ({ place }) => place.location?.longitude),
  ofPlace("plusCode", "text"),
  ofPlace("timeZone", "text"),
  {
    ...ofPlace("phone", "text"),
    readForSpreadsheet: ({ place }) => phoneText(place.phone, place.address.countryCode),
  },
  ofPlace("phones", "list"),
  ofPlace("website", "text"),
  ofPlace("domain", "text"),
  ofPlace("emails", "list"),
  ofPlace("socialProfiles", "list"),
  ofPlace("rating", "number"),
  ofPlace("reviewCount", "integer"),
  ofPlace("priceRange", "text"),
  ofPlace("hotelClass", "number"),
  ofPlace("amenities", "list"),
  ofPlace("about", "json"),
  ofPlace("openingHours", "json"),
  ofPlace("claimed", "boolean"),
  column("ownerId", "text", ({ place }) => place.owner?.id),
  column("ownerName", "text", ({ place }) => place.owner?.name),
  column("ownerProfileUrl", "text", ({ place }) => place.owner?.profileUrl),
  ofPlace("placeId", "text"),
  ofPlace("cid", "text"),
  ofPlace("dataId", "text"),
  ofPlace("kgmid", "text"),
  ofPlace("knowledgeUrl", "text"),
  ofPlace("reviewUrl", "text"),
  ofPlace("featuredImageUrl", "text"),
  ofPlace("mapsUrl", "text"),
  ofPlace("note", "text"),
  ofPlace("reviewsState", "text"),
  ofPlace("reviews", "json"),
  ofPlace("photosState", "text"),
  ofPlace("photos", "json"),
  ofPlace("enrichmentState", "text"),
  ofPlace("contacts", "json"),
  ofPlace("contactsCheckedAt", "timestamp"),
  ofPlace("observedAt", "timestamp"),
  ofPlace("language", "text"),
  ofPlace("fieldStates", "json"),
  column("schemaVersion", "text", ({ schemaVersion }) => schemaVersion),
];

const networks = ["facebook", "instagram", "linkedin", "x", "youtube", "tiktok"] as const;

/** Columns that only people need: what a record nests or lists, as text of one cell. */
const columnsForPeople: readonly Column[] = [
  column("email", "text", ({ place }) => emailsText(place.emails)),
  ...networks.map((network) => column(network, "text", ({ place }) => profilesText(place.socialProfiles, network))),
  column("otherProfiles", "text", ({ place }) => profilesText(place.socialProfiles, "other")),
  column("hours", "text", ({ place }) => hoursText(place.openingHours)),
];

const columnsByName = new Map([...allColumns, ...columnsForPeople].map((each) => [each.name, each]));

export const columnNames: ReadonlySet<string> = new Set(columnsByName.keys());

/** The preset `people`: what somebody who opens a spreadsheet looks for, in the order of a business card. */
export const peopleColumnNames: readonly string[] = [
  "name",
  "category",
  "addressStreet",
  "addressPostalCode",
  "addressCity",
  "addressRegion",
  "addressCountryCode",
  "phone",
  "website",
  "email",
  ...networks,
  "otherProfiles",
  "hours",
  "rating",
  "reviewCount",
  "latitude",
  "longitude",
  "mapsUrl",
  "businessId",
];

/** The columns of these names, in this order; without names all of them. */
export function columnsOf(names: readonly string[] | null): readonly Column[] {
  return names === null ? allColumns : names.flatMap((name) => columnsByName.get(name) ?? []);
}

/** A business as an object of these columns. */
export function rowOf(columns: readonly Column[], business: Business): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ name, read }) => [name, read(business)]));
}

function ofPlace(name: Exclude<keyof Business["place"], symbol>, type: ColumnType): Column {
  return column(name, type, ({ place }) => place[name]);
}

function column(name: string, type: ColumnType, read: Column["read"]): Column {
  // A field that a record leaves out is as good as null.
  return { name, type, read: (business) => read(business) ?? null };
}
