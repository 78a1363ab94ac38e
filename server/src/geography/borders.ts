import { borders } from "@rapideditor/country-coder";

/** A tile is a sixteenth of a degree: some seven kilometers. */
export const tilesPerDegree = 16;

/**
 * A part of a country as a square sees it: the edges that a ray from a point of the square to the east can cross, each as
 * x, y of its end and of its beginning.
 */
export type Outline = { feature: number; edges: Float64Array };

type Square = { south: number; west: number; size: number };
type Part = Outline & { south: number; north: number; east: number };

const outlinesByDegree = new Map<string, readonly Outline[]>();
const degreesMax = 4_096;
let keptEdges = 0;
const keptEdgesMax = 250_000;
let allParts: readonly Part[] | undefined;

/** The outlines that tell in which country a point of a tile lies, and whether a border passes through the tile. */
export function outlinesAt(row: number, column: number): { outlines: readonly Outline[]; isDivided: boolean } {
  const size = 1 / tilesPerDegree;
  const square = { south: row * size, west: column * size, size };
  const outlines = seenFrom(square, outlinesOfDegree(Math.floor(square.south), Math.floor(square.west)));
  return { outlines, isDivided: outlines.some(({ edges }) => hasEdge(edges, square)) };
}

/** Whether a point lies inside, by the rule of the library, so that both agree on the border itself too. */
export function isInside({ edges }: Outline, latitude: number, longitude: number): boolean {
  let isIn = false;
  for (let at = 0; at < edges.length; at += 4) {
    const y1 = edges[at + 1] ?? 0;
    const y2 = edges[at + 3] ?? 0;
    if (y1 > latitude === y2 > latitude) continue;
    const x1 = edges[at] ?? 0;
    const x2 = edges[at + 2] ?? 0;
    if (longitude < ((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1) isIn = !isIn;
  }
  return isIn;
}

/** In a square of one degree, so that its tiles need not look through the outlines of the whole world. */
function outlinesOfDegree(south: number, west: number): readonly Outline[] {
  const key = `${south} ${west}`;
  const known = outlinesByDegree.get(key);
  if (known) return known;
  const parts = (allParts ??= listParts()).filter(
    (part) => part.north >= south && part.south <= south + 1 && part.east >= west,
  );
  const outlines = seenFrom({ south, west, size: 1 }, parts);
  keptEdges += countEdges(outlines);
  if (outlinesByDegree.size >= degreesMax || keptEdges > keptEdgesMax) {
    outlinesByDegree.clear();
    keptEdges = countEdges(outlines);
  }
  outlinesByDegree.set(key, outlines);
  return outlines;
}

export function countEdges(outlines: readonly Outline[]): number {
  return outlines.reduce((sum, { edges }) => sum + edges.length / 4, 0);
}

/** Where a crossing lies is rounded. */
const rounding = 1e-9;
const farEast = 1_000;

/**
 * A ray to the east never crosses what lies west of the square, and whether it crosses what lies east of it depends on
 * the latitudes alone: edges that follow each other there are crossed as often as one from the first end to the last.
 */
function seenFrom({ south, west, size }: Square, outlines: readonly Outline[]): Outline[] {
  const [north, east] = [south + size, west + size + rounding];
  const seen: Outline[] = [];
  for (const { feature, edges } of outlines) {
    const kept: number[] = [];
    let far: [y1: number, y2: number] | undefined;
    const keepFar = () => {
      if (far && Math.max(...far) >= south && Math.min(...far) <= north) kept.push(farEast, far[0], farEast, far[1]);
      far = undefined;
    };
    for (let at = 0; at < edges.length; at += 4) {
      const x1 = edges[at] ?? 0;
      const y1 = edges[at + 1] ?? 0;
      const x2 = edges[at + 2] ?? 0;
      const y2 = edges[at + 3] ?? 0;
      const isBeside = (y1 < south && y2 < south) || (y1 > north && y2 > north);
      if (isBeside || (x1 > east && x2 > east)) {
        if (far?.[0] === y2) far[0] = y1;
        else {
          keepFar();
          far = [y1, y2];
        }
      } else if (x1 >= west - rounding || x2 >= west - rounding) kept.push(x1, y1, x2, y2);
    }
    keepFar();
    if (kept.length > 0) seen.push({ feature, edges: Float64Array.from(kept) });
  }
  return seen;
}

/** Whether the box around an edge meets the square, its sides included. */
function hasEdge(edges: Float64Array, { south, west, size }: Square): boolean {
  for (let at = 0; at < edges.length; at += 4) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [edges[at], edges[at + 1], edges[at + 2], edges[at + 3]];
    const meets =
      Math.max(y1, y2) >= south &&
      Math.min(y1, y2) <= south + size &&
      Math.max(x1, x2) >= west &&
      Math.min(x1, x2) <= west + size;
    if (meets) return true;
  }
  return false;
}

function listParts(): Part[] {
  const parts: Part[] = [];
  for (const [feature, { geometry }] of borders.features.entries()) {
    // A territory made up of others has no outline.
    if (geometry?.type !== "MultiPolygon") continue;
    for (const rings of geometry.coordinates) parts.push(toPart(feature, rings));
  }
  return parts;
}

function toPart(feature: number, rings: readonly (readonly (readonly number[])[])[]): Part {
  const edges = new Float64Array(rings.reduce((sum, ring) => sum + ring.length, 0) * 4);
  const part = { feature, edges, south: Infinity, north: -Infinity, east: -Infinity };
  let at = 0;
  for (const ring of rings) {
    let [x2 = 0, y2 = 0] = ring.at(-1) ?? [];
    for (const [x1 = 0, y1 = 0] of ring) {
      edges[at++] = x1;
      edges[at++] = y1;
      edges[at++] = x2;
      edges[at++] = y2;
      part.south = Math.min(part.south, y1);
      part.north = Math.max(part.north, y1);
      part.east = Math.max(part.east, x1);
      [x2, y2] = [x1, y1];
    }
  }
  return part;
}
