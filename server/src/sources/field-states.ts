import type { Place } from "./place.ts";

/** Why a field is null or empty. */
export const fieldStates = ["absent", "not_supplied", "not_supported", "parse_failed", "not_requested"] as const;
export type FieldState = (typeof fieldStates)[number];

/** Why fields are empty, by field. */
export type Reasons = ReadonlyMap<string, FieldState>;

// Most places lack the same fields for the same reasons, so each such explanation is made once and
// shared by all that it holds for.
const explanations = new WeakMap<Reasons, Map<string, Place["fieldStates"]>>();
const explanationsMax = 1_000;

/**
 * Says in a place just made why each empty field is empty: nobody requested it, the reason given, or
 * that the business has none.
 */
export function explain(place: Place, reasons: Reasons): Place {
  const { reviewsState, photosState, enrichmentState } = place;
  const empty = emptyFields(place);
  const key = `${reviewsState} ${photosState} ${enrichmentState} ${empty.join(" ")}`;
  const known = explanations.get(reasons) ?? new Map<string, Place["fieldStates"]>();
  explanations.set(reasons, known);
  let states = known.get(key);
  if (!states) {
    const stateFor = (field: string): FieldState =>
      wasNotRequested(place, field) ? "not_requested" : (reasons.get(field) ?? "absent");
    states = Object.freeze(Object.fromEntries(empty.map((field) => [field, stateFor(field)])));
    if (known.size >= explanationsMax) known.clear();
    known.set(key, states);
  }
  place.fieldStates = states;
  return place;
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

/** The state that says whether a field was requested at all. */
const stateOf: ReadonlyMap<string, "reviewsState" | "photosState" | "enrichmentState"> = new Map([
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
