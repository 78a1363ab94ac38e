import { otherIds, type Place } from "../../place.ts";
import { mergeRecords } from "../../open-data/merge.ts";
import type { PlaceRecord } from "../../open-data/record.ts";
import { renderPlace } from "../../open-data/render.ts";
import type { Areas } from "./areas.ts";
import type { FoundRecord } from "./store.ts";

/** What a listing says besides its records. */
type Surroundings = { areas: Areas; importTimes: ReadonlyMap<number, Date> };

/** The listing of the records of one place, the leading one first; undefined when there are none. */
export function listingOf(
  [lead, ...others]: readonly FoundRecord[],
  hl: string,
  { areas, importTimes }: Surroundings,
): Place | undefined {
  const observedAt = lead && importTimes.get(lead.dataSetId);
  if (!observedAt) return undefined;
  const record = others.length === 0 ? lead.record : mergeFound([lead, ...others]);
  const within = { ...areas.addressAt(record, lead.areas, lead.countryCode), countryCode: lead.countryCode };
  const listing = renderPlace(record, { hl, observedAt, within });
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
