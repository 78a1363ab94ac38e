import assert from "node:assert/strict";
import { test } from "node:test";
import { containmentOf, extentOf, isClearOf, packShape, pointsIn, shapeOf, unpackShape } from "./shape.ts";

type Ring = [number, number][];

const square = (south: number, west: number, size: number): Ring => [
  [south, west],
  [south, west + size],
  [south + size, west + size],
  [south + size, west],
  [south, west],
];

test("a shape holds what its rings enclose, without its holes, and survives being packed", () => {
  const shape = shapeOf([square(10, 20, 1), square(10.4, 20.4, 0.2), square(-5, 3, 0.5)], 100);
  assert.ok(shape);

  for (const each of [shape, unpackShape(packShape(shape))]) {
    const contains = containmentOf(each);
    assert.deepEqual(
      [contains(10.1, 20.1), contains(10.5, 20.5), contains(-4.8, 3.2), contains(10.5, 21.5), contains(0, 10)],
      [true, false, true, false, false],
    );
  }
  assert.deepEqual(extentOf(shape), [-5, 3, 11, 21]);
});

test("an outline keeps its form and no more points than it may", () => {
  const circle: Ring = Array.from({ length: 20_001 }, (_, at) => {
    const angle = ((at % 20_000) / 20_000) * 2 * Math.PI;
    return [47 + 0.1 * Math.sin(angle), 9 + 0.15 * Math.cos(angle)];
  });

  const shape = shapeOf([circle], 200);

  assert.ok(shape && pointsIn(shape) <= 200 && pointsIn(shape) > 20);
  const contains = containmentOf(shape);
  for (let at = 0; at < 20_000; at += 97) {
    const [latitude = 0, longitude = 0] = circle[at] ?? [];
    assert.ok(contains(47 + (latitude - 47) * 0.98, 9 + (longitude - 9) * 0.98));
    assert.ok(!contains(47 + (latitude - 47) * 1.02, 9 + (longitude - 9) * 1.02));
  }
});

test("a shape across the antimeridian holds what lies on both sides of it", () => {
  const ring: Ring = [
    [-20, 178],
    [-20, -178],
    [-16, -178],
    [-16, 178],
    [-20, 178],
  ];
  const shape = shapeOf([ring, square(-15, -179.5, 1)], 100);
  assert.ok(shape);
  const contains = containmentOf(shape);

  assert.deepEqual(
    [contains(-18, 179), contains(-18, -179), contains(-14.5, -179), contains(-18, 170), contains(-18, 0)],
    [true, true, true, false, false],
  );
});

test("a box that no outline comes near is inside or outside as a whole", () => {
  const shape = shapeOf([square(10, 20, 1)], 100);
  assert.ok(shape);

  assert.ok(isClearOf(shape, [10.2, 20.2, 10.4, 20.4]));
  assert.ok(isClearOf(shape, [0, 0, 1, 1]));
  assert.ok(!isClearOf(shape, [9.9, 20.2, 10.1, 20.4]));
});
