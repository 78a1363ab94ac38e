import { explain } from "../explain.ts";
import type { FieldState, Reasons } from "../field-states.ts";
import type { Place } from "../place.ts";
import { neverInOpenData, neverWithoutAreas } from "../never-filled.ts";
import type { PlaceRecord } from "../record.ts";

/** Fields that Overture's places do not have either. */
const notInOverture = "description hotelClass amenities about owner featuredImageUrl openingHours".split(" ");

const unreadableFields = { phones: ["phone", "phones"], website: ["website", "domain"] } as const;

/** Why fields are empty, and the explanations made from that, by which fields are. */
type Case = { reasons: Reasons; explanations: Map<number, Place["fieldStates"]> };

// Most records have the same reasons; explanations are shared by those that do.
const cases = new Map<string, Case>();
const explanationsMax = 1_000;

/** Says in a listing just rendered why each empty field is empty. */
export function explainOpenData(place: Place, record: PlaceRecord, hasAreas: boolean): Place {
  const { reasons, explanations } = caseOf(record, hasAreas);
  const key = emptinessOf(place);
  const known = explanations.get(key);
  if (known) {
    place.fieldStates = known;
    return place;
  }
  explain(place, reasons);
  if (explanations.size >= explanationsMax) explanations.clear();
  explanations.set(key, place.fieldStates);
  return place;
}

/**
 * A bit for each field that is empty in some listings and not in others. The other fields of a listing are the same
 * in all of them, or empty when one of these is: to look at all of them by name takes four times as long.
 */
function emptinessOf(place: Place): number {
  const { address, openingHours } = place;
  return (
    bit(place.name, 0) |
    bit(place.description, 1) |
    bit(place.timeZone, 2) |
    bit(place.hotelClass, 3) |
    bitOfList(place.amenities, 4) |
    bitOfList(place.about, 5) |
    bitOfList(place.phones, 6) |
    bit(place.owner, 7) |
    bit(place.knowledgeUrl, 8) |
    bit(place.featuredImageUrl, 9) |
    bit(place.businessStatus, 10) |
    bitOfList(place.categories, 11) |
    bit(place.website, 12) |
    bit(place.domain, 13) |
    bitOfList(place.emails, 14) |
    bitOfList(place.socialProfiles, 15) |
    bit(address.formatted, 16) |
    bit(address.street, 17) |
    bit(address.city, 18) |
    bit(address.region, 19) |
    bit(address.postalCode, 20) |
    bit(address.countryCode, 21) |
    bit(address.municipality, 22) |
    bit(openingHours, 23) |
    bit(openingHours?.weekly, 24) |
    bit(openingHours?.raw, 25)
  );
}

function bit(value: unknown, position: number): number {
  return value === null ? 1 << position : 0;
}

function bitOfList(values: readonly unknown[], position: number): number {
  return values.length === 0 ? 1 << position : 0;
}

function caseOf({ sourceId, details }: PlaceRecord, hasAreas: boolean): Case {
  const { unreadable = [] } = details;
  const isOverture = sourceId.startsWith("overture:");
  const key = `${isOverture} ${hasAreas} ${unreadable.join(" ")}`;
  let known = cases.get(key);
  if (!known) {
    const never = hasAreas ? neverInOpenData : neverWithoutAreas;
    const unsupported = isOverture ? [...never, ...notInOverture] : never;
    const reasons = new Map<string, FieldState>([
      ["address.municipality", "not_supplied"],
      ...unsupported.map((field) => [field, "not_supported"] as const),
      // Hours that hold in some months only are not a week's; the text of them is there.
      ["openingHours.weekly", "parse_failed"],
      ...unreadable.flatMap((field) => unreadableFields[field].map((each) => [each, "parse_failed"] as const)),
    ]);
    cases.set(key, (known = { reasons, explanations: new Map() }));
  }
  return known;
}
