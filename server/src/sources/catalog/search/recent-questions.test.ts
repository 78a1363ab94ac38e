import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place } from "../testing.ts";

const query = { q: "pub", page: 1, hl: "en", ll: "@47.141,9.521,14z", extra: false };
const { signal } = new AbortController();

test("a question that is asked again is not searched again, unless in another language, place or page", async (t) => {
  const { db, load } = await givenCatalog(t);
  await load(pubs(25, { latitude: 47.141, longitude: 9.521 }));
  const { catalog, blocksUsed } = watched(db);

  const first = await catalog.search(query, signal);
  const afterFirst = blocksUsed();
  assert.deepEqual(await catalog.search(query, signal), first);
  assert.equal(blocksUsed(), afterFirst);

  for (const other of [{ page: 2 }, { hl: "de" }, { ll: "@47.142,9.522,14z" }, { gl: "li" }, { q: "pubs" }]) {
    const before = blocksUsed();
    await catalog.search({ ...query, ...other }, signal);
    assert.ok(blocksUsed() > before, JSON.stringify(other));
  }
  const second = await catalog.search({ ...query, page: 2 }, signal);
  assert.equal(second.listings.length, 5);
  assert.ok(second.listings.every(({ placeId }) => first.listings.every((each) => each.placeId !== placeId)));
});

test("a page that was cut short is searched again", async (t) => {
  const { db, load } = await givenCatalog(t);
  const spots = [47, 50, 53].map((latitude) => ({ latitude, longitude: 9.5 }));
  await load(spots.flatMap((at, spot) => pubs(3_000, at, spot * 10_000)));
  const { catalog, blocksUsed } = watched(db, { blocksPerSearchMax: 1 });
  const everywhere = { q: "pub", page: 1, hl: "en", extra: false };

  assert.equal((await catalog.search(everywhere, signal)).verdict, "trimmed");
  const afterFirst = blocksUsed();
  assert.equal((await catalog.search(everywhere, signal)).verdict, "trimmed");
  assert.ok(blocksUsed() > afterFirst);
});

function pubs(count: number, at: { latitude: number; longitude: number }, from = 0) {
  return Array.from({ length: count }, (_, index) =>
    place({ sourceId: `osm:n${from + index}`, name: `Crown ${from + index}`, categories: ["amenity/pub"], ...at }),
  );
}

/** A catalog that counts how often searches used a block of its index. */
function watched(db: Reads, options: { blocksPerSearchMax?: number } = {}) {
  let used = 0;
  const counter = () => () => (used += 1);
  const catalog = createCatalog({ db, ...options, meters: { counter, gauge: () => undefined } });
  return { catalog, blocksUsed: () => used };
}
