/** The tags of OpenStreetMap that make a named thing a place people look for, most telling first. */
export const businessKeys: ReadonlySet<string> = new Set([
  "shop",
  "amenity",
  "tourism",
  "office",
  "craft",
  "healthcare",
  "leisure",
]);

type Tags = Readonly<Record<string, string>>;

/** Further tags that make a place, with the values that do. */
export const furtherTags: ReadonlyMap<string, ReadonlySet<string> | "any"> = new Map<
  string,
  ReadonlySet<string> | "any"
>([
  ["club", "any"],
  ["aeroway", new Set(["aerodrome"])],
  ["railway", new Set(["station", "halt"])],
  ["aerialway", new Set(["station"])],
  ["landuse", new Set(["winter_sports", "cemetery"])],
  ["building", new Set(["hotel"])],
  [
    "historic",
    new Set(["castle", "fort", "manor", "ruins", "monument", "memorial", "archaeological_site", "city_gate"]),
  ],
  ["natural", new Set(["beach"])],
]);

/** Values that say there is no business, or none any more. */
const nothing = new Set(["no", "none", "vacant", "disused", "abandoned", "closed"]);

/** What a place is called: its name, else its name in some language, else its brand, else who runs it. */
export function nameOf(tags: Tags): string | undefined {
  const own = tags["name"]?.trim();
  if (own) return own;
  const localized = tags["name:en"] ?? Object.entries(tags).find(([key]) => /^name:[a-z]{2,3}$/.test(key))?.[1];
  if (localized?.trim()) return localized.trim();
  // A bench has a donor and a bin a municipality; neither is what it is called.
  return isFurniture(tags) ? undefined : tags["brand"]?.trim() || tags["operator"]?.trim() || undefined;
}

/** A business-like place: it is called something, and has one of the telling tags with a value that means something. */
export function isBusiness(tags: Tags): boolean {
  return hasTellingTag(tags) && nameOf(tags) !== undefined;
}

function hasTellingTag(tags: Tags): boolean {
  for (const key of businessKeys) {
    const value = tags[key];
    if (value !== undefined && !nothing.has(value)) return true;
  }
  for (const [key, values] of furtherTags) {
    const value = tags[key];
    if (value !== undefined && !nothing.has(value) && (values === "any" || values.has(value))) return true;
  }
  return false;
}

// Things that stand in the street or lie in the landscape. They are found by those who ask for their
// category, and by nobody else.
const furniture: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    amenity:
      "bench lounger table grit_bin waste_basket waste_disposal recycling parking parking_space parking_entrance bicycle_parking motorcycle_parking bicycle_repair_station compressed_air drinking_water water_point watering_place fountain shelter hunting_stand clock post_box letter_box telephone vending_machine bbq toilets shower public_bookcase give_box sanitary_dump_station feeding_place game_feeding grave_yard kneipp_water_cure baking_oven dog_toilet device_charging_station smoking_area trolley_bay loading_dock weighbridge ticket_validator photo_booth binoculars",
    tourism: "artwork information viewpoint picnic_site camp_pitch",
    leisure:
      "playground picnic_table firepit pitch track garden park common nature_reserve dog_park slipway swimming_area bird_hide wildlife_hide fitness_station outdoor_seating schoolyard bandstand",
    // Sights that no business runs; a castle that is a hotel, a museum or an attraction is that.
    historic: "castle fort manor ruins monument memorial archaeological_site city_gate",
    landuse: "cemetery",
    natural: "beach",
  }).map(([key, values]) => [key, new Set(values.split(" "))]),
);

/** What people look for by its kind, whether it has a name or not. */
const foundUnnamed: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    amenity: "toilets atm charging_station drinking_water water_point fuel pharmacy",
    leisure: "playground",
  }).map(([key, values]) => [key, new Set(values.split(" "))]),
);
export const unnamedKeys: ReadonlySet<string> = new Set(foundUnnamed.keys());

/** Toilets, a cash machine or the like that is called nothing. */
export function isUnnamed(tags: Tags): boolean {
  for (const [key, values] of foundUnnamed) if (values.has(tags[key] ?? "")) return nameOf(tags) === undefined;
  return false;
}

/** Whether places of a category are kept without a name. */
export function isFoundUnnamed(category: string): boolean {
  const [key = "", value = ""] = category.split("/");
  return foundUnnamed.get(key)?.has(value) === true;
}

/** Whether all that tags say of a place is that it is a bench, a board, a playground or the like. */
export function isFurniture(tags: Tags): boolean {
  let isFound = false;
  for (const key of [...businessKeys, ...furtherTags.keys()]) {
    const value = tags[key];
    if (value === undefined || nothing.has(value)) continue;
    const isOffice = value === "information" && /^(office|visitor_centre)$/.test(tags["information"] ?? "");
    if (isOffice || !furniture.get(key)?.has(value)) return false;
    isFound = true;
  }
  return isFound;
}

/** The same by the categories of a record. */
export function isFurnitureCategory(category: string): boolean {
  const [key = "", value = "", finer = ""] = category.split("/");
  if (value === "information") return finer !== "office" && finer !== "visitor_centre";
  return furniture.get(key)?.has(value) === true;
}
