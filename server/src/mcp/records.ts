import type { Static } from "typebox";
import { Type } from "../platform/schema.ts";
import { Business } from "../domains/businesses/index.ts";
import { cutLongTexts } from "./untrusted-text.ts";

const { place: Place } = Business.properties;
type Field = keyof typeof Place.properties;
const fieldNames = Object.keys(Place.properties) as Field[]; // the keys of this very object

/** What tells one business from another and reaches it; everything else comes when `fields` names it. */
const defaultFields = ["name", "category", "address", "phone", "website", "rating", "reviewCount"] as const;

export const Fields = Type.Array(Type.Enum(fieldNames), {
  minItems: 1,
  maxItems: fieldNames.length,
  uniqueItems: true,
});
export type Fields = Static<typeof Fields>;

/** A page of stored results, each record trimmed. */
export function trimPage<Page extends { recordTexts: readonly string[] }>(
  { recordTexts, ...rest }: Page,
  fields: Fields | undefined,
) {
  const records = recordTexts.map((text) => trimRecord(JSON.parse(text) as Business, fields)); // stored by us
  return { records, ...rest };
}

/** A business as agents get it: one level, without empty fields, long texts cut. */
export function trimRecord({ businessId: id, place }: Business, fields: Fields | undefined): object {
  const picked = fields ? fields.map((name) => [name, place[name]] as const) : defaultsOf(place);
  return { businessId: id, ...withoutEmpty(cutLongTexts(Object.fromEntries(picked)) as object) };
}

function defaultsOf(place: Business["place"]) {
  return defaultFields.map((name) =>
    name === "address" ? ([name, { formatted: place.address.formatted }] as const) : ([name, place[name]] as const),
  );
}

/** Without what says nothing: null, empty lists and objects that are empty after that. */
function withoutEmpty(data: object): object {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
      const kept: unknown = isObject(value) ? withoutEmpty(value) : value;
      return isEmpty(kept) ? [] : [[name, kept]];
    }),
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
