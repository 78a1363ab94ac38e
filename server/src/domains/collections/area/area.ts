import type { Box, Point, Polygons } from "../../../geography/points.ts";

/** Longitude and latitude, as GeoJSON has them. */
export type Position = readonly [number, number];
export type Ring = readonly Position[];

/** An area on the map. */
export type Area =
  | {
      kind: "boxes";
      boxes: readonly Box[];
      /** The id of the area at the source that named it. */
      id?: string;
    }
  | { kind: "circle"; center: Point; radiusM: number }
  | { kind: "polygons"; polygons: Polygons };

/** An area made ready for testing many points and boxes. */
export type Shape = {
  /** Boxes that together hold the area and do not overlap. */
  bounds: Box[];
  /** The id of the area, by which the source that named it decides what lies in it. */
  id?: string;
  contains(latitude: number, longitude: number): boolean;
  /** False only when no point of the box lies in the area. */
  touches(box: Box): boolean;
  /** Does what `contains` would take long for at its first points in a box, and lets others have their turns. */
  prepare?(box: Box): Promise<void>;
};

/** An area as a client names it: exactly one of these. */
export type RequestedArea = {
  place?: string;
  bbox?: number[];
  circle?: { latitude: number; longitude: number; radius_m: number };
  polygon?: { type: "Polygon" | "MultiPolygon"; coordinates: unknown[] };
};

export const pointsMax = 10_000;

export function overlap([south, west, north, east]: Box, [otherSouth, otherWest, otherNorth, otherEast]: Box): boolean {
  return south <= otherNorth && otherSouth <= north && west <= otherEast && otherWest <= east;
}
