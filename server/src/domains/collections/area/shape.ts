import { type Box, boxesAround, distanceM } from "../../../geography/points.ts";
import { type Area, overlap, type Shape } from "./area.ts";
import { createPolygonIndex } from "./polygon-index.ts";

/** More far-apart pieces than this are covered by one box. */
const boundsMax = 16;

export function createShape(area: Area): Shape {
  if (area.kind === "circle") return circleShape(area);
  if (area.kind === "boxes") return { ...boxesShape(area.boxes), ...(area.id === undefined ? {} : { id: area.id }) };
  const { polygons } = area;
  return { bounds: disjoint(polygons.map((rings) => boxOf(rings.flat()))), ...createPolygonIndex(polygons.flat()) };
}

function boxesShape(boxes: readonly Box[]): Shape {
  return {
    bounds: [...boxes],
    contains: (latitude, longitude) =>
      boxes.some(
        ([south, west, north, east]) =>
          latitude >= south && latitude <= north && longitude >= west && longitude <= east,
      ),
    touches: (box) => boxes.some((each) => overlap(each, box)),
  };
}

function circleShape({ center, radiusM }: Extract<Area, { kind: "circle" }>): Shape {
  const distanceTo = (latitude: number, longitude: number) =>
    distanceM(center.latitude, center.longitude, latitude, longitude);
  const bounds = boxesAround(center, radiusM);
  return {
    bounds,
    contains: (latitude, longitude) => distanceTo(latitude, longitude) <= radiusM,
    touches: (box) => {
      if (!bounds.some((each) => overlap(each, box))) return false;
      const [south, west, north, east] = box;
      // The nearest corner is off by the curvature of parallels; over the antimeridian the bounds decide.
      if (bounds.length > 1 || east - west > 10) return true;
      const latitude = Math.min(north, Math.max(south, center.latitude));
      const longitude = Math.min(east, Math.max(west, center.longitude));
      return distanceTo(latitude, longitude) <= radiusM * 1.01;
    },
  };
}

function boxOf(positions: readonly (readonly [number, number])[]): Box {
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const [longitude, latitude] of positions) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return [south, west, north, east];
}

/** Joins boxes that overlap, since what lies in both would be read twice. */
function disjoint(boxes: readonly Box[]): Box[] {
  if (boxes.length > 1_000) return [join(boxes)];
  let joined: Box[] = [];
  for (const box of boxes) {
    let grown = box;
    for (;;) {
      const touching = joined.filter((each) => overlap(each, grown));
      if (touching.length === 0) break;
      joined = joined.filter((each) => !touching.includes(each));
      grown = join([grown, ...touching]);
    }
    joined.push(grown);
  }
  return joined.length > boundsMax ? [join(joined)] : joined;
}

function join(boxes: readonly Box[]): Box {
  return boxOf(
    boxes.flatMap(([south, west, north, east]): [number, number][] => [
      [west, south],
      [east, north],
    ]),
  );
}
