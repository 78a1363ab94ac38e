import { memoize } from "../../platform/memoize.ts";
import { explain } from "../explain.ts";
import type { FieldState, Reasons } from "../field-states.ts";
import type { Place } from "../place.ts";
import { neverInCatalog, neverWithoutAreas, onlyInOwnTables } from "../never-filled.ts";
import type { PlaceRecord } from "../record.ts";

/** Fields that the places of some publishers do not have either. */
const lacking = "description hotelClass amenities about owner knowledgeUrl featuredImageUrl openingHours".split(" ");
const lackingThem = /^(?:overture|foursquare):/;

const unreadableFields = { phones: ["phone", "phones"], website: ["website", "domain"] } as const;

/** Says in a listing just rendered why each empty field is empty. */
export function explainOpenData(place: Place, { sourceId, details }: PlaceRecord, hasAreas: boolean): Place {
  const { unreadable = [] } = details;
  const inTable = onlyInOwnTables.filter((field) => field in details);
  return explain(place, reasonsOf({ isLacking: lackingThem.test(sourceId), hasAreas, unreadable, inTable }));
}

type Case = {
  isLacking: boolean;
  hasAreas: boolean;
  unreadable: readonly (keyof typeof unreadableFields)[];
  /** What the record's own table has a column for. */
  inTable: readonly string[];
};

// Most records have the same reasons.
const reasonsOf = memoize(
  ({ isLacking, hasAreas, unreadable, inTable }: Case): Reasons => {
    const never = hasAreas ? [...neverInCatalog, ...onlyInOwnTables] : neverWithoutAreas;
    const unsupported = [...never, ...(isLacking ? lacking : [])].filter((field) => !inTable.includes(field));
    return new Map<string, FieldState>([
      ["address.municipality", "not_supplied"],
      ...unsupported.map((field) => [field, "not_supported"] as const),
      // Hours that hold in some months only are not a week's; the text of them is there.
      ["openingHours.weekly", "parse_failed"],
      ...unreadable.flatMap((field) => unreadableFields[field].map((each) => [each, "parse_failed"] as const)),
    ]);
  },
  1_000,
  ({ isLacking, hasAreas, unreadable, inTable }) =>
    `${isLacking} ${hasAreas} ${unreadable.join(" ")} ${inTable.join(" ")}`,
);
