import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, centerOf, type Point, ringsOf } from "./geometry.ts";

const square: Point[] = [
  [0, 0],
  [0, 2],
  [2, 2],
  [2, 0],
  [0, 0],
];

test("the center of an outline is that of its area, not of its corners", () => {
  const wedge: Point[] = [
    [0, 0],
    [0, 3],
    [3, 0],
    [0, 0],
  ];

  assert.deepEqual(round(centerOf([square])), [1, 1]);
  assert.deepEqual(round(centerOf([wedge])), [1, 1]);
  assert.deepEqual(round(centerOf([wedge.toReversed()])), [1, 1]);
});

test("an outline in pieces, whichever way each runs, has the center of the whole", () => {
  const pieces = [square.slice(0, 2), square.slice(1, 4).toReversed(), square.slice(3)];

  assert.deepEqual(round(centerOf(pieces)), [1, 1]);
  assert.ok(ringsOf(pieces));
  assert.ok(!ringsOf(pieces.slice(1)));
});

test("an outline that the extract has little of is no outline, however many pieces are missing or meet in one point", () => {
  const missing = Array.from({ length: 60_000 }, (): Point[] => []);
  const star = Array.from({ length: 60_000 }, (_, index): Point[] => [
    [5, 5],
    [6 + index, 7],
  ]);

  assert.equal(ringsOf([square, ...missing]), undefined);
  assert.equal(ringsOf([square, ...star]), undefined);
  assert.deepEqual(round(centerOf([square, ...missing])), [1, 1]);
});

test("a line lies at the middle of its box, a point at itself, nothing nowhere", () => {
  assert.deepEqual(
    centerOf([
      [
        [0, 0],
        [4, 2],
      ],
    ]),
    [2, 1],
  );
  assert.deepEqual(centerOf([[[3, 4]]]), [3, 4]);
  assert.equal(centerOf([[]]), undefined);
  assert.equal(boxOf([]), undefined);
});

test("what crosses the antimeridian stays small", () => {
  const island: Point[] = [
    [-17, 179],
    [-17, -179],
    [-15, -179],
    [-15, 179],
    [-17, 179],
  ];

  assert.deepEqual(boxOf([island]), [-17, 179, -15, -179]);
  const [latitude, longitude] = centerOf([island]) ?? [0, 0];
  assert.equal(Math.round(latitude), -16);
  assert.equal(Math.abs(Math.round(longitude)), 180);
});

function round(point: Point | undefined): number[] {
  return (point ?? []).map((degrees) => Number(degrees.toFixed(6)));
}
