import { memoize } from "../../platform/memoize.ts";
import { explain } from "../explain.ts";
import type { FieldState, Reasons } from "../field-states.ts";
import type { Place } from "../place.ts";
import { neverInCatalog, neverWithoutAreas, onlyInOwnTables } from "../never-filled.ts";
import type { PlaceRecord } from "../record.ts";

/** Fields that Overture's places do not have either. */
const notInOverture = "description hotelClass amenities about owner featuredImageUrl openingHours".split(" ");

const unreadableFields = { phones: ["phone", "phones"], website: ["website", "domain"] } as const;

/** Says in a listing just rendered why each empty field is empty. */
export function explainOpenData(place: Place, { sourceId, details }: PlaceRecord, hasAreas: boolean): Place {
  const { unreadable = [] } = details;
  const inTable = onlyInOwnTables.filter((field) => field in details);
  return explain(place, reasonsOf({ isOverture: sourceId.startsWith("overture:"), hasAreas, unreadable, inTable }));
}

type Case = {
  isOverture: boolean;
  hasAreas: boolean;
  unreadable: readonly (keyof typeof unreadableFields)[];
  /** What the record's own table has a column for. */
  inTable: readonly string[];
};

// Most records have the same reasons.
const reasonsOf = memoize(
  ({ isOverture, hasAreas, unreadable, inTable }: Case): Reasons => {
    const never = hasAreas ? [...neverInCatalog, ...onlyInOwnTables] : neverWithoutAreas;
    const unsupported = [...never, ...(isOverture ? notInOverture : [])].filter((field) => !inTable.includes(field));
    return new Map<string, FieldState>([
      ["address.municipality", "not_supplied"],
      ...unsupported.map((field) => [field, "not_supported"] as const),
      // Hours that hold in some months only are not a week's; the text of them is there.
      ["openingHours.weekly", "parse_failed"],
      ...unreadable.flatMap((field) => unreadableFields[field].map((each) => [each, "parse_failed"] as const)),
    ]);
  },
  1_000,
  ({ isOverture, hasAreas, unreadable, inTable }) =>
    `${isOverture} ${hasAreas} ${unreadable.join(" ")} ${inTable.join(" ")}`,
);
