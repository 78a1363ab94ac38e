import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place, town } from "../sources/catalog/testing.ts";

const items = [
  town("Vaduz", 47.141, 9.521),
  place({ sourceId: "osm:n1", name: "Amann", categories: ["amenity/cafe"], latitude: 47.141, longitude: 9.521 }),
  place({ sourceId: "osm:n2", name: "Residence", categories: ["tourism/hotel"], latitude: 47.142, longitude: 9.521 }),
];

test("a page says how its question was read, and what nobody understood", async (t) => {
  const { catalog, load } = await givenCatalog(t);
  await load(items);
  const readingOf = async (q: string, rest: { ll?: string } = {}) => {
    const page = await catalog.search({ q, page: 1, hl: "en", extra: false, ...rest }, new AbortController().signal);
    return page.reading;
  };

  assert.equal(await readingOf("cafe in Vaduz"), "Cafe in Vaduz (town, LI)");
  assert.equal(await readingOf("Vaduz cafe"), "Cafe in Vaduz (town, LI)");
  assert.equal(await readingOf("cafe near me", { ll: "@47.141,9.521,14z" }), "Cafe around here");
  assert.equal(await readingOf("cafe flummery"), 'Cafe called "flummery"; not understood: "flummery"');
  assert.equal(await readingOf("cafe in Paris"), "Cafe in paris (city, FR; the catalog has no places there)");
  assert.equal(await readingOf("cafe in Xyzzyville"), 'Cafe; not understood: "xyzzyville"');
  assert.equal(await readingOf("Residence"), 'called "residence"');
  assert.equal(await readingOf("vegan cafe Vaduz"), "Cafe first what has vegan in Vaduz (town, LI)");
  assert.equal(await readingOf("((("), "nothing that can be looked for");
});
