import type { Box } from "./points.ts";

/**
 * Rings of points in millionths of a degree, latitude and longitude in turns. A point inside an odd
 * number of rings is inside the shape, so that holes and exclaves need no order. Longitudes run on
 * past 180 degrees where the shape crosses the antimeridian.
 */
export type Shape = readonly Int32Array[];

type LatLon = readonly [latitude: number, longitude: number];

const e6 = 1_000_000;
const whole = 360 * e6;
/** About three meters. */
const toleranceMin = 30;
/** The share of its size that an outline may be off by. */
const toleranceShare = 1 / 20_000;

/** The shape of closed rings, without the points that it does not need. Their number has a bound. */
export function shapeOf(rings: readonly (readonly LatLon[])[], pointsMax: number): Shape | null {
  const outlines = rings.map(unwrap);
  alignRings(outlines);
  const [south, west, north, east] = extentE6(outlines);
  const size = Math.max(north - south, east - west);
  for (let tolerance = Math.max(toleranceMin, size * toleranceShare); ; tolerance *= 2) {
    const simplified = outlines.map((ring) => simplify(ring, tolerance)).filter((ring) => ring.length >= 8);
    if (simplified.length === 0) return null;
    if (pointsIn(simplified) <= pointsMax) return simplified;
  }
}

export type Contains = (latitude: number, longitude: number) => boolean;

const bandsMax = 512;
const noEdges = new Int32Array(0);

/** Says which points are inside. Edges are sorted by bands of latitude, so that a point meets those of its band only. */
export function containmentOf(shape: Shape): Contains {
  const [south, west, north, east] = extentE6(shape);
  const count = Math.max(1, Math.min(bandsMax, Math.ceil(pointsIn(shape) / 8)));
  const height = Math.max(1, (north - south) / count);
  const bandOf = (y: number) => Math.min(count - 1, Math.floor((y - south) / height));
  const bands: number[][] = Array.from({ length: count }, () => []);
  for (const ring of shape) {
    for (let at = 2; at < ring.length; at += 2) {
      const [y0 = 0, x0 = 0, y1 = 0, x1 = 0] = [ring[at - 2], ring[at - 1], ring[at], ring[at + 1]];
      if (y0 === y1) continue;
      for (let band = bandOf(Math.min(y0, y1)); band <= bandOf(Math.max(y0, y1)); band += 1) {
        bands[band]?.push(y0, x0, y1, x1);
      }
    }
  }
  const packed = bands.map((edges) => Int32Array.from(edges));

  const hasPoint = (y: number, x: number): boolean => {
    if (y < south || y > north || x < west || x > east) return false;
    const edges = packed[bandOf(y)] ?? noEdges;
    let isOdd = false;
    for (let at = 0; at < edges.length; at += 4) {
      const y0 = edges[at] ?? 0;
      const y1 = edges[at + 2] ?? 0;
      if (y0 > y === y1 > y) continue;
      const x0 = edges[at + 1] ?? 0;
      if (x < x0 + ((y - y0) / (y1 - y0)) * ((edges[at + 3] ?? 0) - x0)) isOdd = !isOdd;
    }
    return isOdd;
  };
  return (latitude, longitude) => {
    const [y, x] = [Math.round(latitude * e6), Math.round(longitude * e6)];
    return hasPoint(y, x) || (x < 0 && hasPoint(y, x + whole));
  };
}

export function pointsIn(shape: Shape): number {
  return shape.reduce((sum, ring) => sum + ring.length / 2, 0);
}

/** South, west, north, east in degrees; east may pass 180. */
export function extentOf(shape: Shape): Box {
  const [south, west, north, east] = extentE6(shape);
  return [south / e6, west / e6, north / e6, east / e6];
}

/** True when no part of the outline comes near the box: it lies inside or outside as a whole. */
export function isClearOf(shape: Shape, [south, west, north, east]: Box): boolean {
  const [low, left, high, right] = [south * e6, west * e6, north * e6, east * e6];
  for (const shift of [0, whole]) {
    for (const ring of shape) {
      for (let at = 2; at < ring.length; at += 2) {
        const [y0 = 0, x0 = 0, y1 = 0, x1 = 0] = [ring[at - 2], ring[at - 1], ring[at], ring[at + 1]];
        const isBeside =
          (y0 < low && y1 < low) ||
          (y0 > high && y1 > high) ||
          (x0 < left + shift && x1 < left + shift) ||
          (x0 > right + shift && x1 > right + shift);
        if (!isBeside) return false;
      }
    }
  }
  return true;
}

/** As text: each ring by the steps from point to point. */
export function packShape(shape: Shape): string {
  return JSON.stringify(
    shape.map((ring) => Array.from(ring, (value, at) => value - (at < 2 ? 0 : (ring[at - 2] ?? 0)))),
  );
}

export function unpackShape(text: string): Shape {
  const rings = JSON.parse(text) as number[][];
  return rings.map((steps) => {
    const ring = Int32Array.from(steps);
    for (let at = 2; at < ring.length; at += 1) ring[at] = (ring[at] ?? 0) + (ring[at - 2] ?? 0);
    return ring;
  });
}

/** Each point at most half the Earth away from the one before. */
function unwrap(ring: readonly LatLon[]): Int32Array {
  const points = new Int32Array(ring.length * 2);
  let turns = 0;
  ring.forEach(([latitude, longitude], at) => {
    const before = ring[at - 1]?.[1] ?? longitude;
    if (longitude - before > 180) turns -= 1;
    else if (before - longitude > 180) turns += 1;
    points[at * 2] = Math.round(latitude * e6);
    points[at * 2 + 1] = Math.round(longitude * e6) + turns * whole;
  });
  return points;
}

/** Rings begin on either side of the antimeridian; this measures all of them from the west of it. */
function alignRings(rings: readonly Int32Array[]): void {
  for (const ring of rings) if (extentE6([ring])[1] < -whole / 2) shiftEast(ring);
  if (!rings.some((ring) => extentE6([ring])[3] > whole / 2)) return;
  for (const ring of rings) if (extentE6([ring])[3] < 0) shiftEast(ring);
}

function shiftEast(ring: Int32Array): void {
  for (let at = 1; at < ring.length; at += 2) ring[at] = (ring[at] ?? 0) + whole;
}

function extentE6(rings: Shape): [number, number, number, number] {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      south = Math.min(south, ring[at] ?? 0);
      north = Math.max(north, ring[at] ?? 0);
      west = Math.min(west, ring[at + 1] ?? 0);
      east = Math.max(east, ring[at + 1] ?? 0);
    }
  }
  return [south, west, north, east];
}

/** Keeps the points that lie farther than the tolerance from the line between those kept beside them. */
function simplify(ring: Int32Array, tolerance: number): Int32Array {
  const last = ring.length / 2 - 1;
  const kept = new Uint8Array(last + 1);
  kept[0] = 1;
  kept[last] = 1;
  // A ring ends where it begins: the point farthest from there parts it in two lines.
  const middle = farthest(ring, 0, last).at;
  kept[middle] = 1;
  const parts: [number, number][] = [
    [0, middle],
    [middle, last],
  ];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [from, to] = part;
    if (to - from < 2) continue;
    const { at, distance } = farthest(ring, from, to);
    if (distance <= tolerance) continue;
    kept[at] = 1;
    parts.push([from, at], [at, to]);
  }
  return ring.filter((_, index) => kept[index >> 1] === 1);
}

/** The point between two others that is farthest from the line through them, or from them where they are one. */
function farthest(ring: Int32Array, from: number, to: number): { at: number; distance: number } {
  const [y0 = 0, x0 = 0, y1 = 0, x1 = 0] = [ring[from * 2], ring[from * 2 + 1], ring[to * 2], ring[to * 2 + 1]];
  const shrink = Math.cos(((y0 / e6) * Math.PI) / 180);
  const [dy, dx] = [y1 - y0, (x1 - x0) * shrink];
  const length = Math.hypot(dy, dx);
  let best = { at: from + 1, distance: -1 };
  for (let at = from + 1; at < to; at += 1) {
    const [y, x] = [(ring[at * 2] ?? 0) - y0, ((ring[at * 2 + 1] ?? 0) - x0) * shrink];
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, (y * dy + x * dx) / (length * length)));
    const distance = Math.hypot(y - along * dy, x - along * dx);
    if (distance > best.distance) best = { at, distance };
  }
  return best;
}
