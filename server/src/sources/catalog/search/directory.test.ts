import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOf } from "../../../geography/cells.ts";
import { countryNumber } from "./block.ts";
import { createDirectory } from "./directory.ts";
import { regionsOf, touches, type Where } from "./region.ts";

/** One block for each degree of a continent, in the order of their cells. */
const blocks = Array.from({ length: 40 * 25 }, (_, index) => {
  const [latitude, longitude] = [35 + Math.floor(index / 40), -10 + (index % 40)];
  const cell = cellOf({ latitude, longitude });
  const bounds = [latitude, longitude, latitude + 0.9, longitude + 0.9].map((degrees) => Math.round(degrees * 1e7));
  const countries = [longitude < 5 ? "FR" : longitude < 15 ? "DE" : "PL"];
  return { firstCell: cell, lastCell: cell, version: 1, places: 10, countries, bounds };
}).sort((a, b) => a.firstCell - b.firstCell);

test("the tree finds the blocks that a look at each of them finds", () => {
  const directory = createDirectory(1, blocks, []);
  const wheres: Where[] = [
    { kind: "everywhere" },
    { kind: "country", countryCode: "DE" },
    { kind: "country", countryCode: "JP" },
    { kind: "circle", center: { latitude: 47.1, longitude: 9.5 }, radiusM: 5_000 },
    { kind: "circle", center: { latitude: 47.1, longitude: 9.5 }, radiusM: 300_000, countryCode: "FR" },
    { kind: "circle", center: { latitude: -16.5, longitude: 180 }, radiusM: 50_000 },
  ];
  for (const region of wheres.flatMap((where) => regionsOf(where))) {
    const expected = blocks.filter(
      ({ bounds, countries }) =>
        touches(region, bounds) && (region.country === 0 || countries.map(countryNumber).includes(region.country)),
    );
    const found = directory.blocksTouching(region, new Set());
    assert.deepEqual(
      found.map(({ firstCell }) => firstCell),
      expected.map(({ firstCell }) => firstCell),
    );
    const [visited] = expected;
    if (visited) assert.equal(directory.blocksTouching(region, new Set([visited.firstCell])).length, found.length - 1);
  }
});

test("a point lies among places where some block has them around it", () => {
  const directory = createDirectory(1, blocks, []);

  assert.equal(directory.hasPlacesAt({ latitude: 47.5, longitude: 9.5 }), true);
  assert.equal(directory.hasPlacesAt({ latitude: 47.95, longitude: 9.5 }), false);
  assert.equal(directory.hasPlacesAt({ latitude: -40, longitude: 9.5 }), false);
  assert.equal(createDirectory(1, [], []).hasPlacesAt({ latitude: 47.5, longitude: 9.5 }), false);
});

test("a cell belongs to the block whose range holds it", () => {
  const directory = createDirectory(1, blocks, []);
  const [first] = blocks;

  assert.equal(directory.blockAt(first?.firstCell ?? 0)?.firstCell, first?.firstCell);
  assert.equal(directory.blockAt((first?.firstCell ?? 0) + 1), undefined);
  assert.equal(directory.blockAt(0), undefined);
});
