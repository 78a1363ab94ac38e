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

        for (const [west, latitude] of points) {
          const longitude = west + 0.000_012_3; // on an edge, a point is neither inside nor outside
          assert.equal(contains(latitude, longitude), isPlainlyInside(rings, latitude, longitude));
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test("a box of thousands of edges is prepared in turns, and its points are inside as before", async () => {
  const star = Array.from({ length: 2_998 }, (_, index): [number, number] => {
    const [angle, reach] = [(index / 2_998) * 2 * Math.PI, index % 2 === 0 ? 0.001 : 0.5];
    return [9.5 + reach * Math.cos(angle), 47.1 + reach * Math.sin(angle)];
  });
  const rings: Ring[] = [[...star, star[0] as [number, number]]];
  const { contains, prepare } = createPolygonIndex(rings);
  let turns = 0;
  let others = setImmediate(function count() {
    turns += 1;
    others = setImmediate(count);
  });

  await prepare([46, 9, 48, 10]);
  clearImmediate(others);

  assert.ok(turns > 3, `${turns} turns`);
  for (let step = 0; step < 500; step += 1) {
    const [latitude, longitude] = [46.7 + step / 625, 9.1 + ((step * 37) % 500) / 625 + 0.000_012_3];
    assert.equal(contains(latitude, longitude), isPlainlyInside(rings, latitude, longitude));
  }
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

test("a point costs no look at each of ten thousand edges, however they lie", () => {
  const edgesCount = 9_998;
  const areas: Record<string, Ring> = {
    "a zigzag from pole to pole": ringOf(edgesCount, (at) => [-179 + (358 * at) / edgesCount, at % 2 === 0 ? -85 : 85]),
    "chords all over": ringOf(edgesCount, (at) => [
      -10 + ((at * 7_919) % 4_001) / 100,
      36 + ((at * 104_729) % 2_401) / 100,
    ]),
    "a zigzag within a street": ringOf(edgesCount, (at) => [9.5 + (at % 89) / 1e9, at % 2 === 0 ? 36 : 60]),
  };
  const points = Array.from({ length: 100 }, (_, at) => [40 + at / 5, -5 + ((at * 37) % 100) / 4] as const);
  for (const [name, area] of Object.entries(areas)) {
    const { contains } = createPolygonIndex([area]);
    for (const [latitude, longitude] of points) contains(latitude, longitude); // the parts are made

    const indexed = timed(() => points.map(([latitude, longitude]) => contains(latitude, longitude)));
    const plain = timed(() => points.map(([latitude, longitude]) => isPlainlyInside([area], latitude, longitude)));

    assert.deepEqual(indexed.found, plain.found, name);
    assert.ok(
      indexed.tookMs * 10 < plain.tookMs,
      `${name}: ${indexed.tookMs} ms, one after the other ${plain.tookMs} ms`,
    );
  }
});

function timed<Found>(find: () => Found): { found: Found; tookMs: number } {
  const before = process.threadCpuUsage();
  const found = find();
  const { user, system } = process.threadCpuUsage(before);
  return { found, tookMs: (user + system) / 1_000 };
}

function ringOf(count: number, positionAt: (at: number) => [number, number]): Ring {
  const positions = Array.from({ length: count }, (_, at) => positionAt(at));
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
