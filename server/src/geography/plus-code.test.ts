import assert from "node:assert/strict";
import { test } from "node:test";
import { plusCodeOf } from "./plus-code.ts";

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
