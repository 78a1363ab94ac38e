import { type Box, middleOf } from "../../../sources/geo.ts";
import type { Position, Ring } from "./area.ts";
import type { Shape } from "./shape.ts";

/** A part with more edges is divided when a point in it is asked for. */
const edgesMax = 32;
const depthMax = 24;
/** The memory for edges by part: thousands that lie upon each other stay together however small the parts are. */
const entriesMax = 1_000_000;

/** A part of the area's box, with the edges that pass through it. */
type Part = {
  box: Box;
  depth: number;
  edges: readonly Edge[];
  /** A point of it of which it is known whether it lies inside. */
  known: Point;
  parts?: readonly Part[];
};
type Point = { latitude: number; longitude: number; isInside: boolean };
type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

/**
 * The edges of polygons by parts of their box, which are divided where points are asked for: a test looks only at the
 * edges near its point, also where thousands of long ones lie on its latitude. Inside is what a line to the east leaves
 * by an odd number of edges: holes are outside.
 */
export function createPolygonIndex(rings: readonly Ring[]): Pick<Shape, "contains" | "touches"> {
  const edges = rings.flatMap(edgesOf);
  const root = rootOf(edges);
  let entries = edges.length;

  function contains(latitude: number, longitude: number): boolean {
    if (!isIn(root.box, latitude, longitude)) return false;
    let part = root;
    for (;;) {
      if (!part.parts && part.edges.length > edgesMax && part.depth < depthMax && entries < entriesMax) divide(part);
      const next = part.parts?.find(({ box }) => isIn(box, latitude, longitude));
      if (!next) return isInside(part, latitude, longitude);
      part = next;
    }
  }

  function divide(part: Part): void {
    part.parts = partsOf(part);
    for (const each of part.parts) entries += each.edges.length;
  }

  function touches(box: Box): boolean {
    if (edges.some((edge) => edgeTouches(edge, box))) return true;
    // No edge in it: the box lies inside as a whole, or outside.
    const { latitude, longitude } = middleOf(box);
    return contains(latitude, longitude);
  }

  return { contains, touches };
}

/** The whole, of which a point in the far west is outside. */
function rootOf(edges: readonly Edge[]): Part {
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const [x1, y1, x2, y2] of edges) {
    south = Math.min(south, y1, y2);
    north = Math.max(north, y1, y2);
    west = Math.min(west, x1, x2);
    east = Math.max(east, x1, x2);
  }
  const known = { latitude: south, longitude: west - 1, isInside: false };
  return { box: [south, west, north, east], depth: 0, edges, known };
}

function partsOf(part: Part): Part[] {
  const [south, west, north, east] = part.box;
  const { latitude, longitude } = middleOf(part.box);
  const boxes: Box[] = [
    [south, west, latitude, longitude],
    [south, longitude, latitude, east],
    [latitude, west, north, longitude],
    [latitude, longitude, north, east],
  ];
  return boxes.map((box) => {
    const point = { latitude: between(box[0], box[2]), longitude: between(box[1], box[3]) };
    const known = { ...point, isInside: isInside(part, point.latitude, point.longitude) };
    return { box, depth: part.depth + 1, edges: part.edges.filter((edge) => edgeTouches(edge, box)), known };
  });
}

/** No simple fraction: a corner of an area hardly lies there. */
function between(from: number, to: number): number {
  return from + (to - from) * 0.414_213_562;
}

/** Counts the edges on the way to the known point, first along the latitude and then along the longitude of that. */
function isInside({ edges, known }: Part, latitude: number, longitude: number): boolean {
  const [west, east] = ordered(longitude, known.longitude);
  const [south, north] = ordered(latitude, known.latitude);
  let { isInside: isOdd } = known;
  for (const [x1, y1, x2, y2] of edges) {
    if (y1 > latitude !== y2 > latitude) {
      const x = x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1);
      if (x > west && x <= east) isOdd = !isOdd;
    }
    if (x1 > known.longitude !== x2 > known.longitude) {
      const y = y1 + ((known.longitude - x1) / (x2 - x1)) * (y2 - y1);
      if (y > south && y <= north) isOdd = !isOdd;
    }
  }
  return isOdd;
}

function ordered(one: number, other: number): [number, number] {
  return one < other ? [one, other] : [other, one];
}

function isIn([south, west, north, east]: Box, latitude: number, longitude: number): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}

function edgesOf(ring: Ring): Edge[] {
  return ring.slice(1).map((to, index): Edge => [...(ring[index] as Position), ...to]);
}

/** Whether the edge has a point in the box: it overlaps, and the corners are not all on one side of its line. */
function edgeTouches([x1, y1, x2, y2]: Edge, [south, west, north, east]: Box): boolean {
  if (Math.max(x1, x2) < west || Math.min(x1, x2) > east) return false;
  if (Math.max(y1, y2) < south || Math.min(y1, y2) > north) return false;
  const side = (x: number, y: number) => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
  const [a, b, c, d] = [side(west, south), side(west, north), side(east, south), side(east, north)];
  return !(a > 0 && b > 0 && c > 0 && d > 0) && !(a < 0 && b < 0 && c < 0 && d < 0);
}
