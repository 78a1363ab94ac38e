import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "./explain.ts";
import { Place } from "./place.ts";

const { address, owner, openingHours } = Place.properties;
const parts = {
  address: Object.keys(address.properties),
  owner: Object.keys(owner.anyOf[0].properties),
  openingHours: Object.keys(openingHours.anyOf[0].properties),
};
const fields = [
  ...Object.keys(Place.properties).filter((field) => field !== "address" && !field.endsWith("State")),
  ...Object.entries(parts).flatMap(([part, keys]) => keys.map((key) => `${part}.${key}`)),
];

test("each field of a place and of its parts is explained, alone and with any other", () => {
  const reasons = new Map();
  for (const first of fields) {
    for (const second of fields) {
      const place = explain(placeWithout(first, second), reasons);
      // The fields of an empty part have no state.
      const named = [first, second].filter((field) => !field.includes(".") || ![first, second].includes(partOf(field)));
      assert.deepEqual(new Set(Object.keys(place.fieldStates)), new Set(named), `${first} ${second}`);
    }
  }
});

test("what was requested and came empty is explained otherwise than what was not requested", () => {
  const reasons = new Map();
  const stateOf = (enrichmentState: Place["enrichmentState"]) =>
    Reflect.get(explain({ ...placeWithout("emails"), enrichmentState }, reasons).fieldStates, "emails");

  assert.equal(stateOf("not_requested"), "not_requested");
  assert.equal(stateOf("done"), "absent");
  assert.equal(stateOf("not_requested"), "not_requested");
});

/** A place with something in every field but these. */
function placeWithout(...empty: string[]): Place {
  const filled = (keys: readonly string[], prefix = "") =>
    Object.fromEntries(keys.map((key) => [key, empty.includes(prefix + key) ? null : "something"]));
  const place: Record<string, unknown> = filled(Object.keys(Place.properties));
  for (const [part, keys] of Object.entries(parts)) if (place[part]) place[part] = filled(keys, `${part}.`);
  return place as Place; // only whether a field is empty counts here
}

function partOf(field: string): string {
  return field.slice(0, field.indexOf("."));
}
