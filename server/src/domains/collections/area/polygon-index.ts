import { type Box, middleOf } from "../../../sources/geo.ts";
import type { Position, Ring } from "./area.ts";
import type { Shape } from "./shape.ts";

const stripsMax = 4_096;
/** The memory for edges by strip: a zigzag of long edges lies in every strip. */
const entriesMax = 1_000_000;

/**
 * The edges of polygons by strips of latitude, so that a test looks only at the edges beside a point.
 * Inside is what a line to the east leaves by an odd number of edges: holes are outside.
 */
export function createPolygonIndex(rings: readonly Ring[]): Pick<Shape, "contains" | "touches"> {
  const edges = rings.flatMap(edgesOf);
  let [south, north] = [90, -90];
  for (const [, y1, , y2] of edges) {
    south = Math.min(south, y1, y2);
    north = Math.max(north, y1, y2);
  }
  const count = stripCount(edges, north - south);
  const height = (north - south) / count;
  const stripOf = (latitude: number) => Math.min(count - 1, Math.max(0, Math.floor((latitude - south) / height)));
  const strips: Edge[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) {
    const [, y1, , y2] = edge;
    const last = stripOf(Math.max(y1, y2));
    for (let strip = stripOf(Math.min(y1, y2)); strip <= last; strip += 1) strips[strip]?.push(edge);
  }

  function contains(latitude: number, longitude: number): boolean {
    if (latitude < south || latitude > north) return false;
    let isInside = false;
    for (const [x1, y1, x2, y2] of strips[stripOf(latitude)] ?? []) {
      if (y1 > latitude === y2 > latitude) continue;
      if (longitude < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
    return isInside;
  }

  function touches(box: Box): boolean {
    const [boxSouth, , boxNorth] = box;
    if (boxNorth < south || boxSouth > north) return false;
    const last = stripOf(boxNorth);
    for (let strip = stripOf(boxSouth); strip <= last; strip += 1) {
      if ((strips[strip] ?? []).some((edge) => edgeTouches(edge, box))) return true;
    }
    // No edge in it: the box lies inside as a whole, or outside.
    const { latitude, longitude } = middleOf(box);
    return contains(latitude, longitude);
  }

  return { contains, touches };
}

type Edge = readonly [number, number, number, number];

function edgesOf(ring: Ring): Edge[] {
  return ring.slice(1).map((to, index): Edge => [...(ring[index] as Position), ...to]);
}

function stripCount(edges: readonly Edge[], span: number): number {
  const heights = edges.reduce((sum, [, y1, , y2]) => sum + Math.abs(y2 - y1), 0) / span;
  // About so many entries there are per strip, beside one for each edge.
  const affordable = Math.max(1, Math.floor((entriesMax - edges.length) / heights));
  return Math.max(1, Math.min(stripsMax, edges.length, affordable));
}

/** Whether the edge has a point in the box: it overlaps, and the corners are not all on one side of its line. */
function edgeTouches([x1, y1, x2, y2]: Edge, [south, west, north, east]: Box): boolean {
  if (Math.max(x1, x2) < west || Math.min(x1, x2) > east) return false;
  if (Math.max(y1, y2) < south || Math.min(y1, y2) > north) return false;
  const side = (x: number, y: number) => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
  const sides = [side(west, south), side(west, north), side(east, south), side(east, north)];
  return !sides.every((value) => value > 0) && !sides.every((value) => value < 0);
}
