import assert from "node:assert/strict";
import { test } from "node:test";
import { aPlace } from "../../../test/place.ts";
import { createCatalogMatch } from "./match.ts";
import { givenCatalog, place } from "./testing.ts";

const near = { latitude: 47.1405, longitude: 9.5205 };

test("a listing of another source is found in the catalog by distance and name, or by contacts", async (t) => {
  const catalog = await givenCatalog(t);
  await catalog.load(
    [
      place({ sourceId: "osm:n1", name: "Café Adler" }),
      place({ sourceId: "osm:n2", name: "Bäckerei Frick", details: { phones: ["+423 232 11 11"] } }),
      place({ sourceId: "osm:n3", name: "Café Adler", latitude: 47.2 }),
    ],
    "osm",
  );
  const match = createCatalogMatch({ db: catalog.db });

  const found = await match([
    aPlace({ placeId: "ChIJ1", name: "Cafe Adler", location: near }),
    aPlace({ placeId: "ChIJ2", name: "Frick Bäckerei & Konditorei", phones: ["+423 232 1111"], location: near }),
    aPlace({ placeId: "ChIJ3", name: "Pizzeria Luna", location: near }),
    aPlace({ placeId: "ChIJ4", name: "Café Adler", location: null }),
  ]);

  assert.deepEqual(found, [["osm:n1"], ["osm:n2"], [], []]);
});

test("a business that two data sets describe is known by both of its names", async (t) => {
  const catalog = await givenCatalog(t);
  await catalog.load([place({ sourceId: "osm:n1", name: "Café Adler" })], "osm");
  await catalog.load([place({ sourceId: "overture:1", name: "Café Adler" })], "overture");
  const match = createCatalogMatch({ db: catalog.db });

  assert.deepEqual(await match([aPlace({ name: "Café Adler", location: near })]), [["osm:n1", "overture:1"]]);
  assert.deepEqual(await match([]), []);
});

test("of two listings only the nearer is the catalog's one business", async (t) => {
  const catalog = await givenCatalog(t);
  await catalog.load([place({ sourceId: "osm:n1", name: "Kiosk" })], "osm");
  const match = createCatalogMatch({ db: catalog.db });

  const found = await match([
    aPlace({ name: "Kiosk", location: { latitude: 47.141, longitude: 9.52 } }),
    aPlace({ name: "Kiosk", location: { latitude: 47.14, longitude: 9.52 } }),
  ]);

  assert.deepEqual(found, [[], ["osm:n1"]]);
});
