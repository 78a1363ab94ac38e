import { outlineOf } from "../../../geography/country.ts";
import { memoize } from "../../../platform/memoize.ts";
import type { Bounds, NamedArea } from "../../source.ts";
import type { Contains } from "../../../geography/shape.ts";
import { type Box, boxesAround, distanceM, grownBoxes, type Point } from "../../../geography/points.ts";

/** Where to look: around a point, inside a box, in a country, or everywhere. */
export type Where =
  /**
   * With a country, only what lies in it is inside. A view is what a map shows, and nobody named it; a town of the world
   * is one that no import tells of.
   */
  | { kind: "circle"; center: Point; radiusM: number; countryCode?: string; isView?: true; isOfWorld?: true }
  /** With the key of a shape, only what lies in that is inside; the id is that of its area. */
  | { kind: "box"; box: Box; center: Point; radiusM: number; shapeKey?: string; areaId?: string }
  | { kind: "country"; countryCode: string }
  | { kind: "everywhere" };

/** What a where is on the map, with no more than the map shows of it; undefined for everywhere. */
export function namedAreaOf(where: Where): NamedArea | undefined {
  if (where.kind === "box") {
    const { box, areaId } = where;
    return { kind: "box", box, ...(areaId === undefined ? {} : { id: areaId }) };
  }
  if (where.kind === "circle") return { kind: "circle", center: where.center, radiusM: where.radiusM };
  const polygons = where.kind === "country" ? outlineOf(where.countryCode) : [];
  return polygons.length > 0 ? { kind: "polygons", polygons } : undefined;
}

/** A part of a where: what lies outside of it does not answer, or is worth less. */
export type Region = {
  readonly boxes: readonly Box[];
  /** The code of the country that places lie in. */
  readonly country: string | null;
  readonly center: Point | null;
  /** Places farther from the center are outside; infinite where the boxes alone decide. */
  readonly radiusM: number;
  /** At this distance a place is worth half as much as at the center. */
  readonly scaleM: number;
  /** The outline that decides inside of the boxes. */
  readonly contains: Contains | null;
  /** What a place of this region loses against those of the where itself. */
  readonly penalty: number;
  /** Further limits, which only the places inside of keep to. */
  readonly clip: Bounds | null;
  /** The ids of areas that all contain the places. */
  readonly areas?: readonly string[];
};

const wholeEarth: Box = [-90, -180, 90, 180];
const countriesKept = 300;
/** How many times farther each step of a search looks. */
export const widening = [1, 2.5, 6, 15];
/** How far a search widens, unless the query wants more. */
export const radiusMaxM = 200_000;

/** Farther than this from what a map shows is another part of the world. */
const elsewhereM = 100_000;

/** Whether an area has nothing to do with where a question is asked; false where nobody knows that. */
export function isElsewhere(area: Where, here: Where): boolean {
  if (here.kind === "country") return "countryCode" in area && area.countryCode !== here.countryCode;
  if (here.kind !== "circle" || area.kind === "everywhere" || area.kind === "country") return false;
  const { center, radiusM } = area;
  const away = distanceM(center.latitude, center.longitude, here.center.latitude, here.center.longitude);
  return away > radiusM + Math.max(elsewhereM, here.radiusM);
}

/** The first step is the where itself, cut to its outline where that is known; each further one is wider. */
export function regionsOf(where: Where, contains: Contains | null = null, outsidePenalty = 0): Region[] {
  if (where.kind === "everywhere" || where.kind === "country") {
    const country = where.kind === "country" ? where.countryCode.toUpperCase() : null;
    const boxes = country === null ? [wholeEarth] : boxesOfCountry(country);
    const rest = { center: null, radiusM: Infinity, scaleM: 1, contains: null, penalty: 0, clip: null };
    return [{ boxes, country, ...rest }];
  }
  const { center, radiusM: scaleM } = where;
  const radii = new Set(widening.map((factor) => Math.min(Math.max(scaleM, radiusMaxM), scaleM * factor)));
  return [...radii].map((radiusM, step) => {
    const own = {
      center,
      scaleM,
      contains: step === 0 ? contains : null,
      penalty: contains !== null && step > 0 ? outsidePenalty : 0,
      clip: null,
    };
    if (where.kind === "box") {
      return { ...own, boxes: grownBoxes(where.box, radiusM - scaleM), country: null, radiusM: Infinity };
    }
    const country = step === 0 ? (where.countryCode?.toUpperCase() ?? null) : null;
    return { ...own, boxes: boxesAround(center, radiusM), country, radiusM };
  });
}

/** The same region without what lies outside of the bounds. */
export function clipped(region: Region, bounds: Bounds): Region {
  if (bounds.area === undefined) return { ...region, clip: bounds };
  return { ...region, clip: { box: bounds.box, contains: () => true }, areas: [bounds.area] };
}

/** Addresses name the country of places that lie a little outside of its outline. */
const borderM = 50_000;

/** Where the places of a country may lie; everywhere for one without an outline. */
const boxesOfCountry = memoize((country: string): readonly Box[] => {
  const boxes = outlineOf(country).map(([ring = []]): Box => {
    const [latitudes, longitudes] = [ring.map(([, latitude]) => latitude), ring.map(([longitude]) => longitude)];
    return [Math.min(...latitudes), Math.min(...longitudes), Math.max(...latitudes), Math.max(...longitudes)];
  });
  if (boxes.length === 0) return [wholeEarth];
  const [east, west] = [boxes.filter((box) => box[1] >= 0), boxes.filter((box) => box[1] < 0)];
  return [east, west].flatMap((some) => (some.length === 0 ? [] : grownBoxes(hullOf(some), borderM)));
}, countriesKept);

function hullOf(boxes: readonly Box[]): Box {
  return [
    Math.min(...boxes.map(([south]) => south)),
    Math.min(...boxes.map(([, west]) => west)),
    Math.max(...boxes.map(([, , north]) => north)),
    Math.max(...boxes.map(([, , , east]) => east)),
  ];
}
