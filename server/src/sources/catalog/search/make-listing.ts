import { catalogBusiness, otherIds, type Place } from "../../../places/place.ts";
import { mergeRecords } from "../../../places/merge/merge-records.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import { renderPlace } from "../../../places/render/render.ts";
import type { FoundPlace } from "../../../place-index/port.ts";
import type { Addresses } from "./addresses.ts";

/** What a listing says besides its records. */
type Surroundings = { addresses: Addresses; importTimes: ReadonlyMap<number, Date> };

/** A record of a place, and where it is from. */
export type FoundRecord = { dataSetId: number; countryCode: string; areas: readonly string[]; record: PlaceRecord };

export function recordsOf({ records }: FoundPlace): FoundRecord[] {
  return records.map(([dataSetId, countryCode, areas, record]) => ({
    dataSetId,
    countryCode,
    areas,
    record: record as PlaceRecord, // as an import wrote it
  }));
}

/** The listing of a place; undefined for one whose data set is gone meanwhile. */
export function listingOf(found: FoundPlace, hl: string, { addresses, importTimes }: Surroundings): Place | undefined {
  const [lead, ...others] = recordsOf(found);
  const observedAt = lead && importTimes.get(lead.dataSetId);
  if (!observedAt) return undefined;
  const record = others.length === 0 ? lead.record : mergeFound([lead, ...others]);
  const within = { ...addresses.addressAt(record, lead, hl), countryCode: lead.countryCode };
  const listing = renderPlace(record, { hl, observedAt, within });
  listing[catalogBusiness] = { id: found.businessId, revision: found.revision };
  if (others.length > 0) {
    listing.placeId = lead.record.sourceId;
    listing[otherIds] = others.map((other) => other.record.sourceId);
  }
  return listing;
}

/** The record that was there first gives the place its id; OpenStreetMap's says what it is like. */
function mergeFound(found: readonly [FoundRecord, ...FoundRecord[]]): PlaceRecord {
  const [main = found[0], ...rest] = found.toSorted((a, b) => Number(isOsm(b)) - Number(isOsm(a)));
  return mergeRecords([main.record, ...rest.map((other) => other.record)]);
}

function isOsm({ record }: FoundRecord): boolean {
  return record.sourceId.startsWith("osm:");
}
