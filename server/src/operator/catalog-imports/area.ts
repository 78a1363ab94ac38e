import { countryName, outlineOf } from "../../geography/country.ts";
import { type Extent, extentOfBoxes, extentOfPolygons } from "../../geography/extent.ts";
import { boxesAround, splitBox } from "../../geography/points.ts";
import { openGazetteer } from "../../gazetteer/gazetteer.ts";
import { radiusOf } from "../../query/names.ts";
import { countryNamed } from "../../query/words/countries.ts";
import { phraseOf } from "../../text/words.ts";
import type { Asked } from "../../data-sets/1-fetch/by-area/divisions.ts";
import { AreaInvalid, AreaUnknown } from "../../data-sets/errors.ts";

/** What `--area` names, as far as the lists of this program know it, and in words. */
export type NamedArea = {
  extent: Extent;
  how: string;
  /** What a publisher that has divisions is asked for; a box is none. */
  asked: Asked | undefined;
};

/** Reads `47.0,9.4,47.3,9.7`, `LI`, `Liechtenstein`, `Vaduz` or `Springfield, US`. */
export async function findArea(area: string): Promise<NamedArea> {
  if (/^[\s\d.,+-]+$/.test(area)) return boxArea(area);
  const countryCode = codeOf(area);
  if (countryCode) return countryArea(countryCode);
  const [, name = area, country] = /^(.*),\s*([^,]+)$/.exec(area) ?? [];
  const within = country === undefined ? undefined : codeOf(country);
  const { townsNamed } = await openGazetteer();
  const towns = townsNamed(phraseOf(within ? name : area)).filter((town) => !within || town.countryCode === within);
  const [town] = towns.toSorted((one, other) => (other.population ?? 0) - (one.population ?? 0));
  if (!town) throw AreaUnknown({ area });
  const radiusM = radiusOf(town);
  return {
    extent: extentOfBoxes(boxesAround(town, radiusM)),
    how: `${Math.round(radiusM / 1_000)} km around ${within ? name : area} (${town.countryCode}) of the world's list`,
    asked: { name: within ? name : area, at: town },
  };
}

function boxArea(area: string): NamedArea {
  const edges = area.split(",").map((edge) => (edge.trim() === "" ? Number.NaN : Number(edge)));
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = edges;
  const isBox = edges.length === 4 && south >= -90 && south < north && north <= 90;
  if (!isBox || !(Math.abs(west) <= 180 && Math.abs(east) <= 180 && west !== east)) throw AreaInvalid({ area });
  const boxes = splitBox(south, west, north, west > east ? east + 360 : east);
  return { extent: extentOfBoxes(boxes), how: "the box that you gave", asked: undefined };
}

function countryArea(countryCode: string): NamedArea {
  const extent = extentOfPolygons(outlineOf(countryCode));
  if (!extent) throw AreaUnknown({ area: countryCode });
  const how = `the outline of ${countryName(countryCode, "en") ?? countryCode} in the world's list`;
  return { extent, how, asked: { countryCode } };
}

function codeOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && outlineOf(code).length > 0 ? code : countryNamed(phraseOf(text));
}
