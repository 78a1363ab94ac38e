import type { AreaRecord } from "../record.ts";
import { countryAt } from "../../country.ts";
import { byLanguage, type OsmElement, sourceIdOf, type Tags } from "./element.ts";

type Kind = AreaRecord["kind"];

const kindByPlace: ReadonlyMap<string, Kind> = new Map<string, Kind>(
  Object.entries({
    country: "country",
    state: "region",
    region: "region",
    province: "region",
    county: "region",
    district: "region",
    island: "region",
    city: "city",
    municipality: "town",
    town: "town",
    village: "village",
    hamlet: "village",
    suburb: "suburb",
    borough: "suburb",
    quarter: "suburb",
    neighbourhood: "suburb",
  } as const),
);

/** The kind of settlement or territory that tags tell of; undefined when they tell of none. */
export function kindOf(tags: Tags): Kind | undefined {
  const place = kindByPlace.get(tags["place"] ?? "");
  if (tags["boundary"] !== "administrative") return place;
  return place ?? kindByLevel(Number(tags["admin_level"]));
}

/** A town, a suburb or a boundary with a name; undefined for everything else. */
export function areaOf(
  element: OsmElement,
  box: AreaRecord["box"],
  kind = kindOf(element.tags),
): AreaRecord | undefined {
  const { tags, latitude, longitude } = element;
  const name = tags["name"];
  if (name === undefined || kind === undefined) return undefined;
  const population = Number((tags["population"] ?? "").replaceAll(/[\s,.']/g, ""));
  return {
    sourceId: sourceIdOf(element),
    name,
    namesByLanguage: byLanguage(tags, "name"),
    kind,
    latitude,
    longitude,
    box,
    population: Number.isSafeInteger(population) && population > 0 ? population : null,
    countryCode: countryAt(latitude, longitude),
  };
}

/** Levels differ by country; from the seventh down to the eighth lie nearly everywhere the municipalities. */
function kindByLevel(level: number): Kind | undefined {
  if (!Number.isInteger(level) || level < 2) return undefined;
  if (level === 2) return "country";
  if (level <= 6) return "region";
  return level <= 8 ? "town" : "suburb";
}
