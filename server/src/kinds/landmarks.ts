import { isBusiness } from "./business.ts";

type Tags = Readonly<Record<string, string>>;

/** What is no place that people look for, but that others lie near: by tag the values that make it one. */
export const landmarkTags: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    place: "square",
    natural: "peak volcano",
    man_made: "tower communications_tower water_tower lighthouse windmill obelisk",
    public_transport: "station",
    railway: "tram_stop",
    highway: "bus_stop",
    aeroway: "terminal",
  }).map(([key, values]) => [key, new Set(values.split(" "))]),
);

/** Buildings that their owners have named, and that nobody but their neighbors knows. */
const smallBuildings: ReadonlySet<string> = new Set(
  "no house detached semidetached_house terrace bungalow cabin static_caravan hut shed garage garages carport roof".split(
    " ",
  ),
);

/** `Block A` is a name, `12` and `B` are numbers. */
const telling = /\p{L}.*\p{L}/u;

/** A square, a peak, a tower, a stop, a building: it has a name, and is no business. */
export function isLandmark(tags: Tags): boolean {
  if (!telling.test(tags["name"] ?? "") || isBusiness(tags)) return false;
  const building = tags["building"];
  if (building !== undefined && !smallBuildings.has(building)) return true;
  for (const [key, values] of landmarkTags) if (values.has(tags[key] ?? "")) return true;
  return false;
}
