import { catalogBusiness, otherIds, type Place } from "../../../places/place.ts";
import { mergeRecords } from "../../../places/merge/merge-records.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import { renderPlace } from "../../../places/render/render.ts";
import type { Areas } from "./areas.ts";
import type { Listings } from "./listings.ts";
import type { RecordCache } from "./record-cache.ts";
import type { FoundRecord } from "./store.ts";

/** What a listing says besides its records. */
type Surroundings = { areas: Areas; importTimes: ReadonlyMap<number, Date> };
/** What a process keeps of one generation. */
type Memory = Surroundings & { listings: Listings; records: RecordCache | undefined };

/** The listings of these places that memory has, or can make; undefined for a place that was closed after it was found. */
export function listFromMemory(memory: Memory, numbers: readonly number[], hl: string): Map<number, Place | undefined> {
  const listings = new Map<number, Place | undefined>();
  const unknown: number[] = [];
  for (const number of numbers) {
    const known = memory.listings.find(number, hl);
    if (known) listings.set(number, known);
    else unknown.push(number);
  }
  for (const [number, records] of memory.records?.find(unknown) ?? []) {
    const listing = listingOf(records, hl, memory);
    if (listing) memory.listings.keepIfAgain(number, hl, listing);
    listings.set(number, listing);
  }
  return listings;
}

/** Makes the listing of a place and keeps it; undefined when there are no records. */
export function makeListing(memory: Memory, number: number, found: readonly FoundRecord[] | undefined, hl: string) {
  const listing = listingOf(found ?? [], hl, memory);
  if (listing) memory.listings.keep(number, hl, listing);
  return listing;
}

/** The listing of the records of one place, the leading one first. */
function listingOf(
  [lead, ...others]: readonly FoundRecord[],
  hl: string,
  { areas, importTimes }: Surroundings,
): Place | undefined {
  const observedAt = lead && importTimes.get(lead.dataSetId);
  if (!observedAt) return undefined;
  const record = others.length === 0 ? lead.record : mergeFound([lead, ...others]);
  const within = { ...areas.addressAt(record, lead.areas, lead.countryCode), countryCode: lead.countryCode };
  const listing = renderPlace(record, { hl, observedAt, within });
  if (lead.business) listing[catalogBusiness] = lead.business;
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
