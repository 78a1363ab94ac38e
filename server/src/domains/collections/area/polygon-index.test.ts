import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Ring } from "./area.ts";
import { createPolygonIndex } from "./polygon-index.ts";

// Many corners and points that share a latitude or a longitude, and some that do not.
const degrees = fc.oneof(
  fc.integer({ min: -8, max: 8 }),
  fc.integer({ min: -80_000, max: 80_000 }).map((value) => value / 10_000),
);
const ring = fc
  .array(fc.tuple(degrees, degrees), { minLength: 3, maxLength: 60 })
  .map((positions): Ring => [...positions, positions[0] ?? [0, 0]]);

test("a point is inside when a line to the east crosses an odd number of edges", () => {
  fc.assert(
    fc.property(
      fc.array(ring, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(degrees, degrees)),
      (rings, points) => {
        const { contains } = createPolygonIndex(rings);

        for (const [longitude, latitude] of points) {
          assert.equal(contains(latitude, longitude), isPlainlyInside(rings, latitude, longitude));
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test("a box without an edge in it touches an area when it lies inside", () => {
  const { touches } = createPolygonIndex([
    [
      [0, 0],
      [8, 0],
      [8, 8],
      [0, 8],
      [0, 0],
    ],
    [
      [2, 2],
      [6, 2],
      [6, 6],
      [2, 6],
      [2, 2],
    ],
  ]);

  assert.equal(touches([0.5, 0.5, 1, 1]), true);
  assert.equal(touches([3, 3, 4, 4]), false, "in the hole");
  assert.equal(touches([3, 3, 7, 7]), true);
  assert.equal(touches([9, 9, 10, 10]), false);
});

test("a zigzag of ten thousand long edges costs a point no look at each of them", () => {
  const zigzag = zigzagOf(9_998);
  const { contains } = createPolygonIndex([zigzag]);
  const points = Array.from(
    { length: 20_000 },
    (_, index) => [40 + (index % 141) / 7, -5 + (index % 997) / 40] as const,
  );
  for (const [latitude, longitude] of points) contains(latitude, longitude); // the parts are made

  const { user } = process.threadCpuUsage();
  const inside = points.filter(([latitude, longitude]) => contains(latitude, longitude)).length;
  const tookMs = (process.threadCpuUsage().user - user) / 1_000;

  assert.ok(inside > 3_000 && inside < 6_000, `${inside} points`);
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
});

/** Across the world, from pole to pole and back. */
function zigzagOf(count: number): Ring {
  const positions = Array.from({ length: count }, (_, at): [number, number] => [
    -179 + (358 * at) / count,
    at % 2 === 0 ? -85 : 85,
  ]);
  return [...positions, positions[0] ?? [0, 0]];
}

function isPlainlyInside(rings: readonly Ring[], latitude: number, longitude: number): boolean {
  let isInside = false;
  for (const each of rings) {
    for (let at = 1; at < each.length; at += 1) {
      const [[x1, y1], [x2, y2]] = [each[at - 1] ?? [0, 0], each[at] ?? [0, 0]];
      if (y1 > latitude === y2 > latitude) continue;
      if (longitude < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
  }
  return isInside;
}
