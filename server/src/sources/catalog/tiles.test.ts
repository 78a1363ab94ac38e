import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place } from "./testing.ts";
import { listPoints, readCatalogBounds } from "./tiles.ts";

test("of a tile with too many places to count the index tells how many there are, and where", async (t) => {
  const { load, db, index } = await givenCatalog(t);
  const catalog = { db, index };
  const towns = [
    [47.14, 9.52],
    [48.2, 16.37],
  ] as const;
  const places = Array.from({ length: 9_000 }, (_, at) => {
    const [latitude, longitude] = towns[at % 2] ?? assert.fail();
    const away = (at % 97) / 10_000;
    return place({ sourceId: `x:${at}`, name: `Place ${at}`, latitude: latitude + away, longitude });
  });
  await load(places);
  const tile = { z: 4, x: 8, y: 5 };

  const counted = await listPoints(catalog, tile);
  const estimated = await listPoints(catalog, tile, 0);
  const elsewhere = await listPoints(catalog, { z: 4, x: 0, y: 0 }, 0);

  assert.equal(total(counted), 9_000);
  assert.equal(total(estimated), 9_000);
  assert.ok(estimated.length > 1);
  const [south = 0, west = 0, north = 0, east = 0] = (await readCatalogBounds(index)) ?? [];
  for (const [latitude, longitude] of towns) {
    assert.ok(latitude >= south && latitude <= north && longitude >= west && longitude <= east);
  }
  assert.deepEqual(elsewhere, []);
});

function total(points: readonly { count: number }[]): number {
  return points.reduce((sum, { count }) => sum + count, 0);
}
