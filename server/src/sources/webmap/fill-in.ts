import { withKnownFields } from "../../places/known-fields.ts";
import type { Place } from "../../places/place.ts";

/** A listing made of a place's details; what could not be read there, or was withheld, is as the search answer has it. */
export function fillIn(detailed: Place, searched: Place): Place {
  return withKnownFields(detailed, {
    isMissing: (_, state) => state === "parse_failed" || state === "not_supplied",
    valueOf: (field) => Reflect.get(searched, field) as unknown,
  });
}
