import { countryNumber } from "./block.ts";
import { outlineOf } from "../../../geography/country.ts";
import type { Bounds, NamedArea } from "../../source.ts";
import type { Contains } from "../../../geography/shape.ts";
import {
  type Box,
  boxesAround,
  degreeM,
  distanceM,
  earthRadiusM,
  grownBoxes,
  type Point,
} from "../../../geography/points.ts";

/** Where to look: around a point, inside a box, in a country, or everywhere. */
export type Where =
  /**
   * With a country, only what lies in it is inside. A view is what a map shows, and nobody named it; a town of the world
   * is one that no import tells of.
   */
  | { kind: "circle"; center: Point; radiusM: number; countryCode?: string; isView?: true; isOfWorld?: true }
  /** With the key of a shape, only what lies in that is inside. */
  | { kind: "box"; box: Box; center: Point; radiusM: number; shapeKey?: string }
  | { kind: "country"; countryCode: string }
  | { kind: "everywhere" };

/** What a where is on the map, with no more than the map shows of it; undefined for everywhere. */
export function namedAreaOf(where: Where): NamedArea | undefined {
  if (where.kind === "box") return { kind: "box", box: where.box };
  if (where.kind === "circle") return { kind: "circle", center: where.center, radiusM: where.radiusM };
  const polygons = where.kind === "country" ? outlineOf(where.countryCode) : [];
  return polygons.length > 0 ? { kind: "polygons", polygons } : undefined;
}

/** A where made ready for testing many places. */
export type Region = {
  readonly boxes: readonly Box[];
  /** The boxes in ten-millionths of a degree, four numbers each. */
  readonly edges: Int32Array;
  readonly country: number;
  readonly center: Point | null;
  /** Places farther from the center are outside; infinite where the boxes alone decide. */
  readonly radiusM: number;
  /** At this distance a place is worth half as much as at the center. */
  readonly scaleM: number;
  /** Small, and not near a pole or the antimeridian: the earth may be taken as flat. */
  readonly flat: { readonly cos: number; readonly sin: number } | null;
  /** The outline that decides inside of the boxes. */
  readonly contains: Contains | null;
  /** What a place of this region loses against those of the where itself. */
  readonly penalty: number;
  /** Further limits, which only the places inside of keep to. */
  readonly clip: { readonly edges: Int32Array; contains: Bounds["contains"] } | null;
};

const wholeEarth: Box = [-90, -180, 90, 180];
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
    const country = where.kind === "country" ? countryNumber(where.countryCode) : 0;
    return [prepare([wholeEarth], { country, center: null, radiusM: Infinity, scaleM: 1, contains: null, penalty: 0 })];
  }
  const { center, radiusM: scaleM } = where;
  const radii = new Set(widening.map((factor) => Math.min(Math.max(scaleM, radiusMaxM), scaleM * factor)));
  return [...radii].map((radiusM, step) => {
    const own = {
      center,
      scaleM,
      contains: step === 0 ? contains : null,
      penalty: contains !== null && step > 0 ? outsidePenalty : 0,
    };
    if (where.kind === "box") {
      return prepare(grownBoxes(where.box, radiusM - scaleM), { ...own, country: 0, radiusM: Infinity });
    }
    const country = step === 0 ? countryNumber(where.countryCode ?? "") : 0;
    return prepare(boxesAround(center, radiusM), { ...own, country, radiusM });
  });
}

/** The same region without what lies outside of the bounds. */
export function clipped(region: Region, { box, contains }: Bounds): Region {
  return { ...region, clip: { edges: edgesOf([box]), contains } };
}

/** Meters from the center (0 where there is none), or -1 for a place outside. */
export function distanceWithin(region: Region, latitudeE7: number, longitudeE7: number, country: number): number {
  if (region.country !== 0 && region.country !== country) return -1;
  const { edges, center, clip, contains } = region;
  if (!isInside(edges, latitudeE7, longitudeE7)) return -1;
  if (contains && !contains(latitudeE7 / 1e7, longitudeE7 / 1e7)) return -1;
  if (clip && !isInside(clip.edges, latitudeE7, longitudeE7)) return -1;
  if (clip && !clip.contains(latitudeE7 / 1e7, longitudeE7 / 1e7)) return -1;
  if (!center) return 0;
  const distance = distanceTo(region, center, latitudeE7 / 1e7, longitudeE7 / 1e7);
  return distance <= region.radiusM ? distance : -1;
}

function isInside(edges: Int32Array, latitudeE7: number, longitudeE7: number): boolean {
  for (let edge = 0; edge < edges.length; edge += 4) {
    if (
      latitudeE7 >= (edges[edge] ?? 0) &&
      longitudeE7 >= (edges[edge + 1] ?? 0) &&
      latitudeE7 <= (edges[edge + 2] ?? 0) &&
      longitudeE7 <= (edges[edge + 3] ?? 0)
    )
      return true;
  }
  return false;
}

/** The least distance from the center to a place within these bounds; 0 when that is not worth computing. */
export function distanceToBounds(region: Region, bounds: readonly number[]): number {
  const { center, flat } = region;
  if (!center || !flat) return 0;
  const latitude = Math.min((bounds[2] ?? 0) / 1e7, Math.max((bounds[0] ?? 0) / 1e7, center.latitude));
  const longitude = Math.min((bounds[3] ?? 0) / 1e7, Math.max((bounds[1] ?? 0) / 1e7, center.longitude));
  // A hundredth less, for what taking the earth as flat may be wrong by.
  return 0.99 * distanceTo(region, center, latitude, longitude);
}

function distanceTo({ flat }: Region, center: Point, latitude: number, longitude: number): number {
  if (!flat) return distanceM(center.latitude, center.longitude, latitude, longitude);
  const north = (latitude - center.latitude) * degreeM;
  const cosBetween = flat.cos - (flat.sin * north) / (2 * earthRadiusM);
  const east = (longitude - center.longitude) * degreeM * cosBetween;
  return Math.sqrt(north * north + east * east);
}

/** True when a block whose places lie within these bounds may hold one of the region. */
export function touches({ edges, clip }: Region, bounds: readonly number[]): boolean {
  return overlaps(edges, bounds) && (!clip || overlaps(clip.edges, bounds));
}

function overlaps(edges: Int32Array, bounds: readonly number[]): boolean {
  // Taken one by one: a pattern would make an iterator for each of the many bounds that a search looks at.
  const south = bounds[0] ?? 0;
  const west = bounds[1] ?? 0;
  const north = bounds[2] ?? 0;
  const east = bounds[3] ?? 0;
  for (let edge = 0; edge < edges.length; edge += 4) {
    if (
      south <= (edges[edge + 2] ?? 0) &&
      north >= (edges[edge] ?? 0) &&
      west <= (edges[edge + 3] ?? 0) &&
      east >= (edges[edge + 1] ?? 0)
    )
      return true;
  }
  return false;
}

function prepare(boxes: readonly Box[], rest: Omit<Region, "boxes" | "edges" | "flat" | "clip">): Region {
  return { boxes, edges: edgesOf(boxes), flat: flatten(boxes, rest.center), clip: null, ...rest };
}

function edgesOf(boxes: readonly Box[]): Int32Array {
  return Int32Array.from(
    boxes.flatMap(([south, west, north, east]) => [
      Math.floor(south * 1e7),
      Math.floor(west * 1e7),
      Math.ceil(north * 1e7),
      Math.ceil(east * 1e7),
    ]),
  );
}

const flatDegrees = 8;

function flatten(boxes: readonly Box[], center: Point | null): Region["flat"] {
  const [box, ...others] = boxes;
  if (!box || !center || others.length > 0 || box[2] - box[0] > flatDegrees || Math.abs(center.latitude) > 70)
    return null;
  const angle = (center.latitude * Math.PI) / 180;
  return { cos: Math.cos(angle), sin: Math.sin(angle) };
}
