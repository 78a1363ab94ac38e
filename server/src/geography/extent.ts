import { type Box, type Polygons, splitBox } from "./points.ts";
import { containmentOf, type Contains, extentOf, type Shape, shapeOf } from "./shape.ts";

/** A part of the earth: boxes, none across the antimeridian, and an outline in them. Threads may pass it on. */
export type Extent = { boxes: readonly Box[]; shape: Shape | null };

const outlinePointsMax = 10_000;

export function extentOfBoxes(boxes: readonly Box[]): Extent {
  return { boxes, shape: null };
}

/** Within polygons, whose rings are longitudes and latitudes; undefined for none of a size. */
export function extentOfPolygons(polygons: Polygons): Extent | undefined {
  const rings = polygons.flat().map((ring) => ring.map(([longitude, latitude]) => [latitude, longitude] as const));
  const shape = shapeOf(rings, outlinePointsMax);
  return shape ? { boxes: splitBox(...extentOf(shape)), shape } : undefined;
}

export function insideOf({ boxes, shape }: Extent): Contains {
  if (shape) return containmentOf(shape);
  return (latitude, longitude) =>
    boxes.some(
      ([south, west, north, east]) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
}
