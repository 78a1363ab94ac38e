import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordItem } from "../../places/record.ts";
import { givenCatalog, place, town } from "./testing.ts";

const point = { latitude: 47.14, longitude: 9.52 };
const unnamed = (number: number, category: string, rest: object = {}): RecordItem =>
  place({ sourceId: `osm:n${number}`, name: "", categories: [category], ...point, ...rest });

test("what has no name answers its kind, and neither a name nor everything", async (t) => {
  const { load, find, catalog } = await givenCatalog(t);
  const named = place({ sourceId: "osm:n3", name: "Central Apotheke", categories: ["amenity/pharmacy"], ...point });
  const cafe = place({ sourceId: "osm:n4", name: "Adler", categories: ["amenity/cafe"], ...point });
  const rest = { details: { openingHours: null, phones: ["+4232321234"], website: "https://wc.example" } };
  await load([
    town("Vaduz", 47.14, 9.52),
    unnamed(1, "amenity/toilets"),
    unnamed(2, "amenity/pharmacy", rest),
    unnamed(5, "amenity/restaurant"),
    named,
    cafe,
  ]);
  const ids = async (q: string) => (await find(q)).map(({ placeId }) => placeId);

  assert.deepEqual(await ids("toilets in Vaduz"), ["osm:n1"]);
  assert.deepEqual(await ids("pharmacy in Vaduz"), ["osm:n3", "osm:n2"]);
  assert.deepEqual(await ids("restaurant in Vaduz"), []);
  assert.deepEqual(new Set(await ids("Vaduz")), new Set(["osm:n3", "osm:n4"]));
  const [toilets] = await find("toilets in Vaduz");
  assert.equal(toilets?.name, null);
  const within = { box: [47, 9, 48, 10], contains: () => true } as const;
  const query = { q: "Vaduz", page: 1, hl: "en", extra: false, within };
  const page = await catalog.search(query, new AbortController().signal);
  assert.deepEqual(new Set(page.listings.map(({ placeId }) => placeId)), new Set(["osm:n3", "osm:n4"]));
});

test("what has no name is one with nothing of another data set", async (t) => {
  const { load, find } = await givenCatalog(t);
  await load([unnamed(1, "amenity/pharmacy"), unnamed(2, "amenity/pharmacy")], "streets");
  await load([place({ sourceId: "overture:1", name: "Central Apotheke", categories: ["amenity/pharmacy"], ...point })]);

  assert.equal((await find("pharmacy")).length, 3);
});
