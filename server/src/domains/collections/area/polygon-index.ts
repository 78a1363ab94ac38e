import { setImmediate as nextTurn } from "node:timers/promises";
import { type Box, middleOf } from "../../../geography/points.ts";
import { overlap, type Position, type Ring, type Shape } from "./area.ts";

/** A part with more edges is divided when a point in it is asked for. */
const edgesMax = 32;
/** About so many entries, an edge in a part each, are planned for: all parts of the depth that takes as many. */
const plannedEntries = 1_000_000;
/** Deeper than planned, only parts are divided that still have more edges, such as those of a zigzag within a street. */
const crowdedEdges = 500;
const entriesMax = 2_000_000;
const depthMax = 24;
/** Preparing lets others go on after so many edges, which take some milliseconds. */
const edgesPerTurn = 5_000;

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
type Edge = { x1: number; y1: number; x2: number; y2: number };

/**
 * The edges of polygons by parts of their box, which are divided where points are asked for: a test looks only at the
 * edges near its point, also where thousands of long ones lie on its latitude. Inside is what a line to the east leaves
 * by an odd number of edges: holes are outside.
 */
export function createPolygonIndex(rings: readonly Ring[]): Required<Omit<Shape, "bounds" | "id">> {
  const edges = rings.flatMap(edgesOf);
  const root = rootOf(edges);
  const plannedDepth = planDepth(edges, root.box);
  let entries = edges.length;

  function contains(latitude: number, longitude: number): boolean {
    if (!isIn(root.box, latitude, longitude)) return false;
    let part = root;
    for (;;) {
      if (!part.parts && mayDivide(part)) divide(part);
      const next = part.parts?.find(({ box }) => isIn(box, latitude, longitude));
      if (!next) return isInside(part, latitude, longitude);
      part = next;
    }
  }

  function mayDivide({ edges: { length }, depth }: Part): boolean {
    if (length <= edgesMax || depth === depthMax || entries > entriesMax) return false;
    return depth < plannedDepth || length > crowdedEdges;
  }

  function divide(part: Part): void {
    part.parts = partsOf(part);
    entries -= part.edges.length;
    for (const each of part.parts) entries += each.edges.length;
    if (part !== root) part.edges = []; // a point in it lies in one of its parts
  }

  async function prepare(box: Box): Promise<void> {
    const left = [root];
    let edgesOfTurn = 0;
    for (let part = left.pop(); part; part = left.pop()) {
      // What is left to divide in a part of fewer edges takes no time.
      if (!part.parts && part.edges.length > crowdedEdges && mayDivide(part)) {
        edgesOfTurn += part.edges.length;
        divide(part);
      }
      if (edgesOfTurn > edgesPerTurn) {
        await nextTurn();
        edgesOfTurn = 0;
      }
      left.push(...(part.parts ?? []).filter((each) => overlap(each.box, box)));
    }
  }

  function touches(box: Box): boolean {
    if (edges.some((edge) => edgeTouches(edge, box))) return true;
    // No edge in it: the box lies inside as a whole, or outside.
    const { latitude, longitude } = middleOf(box);
    return contains(latitude, longitude);
  }

  return { contains, touches, prepare };
}

/** The whole, of which a point in the far west is outside. */
function rootOf(edges: readonly Edge[]): Part {
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const { x1, y1, x2, y2 } of edges) {
    south = Math.min(south, y1, y2);
    north = Math.max(north, y1, y2);
    west = Math.min(west, x1, x2);
    east = Math.max(east, x1, x2);
  }
  const known = { latitude: south, longitude: west - 1, isInside: false };
  return { box: [south, west, north, east], depth: 0, edges, known };
}

/** With each depth an edge passes through twice as many parts. */
function planDepth(edges: readonly Edge[], [south, west, north, east]: Box): number {
  const [height, width] = [north - south, east - west];
  const lengths = edges.reduce(
    (sum, { x1, y1, x2, y2 }) => sum + Math.abs(x2 - x1) / width + Math.abs(y2 - y1) / height,
    0,
  );
  return Math.floor(Math.log2(Math.max(1, plannedEntries / lengths)));
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
    const point = {
      latitude: between(box[0], box[2], 0.414_213_562),
      longitude: between(box[1], box[3], 0.577_350_269),
    };
    const known = { ...point, isInside: isInside(part, point.latitude, point.longitude) };
    return { box, depth: part.depth + 1, edges: part.edges.filter((edge) => edgeTouches(edge, box)), known };
  });
}

/** By no simple share, and by another one each way: no edge of an area leads through such a point. */
function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Counts the edges on the way to the known point, first along the latitude and then along the longitude of that. */
function isInside({ edges, known }: Part, latitude: number, longitude: number): boolean {
  const [west, east] = ordered(longitude, known.longitude);
  const [south, north] = ordered(latitude, known.latitude);
  let { isInside: isOdd } = known;
  for (const { x1, y1, x2, y2 } of edges) {
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
  return ring.slice(1).map(([x2, y2], index) => {
    const [x1, y1] = ring[index] as Position; // the one before
    return { x1, y1, x2, y2 };
  });
}

/** Whether the edge has a point in the box: it overlaps, and the corners are not all on one side of its line. */
function edgeTouches({ x1, y1, x2, y2 }: Edge, [south, west, north, east]: Box): boolean {
  if ((x1 < west && x2 < west) || (x1 > east && x2 > east)) return false;
  if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) return false;
  const [dx, dy] = [x2 - x1, y2 - y1];
  // The corners that lie farthest to either side of the line.
  const [a, b] = dx * dy > 0 ? [north, south] : [south, north];
  const one = dx * (a - y1) - dy * (west - x1);
  const other = dx * (b - y1) - dy * (east - x1);
  return !(one > 0 && other > 0) && !(one < 0 && other < 0);
}
