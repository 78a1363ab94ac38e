import { borders } from "@rapideditor/country-coder";

/** A tile is a sixteenth of a degree: some seven kilometers. */
export const tilesPerDegree = 16;

/** The boxes around edges: south, west, north, east in turns. */
type Edges = Float64Array;

const edgesByDegree = new Map<string, Edges>();
const degreesMax = 4_096;
let allEdges: Edges | undefined;

/** Whether the border of a country, or of a part of one, may pass through a tile. */
export function hasBorder(row: number, column: number): boolean {
  const size = 1 / tilesPerDegree;
  const [south, west] = [row * size, column * size];
  return edgesNear(edgesOfDegree(Math.floor(south), Math.floor(west)), south, west, size).length > 0;
}

/** The edges in a square of one degree, so that its tiles need not look through those of the whole world. */
function edgesOfDegree(south: number, west: number): Edges {
  const key = `${south} ${west}`;
  let edges = edgesByDegree.get(key);
  if (!edges) {
    edges = edgesNear((allEdges ??= listEdges()), south, west, 1);
    if (edgesByDegree.size >= degreesMax) edgesByDegree.clear();
    edgesByDegree.set(key, edges);
  }
  return edges;
}

/** Those whose boxes meet the square, its own sides included. */
function edgesNear(edges: Edges, south: number, west: number, size: number): Edges {
  const near: number[] = [];
  for (let at = 0; at < edges.length; at += 4) {
    const [low = 0, left = 0, high = 0, right = 0] = [edges[at], edges[at + 1], edges[at + 2], edges[at + 3]];
    if (high >= south && low <= south + size && right >= west && left <= west + size) near.push(low, left, high, right);
  }
  return Float64Array.from(near);
}

function listEdges(): Edges {
  const edges: number[] = [];
  for (const { geometry } of borders.features) {
    // A territory that others make up has no outline of its own.
    if (geometry?.type !== "MultiPolygon") continue;
    for (const ring of geometry.coordinates.flat()) {
      let [x0 = 0, y0 = 0] = ring.at(-1) ?? [];
      for (const [x1 = 0, y1 = 0] of ring) {
        edges.push(Math.min(y0, y1), Math.min(x0, x1), Math.max(y0, y1), Math.max(x0, x1));
        [x0, y0] = [x1, y1];
      }
    }
  }
  return Float64Array.from(edges);
}
