import { memoize } from "../../platform/memoize.ts";
import { explain } from "../explain.ts";
import type { FieldState, Reasons } from "../field-states.ts";
import type { Place } from "../place.ts";
import { neverInOpenData, neverWithoutAreas } from "../never-filled.ts";
import type { PlaceRecord } from "../record.ts";

/** Fields that Overture's places do not have either. */
const notInOverture = "description hotelClass amenities about owner featuredImageUrl openingHours".split(" ");

const unreadableFields = { phones: ["phone", "phones"], website: ["website", "domain"] } as const;

/** Says in a listing just rendered why each empty field is empty. */
export function explainOpenData(place: Place, { sourceId, details }: PlaceRecord, hasAreas: boolean): Place {
  const { unreadable = [] } = details;
  return explain(place, reasonsOf({ isOverture: sourceId.startsWith("overture:"), hasAreas, unreadable }));
}

type Case = { isOverture: boolean; hasAreas: boolean; unreadable: readonly (keyof typeof unreadableFields)[] };

// Most records have the same reasons.
const reasonsOf = memoize(
  ({ isOverture, hasAreas, unreadable }: Case): Reasons => {
    const never = hasAreas ? neverInOpenData : neverWithoutAreas;
    const unsupported = isOverture ? [...never, ...notInOverture] : never;
    return new Map<string, FieldState>([
      ["address.municipality", "not_supplied"],
      ...unsupported.map((field) => [field, "not_supported"] as const),
      // Hours that hold in some months only are not a week's; the text of them is there.
      ["openingHours.weekly", "parse_failed"],
      ...unreadable.flatMap((field) => unreadableFields[field].map((each) => [each, "parse_failed"] as const)),
    ]);
  },
  1_000,
  ({ isOverture, hasAreas, unreadable }) => `${isOverture} ${hasAreas} ${unreadable.join(" ")}`,
);
