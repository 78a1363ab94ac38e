import { memoize, memoizeByObject } from "../platform/memoize.ts";
import type { FieldState, Reasons } from "./field-states.ts";
import { Place } from "./place.ts";

type Explanation = Place["fieldStates"];

const ownFields = Object.keys(Place.properties);
const { address, owner, openingHours } = Place.properties;
const addressFields = Object.keys(address.properties);
const ownerFields = Object.keys(owner.anyOf[0].properties);
const hoursFields = Object.keys(openingHours.anyOf[0].properties);

/**
 * Says in a place just made why each empty field is empty: nobody requested it, the reason given, or
 * that the business has none.
 */
export function explain(place: Place, reasons: Reasons): Place {
  place.fieldStates = explanationsFor(reasons)(place);
  return place;
}

// Most places lack the same fields for the same reasons, so each such explanation is made once and
// shared by all that it holds for.
const explanationsFor = memoizeByObject((reasons: Reasons) =>
  memoize(
    (place: Place) => stateFields(place, reasons),
    1_000,
    (place) => `${emptinessOf(place, ownFields)} ${partsOf(place)}`,
  ),
);

/** Some fields of a place, as far as it matters whether they are empty. */
type Fields = { address?: object; owner?: object | null; openingHours?: object | null };

/** The one reason for everything that is empty here. */
export function reasonsFor(fields: Fields, state: FieldState): Reasons {
  return new Map(emptyFields(fields).map((field) => [field, state]));
}

function stateFields(place: Place, reasons: Reasons): Explanation {
  const stateFor = (field: string): FieldState =>
    wasNotRequested(place, field) ? "not_requested" : (reasons.get(field) ?? "absent");
  return Object.freeze(Object.fromEntries(emptyFields(place).map((field) => [field, stateFor(field)])));
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

function addEmpty(names: string[], prefix: string, fields: object | null | undefined): void {
  if (!fields) return;
  for (const key of Object.keys(fields)) if (isEmpty(Reflect.get(fields, key))) names.push(prefix + key);
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Which of up to 52 fields are empty, a bit each: naming them costs more than the rest of a listing's explanation. */
function emptinessOf(fields: Readonly<Record<string, unknown>>, names: readonly string[]): number {
  let bits = 0;
  let bit = 1;
  for (const name of names) {
    if (isEmpty(fields[name])) bits += bit;
    bit *= 2;
  }
  return bits;
}

/** What an explanation depends on besides the place's own fields: those of its parts, and what was requested. */
function partsOf(place: Place): number {
  let bits = emptinessOf(place.address, addressFields);
  bits = bits * 2 ** ownerFields.length + (place.owner ? emptinessOf(place.owner, ownerFields) : 0);
  bits = bits * 2 ** hoursFields.length + (place.openingHours ? emptinessOf(place.openingHours, hoursFields) : 0);
  for (const state of requestStates) bits = bits * 2 + (place[state] === "not_requested" ? 1 : 0);
  return bits;
}

const requestStates = ["reviewsState", "photosState", "enrichmentState"] as const;

/** The state that says whether a field was requested at all. */
const stateOf: ReadonlyMap<string, (typeof requestStates)[number]> = new Map([
  ["reviews", "reviewsState"],
  ["photos", "photosState"],
  ["emails", "enrichmentState"],
  ["socialProfiles", "enrichmentState"],
  ["contacts", "enrichmentState"],
  ["contactsCheckedAt", "enrichmentState"],
]);

function wasNotRequested(place: Place, field: string): boolean {
  const state = stateOf.get(field);
  return state !== undefined && place[state] === "not_requested";
}
