import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cellMax, cellOf, cellsAround, tileOf, tilesBeside, tilesNear } from "./cells.ts";

const longitude = fc.double({ min: -180, max: 180, noNaN: true });

test("the cells around a place hold whatever is within 300 meters of it below 75 degrees", () => {
  fc.assert(
    fc.property(
      fc.record({ latitude: fc.double({ min: -75, max: 75, noNaN: true }), longitude }),
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      (center, angle) => {
        const degrees = 300 / 111_195;
        const east = center.longitude + (Math.cos(angle) * degrees) / Math.cos((center.latitude * Math.PI) / 180);
        const near = {
          latitude: center.latitude + Math.sin(angle) * degrees,
          longitude: east > 180 ? east - 360 : east < -180 ? east + 360 : east,
        };
        assert.ok(cellsAround(cellOf(center)).includes(cellOf(near)));
      },
    ),
  );
});

test("the tiles near a cell are those of the cells around it, and no others lie beside its tile", () => {
  const shift = 6;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: cellMax }), (cell) => {
      const expected = new Set(cellsAround(cell).map((each) => tileOf(each, shift)));
      const corners = [0, 21, 42, 63].map((corner) => tileOf(cell, shift) * 64 + corner);
      const beside = new Set(corners.flatMap(cellsAround).map((each) => tileOf(each, shift)));

      assert.deepEqual(new Set(tilesNear(cell, shift)), expected);
      assert.deepEqual(new Set(tilesBeside(tileOf(cell, shift), shift)), beside);
    }),
  );
});
