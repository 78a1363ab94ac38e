import type { Box } from "../../../geography/points.ts";
import { AreaInvalid } from "../errors.ts";
import { type Area, pointsMax, type Position, type RequestedArea, type Ring } from "./area.ts";

/** What a client's area stands for, or the name of the place that says it. */
export function readArea(requested: RequestedArea): Area | { place: string } {
  requireOneWay(requested);
  const { place, bbox, circle, polygon } = requested;
  if (place !== undefined) return { place };
  if (bbox) return { kind: "boxes", boxes: readBox(bbox) };
  if (circle) {
    const { latitude, longitude, radius_m: radiusM } = circle;
    return { kind: "circle", center: { latitude, longitude }, radiusM };
  }
  if (polygon) return { kind: "polygons", polygons: readPolygons(polygon) };
  throw invalid(oneWayRule);
}

const oneWayRule = "/area: must have exactly one of place, bbox, circle, polygon";

/** What can be said of an area before it is read, which may take long. */
export function requireOneWay(requested: RequestedArea): void {
  if (Object.keys(requested).length !== 1) throw invalid(oneWayRule);
}

/** Two boxes where it crosses the antimeridian, which the west above the east says. */
function readBox([south = 0, west = 0, north = 0, east = 0]: readonly number[]): Box[] {
  if (Math.abs(south) > 90 || Math.abs(north) > 90) {
    throw invalid("/area/bbox: must be [south, west, north, east] with south and north from -90 to 90");
  }
  if (south >= north) throw invalid("/area/bbox: must have its south below its north");
  // 180 and -180 are one meridian.
  if (west === east || west - east === 360) throw invalid("/area/bbox: must have its west apart from its east");
  if (west < east) return [[south, west, north, east]];
  const halves: Box[] = [
    [south, west, north, 180],
    [south, -180, north, east],
  ];
  return halves.filter(([, from, , to]) => from < to);
}

function readPolygons({ type, coordinates }: NonNullable<RequestedArea["polygon"]>): Ring[][] {
  const at = "/area/polygon/coordinates";
  const budget = { points: 0 };
  if (coordinates.length === 0) throw invalid(`${at}: must not be empty`);
  if (type === "Polygon") return [readRings(coordinates, at, budget)];
  return coordinates.map((rings, index) => readRings(listOf(rings, `${at}/${index}`), `${at}/${index}`, budget));
}

function readRings(rings: readonly unknown[], at: string, budget: { points: number }): Ring[] {
  if (rings.length === 0) throw invalid(`${at}: must have a ring`);
  return rings.map((ring, index) => readRing(listOf(ring, `${at}/${index}`), `${at}/${index}`, budget));
}

function readRing(positions: readonly unknown[], at: string, budget: { points: number }): Ring {
  budget.points += positions.length;
  if (budget.points > pointsMax) throw invalid(`/area/polygon: must have at most ${pointsMax} points; simplify it`);
  if (positions.length < 4) throw invalid(`${at}: must have at least 4 positions, the last like the first`);
  const ring = positions.map((position, index) => readPosition(position, `${at}/${index}`));
  const [first, last] = [ring[0], ring.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    throw invalid(`${at}: must be closed: its last position must be its first`);
  }
  if (surfaceOf(ring) === 0) throw invalid(`${at}: must enclose a surface`);
  return ring;
}

function readPosition(value: unknown, at: string): Position {
  const [longitude, latitude] = Array.isArray(value) ? (value as unknown[]) : [];
  const isOnEarth =
    typeof longitude === "number" &&
    typeof latitude === "number" &&
    Math.abs(longitude) <= 180 &&
    Math.abs(latitude) <= 90;
  if (!isOnEarth) throw invalid(`${at}: must be [longitude, latitude] with -180 to 180 and -90 to 90`);
  return [longitude, latitude];
}

function surfaceOf(ring: Ring): number {
  let sum = 0;
  for (let index = 1; index < ring.length; index += 1) {
    const [[x1, y1], [x2, y2]] = [ring[index - 1] as Position, ring[index] as Position];
    sum += x1 * y2 - x2 * y1;
  }
  return Math.abs(sum) / 2;
}

function listOf(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw invalid(`${at}: must be an array`);
  return value as unknown[];
}

function invalid(detail: string) {
  return AreaInvalid(undefined, { details: [detail] });
}
