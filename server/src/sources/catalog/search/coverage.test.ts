import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceQuery } from "../../source.ts";
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

/** Places every 30 km around a gap, as in a thinly settled country. */
const ring = [46.6, 46.9, 47.2].flatMap((latitude, row) =>
  [9, 9.4, 9.8].flatMap((longitude, column) => (row === 1 && column === 1 ? [] : [{ latitude, longitude }])),
);

const items = [
  town("Vaduz", 47.141, 9.521),
  town("Cut Off", 47.4, 9.37, { countryCode: "CH", kind: "region" }),
  restaurant(1, 47.141, 9.521),
  // A town in Russia is called so, too.
  place({ sourceId: "osm:n4", name: "Adler", categories: ["amenity/pub"], latitude: 47.14, longitude: 9.52 }),
  place({ sourceId: "osm:n2", name: "Hotel Paris", categories: ["tourism/hotel"], latitude: 47.14, longitude: 9.52 }),
];

test("a question about an area without data is not the catalog's, one about its own is", async (t) => {
  const { load, catalog } = await givenCatalog(t);
  await load(items, "liechtenstein");
  const has = (q: string, rest: Partial<SourceQuery> = {}) =>
    catalog.hasDataFor({ q, page: 1, hl: "en", extra: false, ...rest }, new AbortController().signal);

  const yes: [string, Partial<SourceQuery>?][] = [
    ["restaurants in Vaduz"],
    ["restaurants"],
    ["restaurants", { gl: "li" }],
    ["restaurants in Liechtenstein"],
    ["restaurants", { ll: "@47.15,9.53,14z" }],
    ["Adler"],
    ["Hotel Paris"],
    ["restaurants in Vaduz", { ll: "@48.85,2.35,12z" }],
  ];
  for (const [q, rest] of yes) assert.equal(await has(q, rest), true, `${q} ${JSON.stringify(rest)}`);
  const no: [string, Partial<SourceQuery>?][] = [
    ["restaurants in Paris"],
    ["restaurants, Zürich"],
    ["restaurant Paris"],
    ["restaurants", { gl: "fr" }],
    ["restaurants in France"],
    ["restaurants", { ll: "@47.3769,8.5417,13z" }],
    ["pharmacy near me", { ll: "@48.85,2.35,12z" }],
    ["restaurants in Cut Off"],
  ];
  for (const [q, rest] of no) assert.equal(await has(q, rest), false, `${q} ${JSON.stringify(rest)}`);
});

test("a where that neither the imports nor the world's list of towns has is not the catalog's", async (t) => {
  const { load, catalog } = await givenCatalog(t);
  const known = [
    place({ sourceId: "osm:n5", name: "Quorlo am Wassertor", categories: ["amenity/cafe"] }),
    place({ sourceId: "osm:n6", name: "Cafe in Blau", categories: ["amenity/cafe"] }),
    place({ sourceId: "osm:n7", name: "Bahnhof", categories: ["amenity/bus_station"] }),
  ];
  await load([...items, ...known], "liechtenstein");
  const has = (q: string, hl: string) =>
    catalog.hasDataFor({ q, hl, page: 1, extra: false }, new AbortController().signal);

  const no: [q: string, hl: string][] = [
    ["restaurants in Xyzzyville", "en"],
    ["restaurants, Xyzzyville", "en"],
    ["Restaurants in Bayern", "de"],
    ["restaurant en Toscane", "fr"],
    ["hotel near the Xyzzy Tower", "en"],
    ["ресторан в Москве", "ru"],
    ["restaurace v Praze", "cs"],
    ["restauracja w Krakowie", "pl"],
    ["مطعم في طنطا", "ar"],
    ["cafe in München", "en"],
    ["cafe München", "en"],
    ["寿司 東京", "ja"],
    ["restaurants in Texas", "en"],
    ["hotels in NYC", "en"],
    ["pizza Phoenix AZ", "en"],
  ];
  for (const [q, hl] of no) assert.equal(await has(q, hl), false, q);
  const yes: [q: string, hl: string][] = [
    ["Quorlo am Wassertor", "de"],
    ["Quorlo am Wasertor", "de"],
    ["Cafe in Blau", "de"],
    ["restaurant near the bus station", "en"],
    ["restaurants in Vadutz", "en"],
    ["restauracja w Vaduz", "pl"],
  ];
  for (const [q, hl] of yes) assert.equal(await has(q, hl), true, q);
});

test("a town across the border is not covered by the few places that an extract has there", async (t) => {
  const { load, catalog, names } = await givenCatalog(t);
  const along = [47.05, 47.08, 47.11, 47.14, 47.17, 47.2, 47.23].map((latitude, at) =>
    restaurant(at, latitude, 9.53 + at / 100),
  );
  const inFeldkirch = place({
    sourceId: "osm:n20",
    name: "Montfort",
    categories: ["amenity/pub"],
    latitude: 47.233,
    longitude: 9.6,
    address: { street: null, city: null, region: null, postalCode: null, countryCode: "AT" },
  });
  await load([...along, ...along.map((_, at) => restaurant(at + 10, 47.14, 9.52)), inFeldkirch]);
  const has = (q: string) => catalog.hasDataFor({ q, page: 1, hl: "en", extra: false }, new AbortController().signal);

  for (const q of ["restaurant in Feldkirch", "pub in Feldkirch", "hotel in Buchs", "hotel in Sargans"]) {
    assert.equal(await has(q), false, q);
  }
  assert.deepEqual(await names("restaurant in Feldkirch"), []);
  assert.equal(await has("Montfort Feldkirch"), true, "it is there, and called so");
  assert.equal(await has("restaurant in Vaduz"), true);
});

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

test("where the catalog has no data its page is empty, never another country's places", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([...items, restaurant(3, 47.2, 9.45, "CH")], "liechtenstein");

  assert.deepEqual(await names("restaurants", { ll: "@47.3769,8.5417,13z" }), []);
  assert.deepEqual(await names("restaurants near me", { ll: "@47.3769,8.5417,12z" }), []);
  assert.deepEqual(await names("restaurants in Paris"), []);
  assert.deepEqual(await names("restaurants", { gl: "at" }), []);
  assert.ok(!(await names("restaurants in Cut Off")).includes("Restaurant 1"), "a neighbor's region, cut off");
  assert.deepEqual((await names("restaurants", { ll: "@47.15,9.53,14z" })).slice(0, 1), ["Restaurant 1"]);
});

test("a gap between places is covered, what lies beyond them is not", async (t) => {
  const { load, catalog, names } = await givenCatalog(t);
  await load(ring.map(({ latitude, longitude }, at) => restaurant(at, latitude, longitude)));
  const has = (ll: string) =>
    catalog.hasDataFor({ q: "restaurants", page: 1, hl: "en", extra: false, ll }, new AbortController().signal);

  assert.equal(await has("@46.9,9.4,14z"), true);
  assert.ok((await names("restaurants", { ll: "@46.9,9.4,13z" })).length > 0);
  assert.equal(await has("@47.6,9.4,14z"), false);
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

test("a town of the world is covered by places on one side of it, as far as it reaches", async (t) => {
  const { load, catalog, names } = await givenCatalog(t);
  // Busan reaches far; a town as small as Feldkirch does not reach to Vaduz.
  await load([restaurant(101, 35.18, 129.076, "KR"), restaurant(102, 35.185, 129.07, "KR")], "busan");
  await load(items, "liechtenstein");
  const has = (q: string) => catalog.hasDataFor({ q, page: 1, hl: "en", extra: false }, new AbortController().signal);

  assert.equal(await has("restaurants in Busan"), true);
  assert.equal(await has("restaurant Busan"), true);
  assert.deepEqual((await names("restaurants in Busan")).toSorted(), ["Restaurant 101", "Restaurant 102"]);
  for (const q of ["restaurants in Seoul", "restaurants in Feldkirch", "restaurants in Ulsan"]) {
    assert.equal(await has(q), false, q);
  }
});
