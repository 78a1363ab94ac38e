import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestOfPlusCode, plusCodeOf, pointOfPlusCode } from "./plus-code.ts";

test("each cell begins exactly where it begins, whatever floating point makes of it", () => {
  for (let cell = 1; cell < 2000; cell += 1) {
    const [here, before] = [plusCodeOf(cell / 8000 - 90, 0), plusCodeOf((cell - 1) / 8000 - 90, 0)];
    assert.notEqual(here, before, `${cell}`);
  }
});

// The points and codes of the open location code project's own encoding examples, at ten digits.
test("points have the codes the standard gives them", () => {
  assert.equal(plusCodeOf(20.3700625, 2.7821875), "7FG49QCJ+2V");
  assert.equal(plusCodeOf(47.0000625, 8.0000625), "8FVC2222+22");
  assert.equal(plusCodeOf(-41.2730625, 174.7859375), "4VCPPQGP+Q9");
  assert.equal(plusCodeOf(90, 1), "CFX3X2X2+X2");
  assert.equal(plusCodeOf(0, -180), "62G22222+22");
  assert.equal(plusCodeOf(1, 180), "62H22222+22");
});

test("a code is read as the middle of its cell, and a short one as the nearest that it may be", () => {
  const points = [
    [47.141, 9.5209],
    [-41.2730625, 174.7859375],
    [0, -180],
    [89.99, 179.99],
  ] as const;
  for (const [latitude, longitude] of points) {
    const code = plusCodeOf(latitude, longitude);
    const read = pointOfPlusCode(code.toLowerCase());
    assert.ok(read && Math.abs(read.latitude - latitude) < 1e-4 && Math.abs(read.longitude - longitude) < 1e-4, code);
    const near = { latitude: latitude > 0 ? latitude - 0.3 : latitude + 0.3, longitude: longitude * 0.999 };
    for (const dropped of [2, 4]) {
      const found = nearestOfPlusCode(code.slice(dropped), near);
      assert.ok(found && Math.abs(found.latitude - latitude) < 1e-4, `${code} without ${dropped}`);
      assert.ok(Math.abs(((found.longitude - longitude + 540) % 360) - 180) < 1e-4, `${code} without ${dropped}`);
    }
  }
  for (const text of ["8FVF4GQC2X", "8FVF4GQ+2X", "AFVF4GQC+2X", "XXXXXXXX+XX"])
    assert.equal(pointOfPlusCode(text), undefined);
});
