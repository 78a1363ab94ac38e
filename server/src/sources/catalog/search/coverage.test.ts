import assert from "node:assert/strict";
import { test } from "node:test";
import { readStats } from "../../../data-sets/data-sets.ts";
import { givenCatalog, place, town } from "../testing.ts";

const restaurant = (id: number, latitude: number, longitude: number, countryCode = "LI") =>
  place({
    sourceId: `osm:n${id}`,
    name: `Restaurant ${id}`,
    categories: ["amenity/restaurant"],
    latitude,
    longitude,
    address: { street: null, city: null, region: null, postalCode: null, countryCode },
  });

const items = [
  town("Vaduz", 47.141, 9.521),
  town("Cut Off", 47.4, 9.37, { countryCode: "CH", kind: "region" }),
  restaurant(1, 47.141, 9.521),
  // A town in Russia is called so, too.
  place({ sourceId: "osm:n4", name: "Adler", categories: ["amenity/pub"], latitude: 47.14, longitude: 9.52 }),
  place({ sourceId: "osm:n2", name: "Hotel Paris", categories: ["tourism/hotel"], latitude: 47.14, longitude: 9.52 }),
];

test("where a data set goes on behind a border, towns of either side are covered", async (t) => {
  const { load, catalog } = await givenCatalog(t);
  const field = [47.1, 47.17, 47.235, 47.3, 47.37].flatMap((latitude, row) =>
    [9.45, 9.53, 9.6, 9.68, 9.76].map((longitude, column) => restaurant(row * 5 + column, latitude, longitude, "AT")),
  );
  // So many elsewhere that those here are of a country with a small share.
  const elsewhere = Array.from({ length: 300 }, (_, at) => restaurant(100 + at, -33.9, 151.2, "AU"));
  await load([...field, ...elsewhere]);

  const query = { q: "restaurant in Feldkirch", page: 1, hl: "en", extra: false };
  assert.equal(await catalog.hasDataFor(query, new AbortController().signal), true);
});

test("a country with few of a data set's places is covered where they do not just lie at a border", async (t) => {
  const { db, load, catalog, names } = await givenCatalog(t);
  const inMadrid = Array.from({ length: 60 }, (_, at) => restaurant(at, 40.41 + at / 1_000, -3.7, "ES"));
  const inLisbon = [restaurant(100, 38.72, -9.14, "PT"), restaurant(101, 38.73, -9.13, "PT")];
  const atTheBorder = [restaurant(102, 42.43, 1.9, "ES"), restaurant(103, 42.46, 1.95, "FR")];
  await load([...inMadrid, ...inLisbon, ...atTheBorder], "shops");
  const has = (q: string) => catalog.hasDataFor({ q, page: 1, hl: "en", extra: false }, new AbortController().signal);

  const { coverage } = await readStats(db);

  assert.deepEqual(coverage[0]?.countries, ["ES", "PT"]);
  assert.deepEqual([await has("restaurants in Portugal"), await has("restaurants in Lisbon")], [true, true]);
  assert.deepEqual([await has("restaurants in France"), await has("restaurants in Porto")], [false, false]);
  assert.deepEqual((await names("restaurants in Portugal")).toSorted(), ["Restaurant 100", "Restaurant 101"]);
});

test("statistics tell what each data set covers, and which of Overture's categories have none of ours", async (t) => {
  const { db, load } = await givenCatalog(t);
  await load(items, "liechtenstein");
  const labelled = { categories: [], categoryLabels: ["Pest control service"] };
  await load([place({ sourceId: "overture:1", name: "Ants", ...labelled, latitude: 40, longitude: -80 })], "sample");

  const { coverage, unmapped } = await readStats(db);

  assert.deepEqual(
    coverage.map(({ name, countries }) => ({ name, countries })),
    [
      { name: "liechtenstein", countries: ["LI"] },
      { name: "sample", countries: ["LI"] },
    ],
  );
  const [south = 0, west = 0, north = 0, east = 0] = coverage[0]?.box ?? [];
  assert.ok(south < 47.14 && north > 47.141 && west < 9.52 && east > 9.521 && north - south < 0.2);
  assert.ok((coverage[0]?.squareKilometers ?? 0) > 10);
  assert.deepEqual(unmapped, [{ category: "Pest control service", places: 1 }]);
});

test("what an import adds is covered at once, although nobody searched meanwhile", async (t) => {
  const { load, catalog } = await givenCatalog(t);
  await load(items, "liechtenstein");
  const has = (q: string) => catalog.hasDataFor({ q, page: 1, hl: "en", extra: false }, new AbortController().signal);
  assert.deepEqual([await has("restaurants in Vaduz"), await has("restaurants in Lisbon")], [true, false]);

  await load([restaurant(1_000, 38.72, -9.14, "PT"), restaurant(1_001, 38.73, -9.13, "PT")], "lisbon");

  assert.equal(await has("restaurants in Lisbon"), true);
});
