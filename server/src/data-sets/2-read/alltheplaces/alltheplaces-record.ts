import { recordOf } from "../../../places/osm-tags/index.ts";
import { isBusiness, nameOf } from "../../../kinds/index.ts";
import type { PlaceRecord } from "../../../places/record.ts";

type Tags = Readonly<Record<string, string>>;

/** A place of AllThePlaces names the program that read it from its chain's website. */
export function isOfAllThePlaces(tags: Tags): boolean {
  return tags["@spider"] !== undefined;
}

/**
 * The place that a feature of AllThePlaces tells of; undefined when it is called nothing. Its properties are tags of
 * OpenStreetMap with some of their own, which the project's DATA_FORMAT.md explains.
 */
export function allThePlacesRecord(
  id: string,
  tags: Tags,
  [latitude, longitude]: readonly [number, number],
): PlaceRecord | undefined {
  const name = nameOf(tags) ?? tags["brand"]?.trim();
  if (!name) return undefined;

  const address = {
    ...tags,
    "addr:street": tags["addr:street_address"] ?? tags["addr:street"] ?? "",
    // The address with house and street needs no number beside it.
    "addr:housenumber": tags["addr:street_address"] === undefined ? (tags["addr:housenumber"] ?? "") : "",
    // A whole address is no street.
    "addr:full": "",
  };
  const hasKind = isBusiness({ ...tags, name });
  const business = hasKind ? {} : { shop: "yes" };
  const record = recordOf({ type: "node", id: 0, tags: { ...address, ...business, name }, latitude, longitude });
  if (!record) return undefined;

  const full = tags["addr:full"]?.trim();
  return {
    ...record,
    sourceId: `alltheplaces:${id}`,
    categories: hasKind ? record.categories : [],
    otherNames: [...new Set([...record.otherNames, ...placedNames(name, tags)])],
    address: { ...record.address, ...(full && record.address.street === null ? { full } : {}) },
    details: { ...record.details, businessStatus: statusOf(tags, record.details.businessStatus) },
  };
}

/** What a chain calls one of its places: by its branch, or by the place that it is in. */
function placedNames(name: string, tags: Tags): string[] {
  const places = [tags["branch"], tags["located_in"]].map((place) => place?.trim() ?? "");
  return places.filter((place) => place !== "" && !name.includes(place)).map((place) => `${name} ${place}`);
}

/** `end_date=yes` is closed since nobody knows when; hours that are closed all week are those of a closed season. */
function statusOf(tags: Tags, status: string | null | undefined): string | null {
  if (tags["end_date"] === "yes") return "CLOSED_PERMANENTLY";
  const isOverByDate = tags["end_date"] !== undefined;
  return status === "CLOSED_PERMANENTLY" && !isOverByDate ? "CLOSED_TEMPORARILY" : (status ?? null);
}
