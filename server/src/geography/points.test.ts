import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { boxesAround, degreeM, distanceM, grownBoxes, parseViewport, pointsAround, radiusOfZoom } from "./points.ts";

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const point = fc.record({ latitude, longitude });

test("the boxes around a circle hold every point of it, at the poles and over the antimeridian too", () => {
  fc.assert(
    fc.property(point, point, fc.double({ min: 300, max: 2_000_000, noNaN: true }), (center, other, radiusM) => {
      const away = distanceM(center.latitude, center.longitude, other.latitude, other.longitude);
      if (away > radiusM * 0.999) return;
      const isInside = boxesAround(center, radiusM).some(
        ([south, west, north, east]) =>
          other.latitude >= south && other.latitude <= north && other.longitude >= west && other.longitude <= east,
      );
      assert.ok(isInside);
    }),
    { numRuns: 5_000, examples: [[{ latitude: 0, longitude: 179.9999 }, { latitude: 0, longitude: -179.9999 }, 300]] },
  );
});

test("a box that grows over the antimeridian continues on the other side", () => {
  assert.deepEqual(
    grownBoxes([-1, 179, 1, 180], 111_195).map((box) => box.map(Math.round)),
    [
      [-2, 178, 2, 180],
      [-2, -180, 2, -179],
    ],
  );
});

test("a zoom becomes a radius from 300 meters to 200 kilometers", () => {
  assert.equal(radiusOfZoom(47, 21), 300);
  assert.equal(radiusOfZoom(47, 1), 200_000);
  assert.equal(Math.round(radiusOfZoom(0, 14)), Math.round((156_543 / 2 ** 14) * 512));
});

test("a viewport is read with its decimals and signs, and nothing else is one", () => {
  assert.deepEqual(parseViewport("@-47.5,9,14z")?.center, { latitude: -47.5, longitude: 9 });
  for (const text of ["47,9,14z", "@47,9", "@91,0,3z", "@0,181,3z", ""]) assert.equal(parseViewport(text), undefined);
});

test("points around another are as far away as asked, over the antimeridian too", () => {
  for (const [north, east] of [
    [0, 0],
    [47, 9.5],
    [-17, 179.99],
    [80, -180],
  ] as const) {
    for (const around of pointsAround(north, east, 0.1)) {
      const away = distanceM(north, east, around.latitude, around.longitude);
      assert.ok(Math.abs(away - 0.1 * degreeM) < 150, `${north} ${east} ${away}`);
      assert.ok(Math.abs(around.longitude) <= 180);
    }
  }
});
