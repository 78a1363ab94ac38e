import type { Place } from "./place.ts";

export type FieldState = "absent" | "not_supplied" | "not_supported" | "parse_failed";

/** Why fields are empty, by field. */
export type Reasons = ReadonlyMap<string, FieldState>;

/** Tells for each empty field why it is: the reason given, or that the business simply has none. */
export function explain(place: Place, reasons: Reasons): Place {
  const fieldStates: Record<string, FieldState> = {};
  for (const field of emptyFields(place)) {
    if (!wasNotRequested(place, field)) fieldStates[field] = reasons.get(field) ?? "absent";
  }
  return { ...place, fieldStates };
}

/** Some fields of a place, as far as it matters whether they are empty. */
type Fields = { address?: object; owner?: object | null; openingHours?: object | null };

/** The one reason for everything that is empty here. */
export function reasonsFor(fields: Fields, state: FieldState): Reasons {
  return new Map(emptyFields(fields).map((field) => [field, state]));
}

/** Names a part of an address, an owner or opening hours as `address.region`. */
function emptyFields(fields: Fields): string[] {
  const names: string[] = [];
  addEmpty(names, "", fields);
  addEmpty(names, "address.", fields.address);
  addEmpty(names, "owner.", fields.owner);
  addEmpty(names, "openingHours.", fields.openingHours);
  return names;
}

/** A loop and no lists of pairs: each listing of each answer goes through here. */
function addEmpty(names: string[], prefix: string, fields: object | null | undefined): void {
  if (!fields) return;
  for (const key of Object.keys(fields)) if (isEmpty(Reflect.get(fields, key))) names.push(prefix + key);
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

const enrichedFields = new Set(["emails", "socialProfiles", "contacts", "contactsCheckedAt"]);

function wasNotRequested(place: Place, field: string): boolean {
  if (field === "reviews") return place.reviewsState === "not_requested";
  if (field === "photos") return place.photosState === "not_requested";
  return enrichedFields.has(field) && place.enrichmentState === "not_requested";
}
