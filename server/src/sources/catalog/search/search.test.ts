import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place, town } from "../testing.ts";
import { decodeBlock } from "./block.ts";
import { encodeBlock } from "./pack-block.ts";
import { wordAt } from "./word-list.ts";

const vaduz = { latitude: 47.141, longitude: 9.521 };
const schaan = { latitude: 47.166, longitude: 9.509 };

const items = [
  town("Vaduz", vaduz.latitude, vaduz.longitude),
  town("Schaan", schaan.latitude, schaan.longitude),
  place({ sourceId: "osm:n1", name: "Hotel Vaduz", categories: ["tourism/hotel"], ...vaduz }),
  place({ sourceId: "osm:n2", name: "Residence", categories: ["tourism/hotel"], ...vaduz }),
  place({ sourceId: "osm:n3", name: "Amann Kaffee", categories: ["amenity/cafe"], ...vaduz }),
  place({ sourceId: "osm:n4", name: "Torkel", categories: ["amenity/restaurant/regional"], ...vaduz }),
  place({ sourceId: "osm:n5", name: "Luce", categories: ["amenity/restaurant"], ...vaduz }),
  place({ sourceId: "osm:n6", name: "Apotheke am Postplatz", categories: ["amenity/pharmacy"], ...schaan }),
  place({ sourceId: "osm:n7", name: "Café Käfer", categories: ["amenity/cafe"], ...schaan }),
  place({ sourceId: "osm:n8", name: "Schreinerei Brunnhart", categories: ["craft/carpenter"], ...schaan }),
  place({ sourceId: "osm:n9", name: "Restaurant Supplies", categories: ["shop/trade"], ...vaduz }),
];

test("ten pages follow on without a repeat or a gap, and the page after the last is empty", async (t) => {
  const { load, find } = await givenCatalog(t);
  await load(
    Array.from({ length: 130 }, (_, index) =>
      place({ sourceId: `osm:n${index}`, name: `Same ${index % 7}`, categories: ["amenity/cafe"], ...vaduz }),
    ),
  );

  const pages = [];
  for (let page = 1; page <= 10; page += 1) pages.push(await find("cafe", { page, ll: "@47.14,9.52,12z" }));

  assert.deepEqual(
    pages.map((page) => page.length),
    [20, 20, 20, 20, 20, 20, 10, 0, 0, 0],
  );
  assert.equal(new Set(pages.flat().map(({ placeId }) => placeId)).size, 130);
});

test("whatever is typed gets a page", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);
  const queries = [
    "in",
    "the of",
    "🍕🍕",
    "مقهى في فادوز",
    "'; drop table x; --",
    "(((",
    "%_%",
    "\\",
    "[a-z]*",
    "\u0000\u0001",
  ];

  for (const q of [...queries, "x".repeat(200), "a ".repeat(100), "in in in in", ", , ,", "Vaduz"]) {
    assert.ok(Array.isArray(await names(q)), q);
  }
  assert.ok((await names("Vaduz")).length > 3, "a town alone shows what is there");
});

test("a process with no memory to keep blocks in answers the same", async (t) => {
  const { load, names, db } = await givenCatalog(t);
  await load(items);
  const forgetful = createCatalog({ db, memoryBytesMax: 0 });
  const { signal } = new AbortController();

  for (const q of ["restaurants in Vaduz", "Hotel Vaduz", "schreineri"]) {
    const { listings } = await forgetful.search({ q, page: 1, hl: "en", extra: false }, signal);
    assert.deepEqual(
      listings.map(({ name }) => name),
      await names(q),
    );
  }
});

test("a catalog has places from its first import on", async (t) => {
  const { load, catalog } = await givenCatalog(t);

  assert.equal(await catalog.isReady(), false);
  await load(items);
  assert.equal(await catalog.isReady(), true);
});

test("a page that was made before is made again soon after an import", async (t) => {
  const { db, load } = await givenCatalog(t);
  const catalog = createCatalog({ db, trustMs: 300 });
  const names = async () => {
    const page = await catalog.search({ q: "Engel", page: 1, hl: "en", extra: false }, new AbortController().signal);
    return page.listings.map(({ name }) => name);
  };
  await load([place({ sourceId: "osm:n1", name: "Engel" })]);
  assert.deepEqual([await names(), await names()], [["Engel"], ["Engel"]]);

  await load([place({ sourceId: "osm:n1", name: "Zum Engel" })]);
  const deadline = Date.now() + 20_000;
  while ((await names())[0] !== "Zum Engel") assert.ok(Date.now() < deadline);
});

test("a block holds what went into it", () => {
  const places = [
    {
      number: 7,
      latitude: -16.5,
      longitude: 179.9999999,
      countryCode: "FJ",
      rank: 200,
      nameWords: ["blue", "café", "blue"],
      otherWords: ["東京", "blue"],
      categories: ["amenity/restaurant/pizza"],
    },
    {
      number: 9,
      latitude: 90,
      longitude: -180,
      countryCode: "",
      rank: 0,
      nameWords: [],
      otherWords: [],
      categories: [],
    },
  ];

  const block = decodeBlock(encodeBlock(places));

  assert.deepEqual([...block.numbers], [7, 9]);
  assert.deepEqual([...block.latitudes], [-165_000_000, 900_000_000]);
  assert.deepEqual([...block.longitudes], [1_799_999_999, -1_800_000_000]);
  assert.deepEqual(
    [0, 1, 2, 3].map((index) => wordAt(block.words, index)),
    ["blue", "café", "東京", undefined],
  );
  assert.deepEqual([...block.wordPostings], [1, 1, 0]);
  assert.deepEqual([...block.nameLengths], [2, 0]);
  assert.deepEqual([...block.categories.keys()], ["amenity", "amenity/restaurant", "amenity/restaurant/pizza"]);
  assert.deepEqual([...block.categoryPostings], [0, 0, 1]);
  assert.equal(decodeBlock(encodeBlock([])).size, 0);
});

test("a search that could not look everywhere says so, and one that need not does not", async (t) => {
  const { load, db } = await givenCatalog(t);
  const clusters = [vaduz, { latitude: -33.9, longitude: 151.2 }];
  await load(
    clusters.flatMap((at, cluster) =>
      Array.from({ length: 4_500 }, (_, index) =>
        place({ sourceId: `osm:n${cluster}${index}`, name: `Adler ${cluster}`, categories: ["amenity/pub"], ...at }),
      ),
    ),
  );
  const catalog = createCatalog({ db, blocksPerSearchMax: 1 });
  const search = (q: string, ll?: string) =>
    catalog.search(
      { q, page: 1, hl: "en", extra: false, ...(ll === undefined ? {} : { ll }) },
      new AbortController().signal,
    );

  assert.equal((await search("Adler")).verdict, "trimmed");
  assert.equal((await search("Xyzzyx")).verdict, "empty", "no block holds the word");
  assert.equal((await search("Adler 0", "@47.141,9.521,14z")).verdict, "ok");
});
