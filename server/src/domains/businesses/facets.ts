import { memoizeByObject } from "../../platform/memoize.ts";
import { hash } from "node:crypto";
import { canonicalJson } from "../../platform/canonical-json.ts";
import type { Place } from "../../places/place.ts";

/**
 * A business is stored in facets, because searches do not all request the same:
 *
 * - `base`: what is true in any language.
 * - `text/<language>`: the text in the language of the search, one facet for each.
 * - `listed`: e-mails and profiles as the source has them, without reading the website.
 * - `contacts`: the same with what the website gave.
 * - `reviews/<language>` and `photos`, when they were requested and returned.
 *
 * Listings of a web map have facets of their own beside those of open data, under `map/`, so that a
 * business which both list does not change with every search on the other.
 *
 * A facet is compared with itself only, so that a search in another language, or for less, changes
 * nothing. Times and states of a search, and relative dates of reviews, are in no fingerprint.
 */
export type Facet = { name: string; fingerprint: string; content(): Partial<Place> };

export type Content = Record<string, Partial<Place>>;

/** Which facet compares a field. Every field of the record is here: the compiler asks for a new one. */
type FieldFacet = "base" | "text" | "contacts" | "reviews" | "photos" | "none";

const facetByField = {
  placeId: "base",
  cid: "base",
  dataId: "base",
  plusCode: "base",
  timeZone: "base",
  hotelClass: "base",
  phones: "base",
  claimed: "base",
  owner: "base",
  kgmid: "base",
  knowledgeUrl: "base",
  featuredImageUrl: "base",
  businessStatus: "base",
  location: "base",
  phone: "base",
  website: "base",
  domain: "base",
  rating: "base",
  reviewCount: "base",
  openingHours: "base",
  name: "text",
  description: "text",
  note: "text",
  category: "text",
  categories: "text",
  amenities: "text",
  about: "text",
  address: "text",
  priceRange: "text",
  // Web maps write the language into the addresses of their pages.
  reviewUrl: "text",
  mapsUrl: "text",
  emails: "contacts",
  socialProfiles: "contacts",
  contacts: "contacts",
  contactsCheckedAt: "contacts",
  reviews: "reviews",
  photos: "photos",
  // Times and states of one search say nothing about the business.
  observedAt: "none",
  language: "none",
  enrichmentState: "none",
  reviewsState: "none",
  photosState: "none",
  fieldStates: "none",
} as const satisfies Record<Exclude<keyof Place, symbol>, FieldFacet>;

type FieldOf<Name extends FieldFacet> = {
  [Field in keyof typeof facetByField]: (typeof facetByField)[Field] extends Name ? Field : never;
}[keyof typeof facetByField];

const baseFields = fieldsOf("base");
const textFields = fieldsOf("text");

const openingHoursAt = baseFields.indexOf("openingHours");
const aboutAt = textFields.indexOf("about");

// A listing is compared more than once, and those of the catalog come again in other answers.
export const facetsOf = memoizeByObject((place: Place): Facet[] => [
  baseFacet(place),
  textFacet(place),
  contactsFacet(place),
  ...mediaFacets(place),
]);

/** Those that say what was added to a place of the catalog. */
export function addedFacets(place: Place): Facet[] {
  const contacts = place.enrichmentState === "not_requested" ? [] : [contactsFacet(place)];
  return [...contacts, ...mediaFacets(place)];
}

function mediaFacets(place: Place): Facet[] {
  return [
    ...(wasReturned(place.reviewsState) ? [reviewsFacet(place)] : []),
    ...(wasReturned(place.photosState) ? [photosFacet(place)] : []),
  ];
}

/** The field's last known value, from whichever facet has it. */
export function knownValue(content: Content, place: Place, field: string): unknown {
  const own = kindOf(place);
  const names = [own, ...kinds.filter((kind) => kind !== own)].flatMap((kind) => [
    `${kind}base`,
    textName(place, kind),
  ]);
  const facets: Partial<Record<string, unknown>>[] = names.map((name) => content[name] ?? {});
  return facets.map((facet) => facet[field]).find((value) => value !== undefined && value !== null);
}

// Most listings are known and unchanged. What they cost is their fingerprints: so only values go
// into them, in the order of the fields, and the content is put together when there is news.

function fieldsOf<Name extends FieldFacet>(name: Name): FieldOf<Name>[] {
  const fields = Object.keys(facetByField) as (keyof typeof facetByField)[];
  return fields.filter((field): field is FieldOf<Name> => facetByField[field] === name);
}

function baseFacet(place: Place): Facet {
  const lasting: unknown[] = baseFields.map((field) => place[field]);
  // The hours as text are in some language; as a table they are in none.
  lasting[openingHoursAt] = place.openingHours?.weekly ?? null;
  return { name: `${kindOf(place)}base`, fingerprint: print(lasting), content: () => pick(place, baseFields) };
}

function textFacet(place: Place): Facet {
  const lasting: unknown[] = textFields.map((field) => place[field]);
  lasting[aboutAt] = place.about.map(({ category, options }) => [category, canonicalJson(options)]);
  lasting.push(place.openingHours?.raw ?? null);
  return { name: textName(place, kindOf(place)), fingerprint: print(lasting), content: () => pick(place, textFields) };
}

function contactsFacet(place: Place): Facet {
  const { emails, socialProfiles, contacts, contactsCheckedAt } = place;
  const seen = contacts.map(({ type, value, sourceUrl }) => [type, value, sourceUrl]);
  const fingerprint = print([emails, socialProfiles, seen]);
  if (place.enrichmentState === "not_requested") {
    return { name: `${kindOf(place)}listed`, fingerprint, content: () => ({ emails, socialProfiles }) };
  }
  const content = () => ({ emails, socialProfiles, contacts, contactsCheckedAt });
  return { name: `${kindOf(place)}contacts`, fingerprint, content };
}

function reviewsFacet({ reviews, language }: Place): Facet {
  const lasting = reviews.map((review) => ({ ...review, position: null, publishedText: null }));
  return { name: `reviews/${languageName(language)}`, fingerprint: print(lasting), content: () => ({ reviews }) };
}

function photosFacet({ photos }: Place): Facet {
  const lasting = photos.map((photo) => ({ ...photo, position: null }));
  return { name: "photos", fingerprint: print(lasting), content: () => ({ photos }) };
}

/** What facets of open data and of a web map begin with. */
const kinds = ["", "map/"] as const;
type Kind = (typeof kinds)[number];

/** Only a web map has data ids. */
export function kindOf({ dataId }: Place): Kind {
  return dataId === null ? "" : "map/";
}

/** Whether a field belongs to what is always known of a business, and not to what comes with `extra`. */
export function isLasting(field: string): boolean {
  return lastingFields.has(field);
}

const lastingFields: ReadonlySet<string> = new Set([...baseFields, ...textFields]);

function textName({ language }: Place, kind: Kind): string {
  return `${kind}text/${languageName(language)}`;
}

function languageName(language: string | null): string {
  return language?.toLowerCase() ?? "";
}

function wasReturned(state: Place["reviewsState"]): boolean {
  return state === "returned" || state === "truncated_by_schema";
}

function pick<Field extends keyof Place>(place: Place, fields: readonly Field[]): Pick<Place, Field> {
  const picked: Partial<Pick<Place, Field>> = {};
  for (const field of fields) picked[field] = place[field];
  return picked as Pick<Place, Field>; // every field was put in
}

function print(content: unknown): string {
  return hash("sha256", JSON.stringify(content), "base64url").slice(0, 22);
}
