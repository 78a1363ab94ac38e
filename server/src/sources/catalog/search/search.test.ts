import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place, town } from "../testing.ts";

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

test("a catalog has places from its first import on", async (t) => {
  const { load, catalog } = await givenCatalog(t);

  assert.equal(await catalog.isReady(), false);
  assert.equal(await catalog.findArea("Vaduz", { hl: "en" }, new AbortController().signal), undefined);
  await load(items);
  assert.equal(await catalog.isReady(), true);
});
