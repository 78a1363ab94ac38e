import type { AreaRecord } from "../../../places/record.ts";

export type Point = readonly [latitude: number, longitude: number];

/** The point that stands for a line or an outline: the center of its area, else the middle of its box. */
export function centerOf(lines: readonly (readonly Point[])[]): Point | undefined {
  const box = boxOf(lines);
  if (!box) return undefined;
  const [south, west, north, east] = box;
  const middle: Point = [(south + north) / 2, wrap(west + spanOf(west, east) / 2)];

  let [area, latitudes, longitudes] = [0, 0, 0];
  for (const ring of assemble(lines).rings) {
    const part = momentsOf(ring, middle);
    area += part.area;
    latitudes += part.latitude;
    longitudes += part.longitude;
  }
  if (area < areaMin) return middle;
  return [middle[0] + latitudes / area, wrap(middle[1] + longitudes / area)];
}

/** The box around all points; its west lies east of its east where it crosses the antimeridian. */
export function boxOf(lines: readonly (readonly Point[])[]): NonNullable<AreaRecord["box"]> | undefined {
  let [south, north, west, east, westPositive, eastNegative] = [90, -90, 180, -180, 180, -180];
  let isEmpty = true;
  for (const line of lines) {
    for (const [latitude, longitude] of line) {
      isEmpty = false;
      south = Math.min(south, latitude);
      north = Math.max(north, latitude);
      west = Math.min(west, longitude);
      east = Math.max(east, longitude);
      if (longitude >= 0) westPositive = Math.min(westPositive, longitude);
      else eastNegative = Math.max(eastNegative, longitude);
    }
  }
  if (isEmpty) return undefined;
  // What spans more than half the Earth one way is meant the other way around.
  const crosses = east - west > 180 && westPositive - eastNegative > 180;
  return crosses ? [south, westPositive, north, eastNegative] : [south, west, north, east];
}

const areaMin = 1e-14;

/** Twice the area of a ring and its first moments, relative to a point near it. */
function momentsOf(ring: readonly Point[], [originLatitude, originLongitude]: Point) {
  let [area, latitude, longitude] = [0, 0, 0];
  for (let at = 0; at + 1 < ring.length; at += 1) {
    const [y0, x0] = relative(ring[at], originLatitude, originLongitude);
    const [y1, x1] = relative(ring[at + 1], originLatitude, originLongitude);
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    longitude += ((x0 + x1) * cross) / 3;
    latitude += ((y0 + y1) * cross) / 3;
  }
  const sign = area < 0 ? -1 : 1;
  return { area: area * sign, latitude: latitude * sign, longitude: longitude * sign };
}

function relative(point: Point | undefined, latitude: number, longitude: number): Point {
  return point ? [point[0] - latitude, wrap(point[1] - longitude)] : [0, 0];
}

/** The closed outlines that the lines make; undefined when one of them is left over. */
export function ringsOf(lines: readonly (readonly Point[])[]): (readonly Point[])[] | undefined {
  const { rings, isWhole } = assemble(lines);
  return isWhole ? rings : undefined;
}

/** Closed lines as they are, open ones put together end to end; what never closes is left out. */
function assemble(lines: readonly (readonly Point[])[]): { rings: (readonly Point[])[]; isWhole: boolean } {
  const rings: (readonly Point[])[] = [];
  const open = new Set<readonly Point[]>();
  let isWhole = lines.length > 0;
  for (const line of lines) {
    if (isRing(line)) rings.push(line);
    else if (line.length > 0) open.add(line);
    else isWhole = false; // the extract does not have it
  }
  const byEnd = linesByEnd(open);
  for (const first of open) {
    open.delete(first);
    const ring = [...first];
    while (!isRing(ring)) {
      const end = ring.at(-1);
      const ending = byEnd.get(keyOf(end)) ?? [];
      let next = ending.pop();
      while (next && !open.has(next)) next = ending.pop();
      if (!next) break;
      open.delete(next);
      const isForward = isSame(next[0], end);
      for (let at = 1; at < next.length; at += 1) {
        const point = isForward ? next[at] : next[next.length - 1 - at];
        if (point) ring.push(point);
      }
    }
    if (isRing(ring)) rings.push(ring);
    else isWhole = false;
  }
  return { rings, isWhole };
}

/** The lines that begin or end at a point, the first of them last: thousands may meet in one, and each is taken once. */
function linesByEnd(lines: Iterable<readonly Point[]>): Map<string, (readonly Point[])[]> {
  const byEnd = new Map<string, (readonly Point[])[]>();
  for (const line of [...lines].toReversed()) {
    for (const end of [line[0], line.at(-1)]) {
      const list = byEnd.get(keyOf(end));
      if (list) list.push(line);
      else byEnd.set(keyOf(end), [line]);
    }
  }
  return byEnd;
}

function keyOf(point: Point | undefined): string {
  return point ? `${point[0]} ${point[1]}` : "";
}

function isRing(line: readonly Point[]): boolean {
  return line.length > 3 && isSame(line[0], line.at(-1));
}

function isSame(left: Point | undefined, right: Point | undefined): boolean {
  return left !== undefined && left[0] === right?.[0] && left[1] === right[1];
}

function spanOf(west: number, east: number): number {
  return east >= west ? east - west : east - west + 360;
}

function wrap(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}
