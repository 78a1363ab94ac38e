import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Box } from "../../geography/points.ts";
import { unpackShape } from "../../geography/shape.ts";

type XY = readonly [x: number, y: number];
export type Outline = { name: string; level: number; lines: XY[][] };

/** An area's outline is drawn where it is at least this share of a tile wide or high. */
const shareMin = 1 / 24;
const outlinesMax = 40;
const e6 = 1_000_000;

/**
 * The outlines of areas that pass through a square of the map, in its own coordinates. Each is cut at the
 * square's edge, with a margin, so that a country is not sent with every street.
 */
export async function listOutlines(
  db: Pick<Database, "query">,
  box: Box,
  project: (latitude: number, longitude: number) => XY,
  { extent, margin }: { extent: number; margin: number },
): Promise<Outline[]> {
  const [south, west, north, east] = box;
  const { rows } = await db.query<{ name: string; level: number | null; shape: string }>(sql`
    select name, level, shape
    from catalog_areas
    where extent && box(point(${west}, ${south}), point(${east}, ${north}))
      and shape is not null
      and greatest(
        ((extent[0])[0] - (extent[1])[0]) / ${east - west},
        ((extent[0])[1] - (extent[1])[1]) / ${north - south}
      ) >= ${shareMin}
    order by level nulls last, area(extent) desc
    limit ${outlinesMax}
  `);
  const frame: Frame = [-margin, -margin, extent + margin, extent + margin];
  return rows.flatMap(({ name, level, shape }) => {
    const lines = unpackShape(shape).flatMap((ring) => clipLine(pointsOf(ring, project), frame));
    return lines.length === 0 ? [] : [{ name, level: level ?? 0, lines }];
  });
}

/** The ring's points in the tile; those that fall together at this zoom are one. */
function pointsOf(ring: Int32Array, project: (latitude: number, longitude: number) => XY): XY[] {
  const points: XY[] = [];
  for (let at = 0; at < ring.length; at += 2) {
    const [x, y] = project((ring[at] ?? 0) / e6, (ring[at + 1] ?? 0) / e6);
    const last = points.at(-1);
    if (last?.[0] !== x || last[1] !== y) points.push([x, y]);
  }
  return points;
}

type Frame = readonly [left: number, top: number, right: number, bottom: number];

/** The parts of a line inside a frame. */
export function clipLine(points: readonly XY[], frame: Frame): XY[][] {
  const lines: XY[][] = [];
  let line: XY[] = [];
  for (let at = 1; at < points.length; at += 1) {
    const [from, to] = [points[at - 1], points[at]];
    const part = from && to && clipSegment(from, to, frame);
    if (!part) continue;
    const last = line.at(-1);
    if (last?.[0] === part[0][0] && last[1] === part[0][1]) line.push(part[1]);
    else lines.push((line = [...part]));
  }
  return lines;
}

/** The part of a segment inside a frame, by Liang and Barsky; undefined when none is. */
function clipSegment([x0, y0]: XY, [x1, y1]: XY, [left, top, right, bottom]: Frame): [XY, XY] | undefined {
  const [dx, dy] = [x1 - x0, y1 - y0];
  let [enter, leave] = [0, 1];
  for (const [step, room] of [
    [-dx, x0 - left],
    [dx, right - x0],
    [-dy, y0 - top],
    [dy, bottom - y0],
  ] as const) {
    if (step === 0 && room < 0) return undefined;
    if (step < 0) enter = Math.max(enter, room / step);
    if (step > 0) leave = Math.min(leave, room / step);
  }
  if (enter >= leave) return undefined;
  const at = (share: number): XY => [Math.round(x0 + share * dx), Math.round(y0 + share * dy)];
  return [at(enter), at(leave)];
}
