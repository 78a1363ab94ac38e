import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place, town } from "../testing.ts";

const vaduz = { latitude: 47.141, longitude: 9.521 };
const schaan = { latitude: 47.166, longitude: 9.509 };
const ll = "@47.141,9.521,14z";
const monaco = { latitude: 43.731, longitude: 7.42 };
const monacan = { address: { street: null, city: null, region: null, postalCode: null, countryCode: "MC" } };

const towns = [
  town("Vaduz", vaduz.latitude, vaduz.longitude),
  town("Schaan", schaan.latitude, schaan.longitude),
  town("Monaco", monaco.latitude, monaco.longitude, { countryCode: "MC" }),
  town("Monte-Carlo", 43.745, 7.427, { countryCode: "MC", kind: "suburb", population: 500 }),
];

/** Many of a kind, better known than any of our own. */
function crowd(name: string, category: string, at = vaduz) {
  return Array.from({ length: 25 }, (_, index) =>
    place({
      sourceId: `osm:w${category}${index}`,
      name: `${name} ${index}`,
      categories: [category],
      details: { website: "https://example.org" },
      ...at,
    }),
  );
}

test("what is called exactly as typed comes before what is merely of a kind that is searched or called so", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...towns,
    ...crowd("Bahn", "leisure/track/running"),
    ...crowd("Bank", "amenity/bank"),
    ...crowd("Laden", "shop/convenience"),
    place({ sourceId: "osm:n1", name: "Decathlon", categories: ["shop/sports"], ...schaan }),
    place({ sourceId: "osm:n2", name: "The Vault", categories: ["shop/party"], ...schaan }),
    place({ sourceId: "osm:n3", name: "Corner Store", categories: ["shop/gift"], ...schaan }),
  ]);

  for (const q of ["Decathlon", "The Vault", "Corner Store"]) {
    const found = await names(q);
    assert.equal(found[0], q);
    assert.equal(found.length, 20, `${q}: the kind follows`);
  }
  assert.equal((await names("Decathlon", { ll }))[0], "Decathlon");
});

test("of a kind, the one that is called just so comes first where it is asked for, and not from afar", async (t) => {
  const { load, names } = await givenCatalog(t);
  const far = { latitude: 47.141, longitude: 9.75 };
  await load([
    place({ sourceId: "osm:n1", name: "Amann", categories: ["amenity/cafe"], ...vaduz }),
    place({ sourceId: "osm:n2", name: "Café", categories: ["amenity/cafe"], ...far }),
  ]);

  assert.deepEqual(await names("cafe", { ll }), ["Amann", "Café"]);
  assert.deepEqual(await names("cafe"), ["Café", "Amann"]);
});

test("a name is told from the town behind it, whichever of its words name an area too", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...towns,
    place({ sourceId: "osm:n1", name: "Liechtenstein Center", categories: ["tourism/information/office"], ...vaduz }),
    place({ sourceId: "osm:n2", name: "Rathaus Vaduz", categories: ["amenity/townhall"], ...vaduz }),
    place({ sourceId: "osm:n3", name: "COYA Monte-Carlo", categories: ["amenity/restaurant"], ...monaco, ...monacan }),
    place({
      sourceId: "osm:n4",
      name: "Cova",
      categories: ["amenity/bar"],
      ...monacan,
      latitude: 43.745,
      longitude: 7.427,
    }),
  ]);

  assert.equal((await names("Liechtenstein Center Vaduz"))[0], "Liechtenstein Center");
  assert.equal((await names("COYA Monte-Carlo Monaco"))[0], "COYA Monte-Carlo");
});

test("a name that reads like something in a country is found by it", async (t) => {
  const { load, names } = await givenCatalog(t);
  const italian = { ...monacan.address, countryCode: "IT" };
  await load([
    ...towns,
    place({ sourceId: "osm:n1", name: "Made in Italy", categories: ["amenity/restaurant"], ...vaduz }),
    place({
      sourceId: "osm:n2",
      name: "Madeira",
      categories: ["shop/wine"],
      latitude: 41.9,
      longitude: 12.5,
      address: italian,
    }),
  ]);

  assert.equal((await names("Made in Italy"))[0], "Made in Italy");
});

test("a whole name next to the town comes before others in it", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    town("Schaan", schaan.latitude, schaan.longitude, { population: 1_000 }),
    place({ sourceId: "osm:n1", name: "Bäckerei Gassner", categories: ["shop/bakery"], ...schaan }),
    place({ sourceId: "osm:n2", name: "Bäckerei-Konditorei Wanger", categories: ["shop/bakery"], ...vaduz }),
    place({ sourceId: "osm:n3", name: "Coyo", categories: ["amenity/bar"], ...schaan }),
    place({ sourceId: "osm:n4", name: "Coya", categories: ["amenity/bar"], ...vaduz }),
  ]);

  for (const hl of ["en", "de"]) {
    assert.equal((await names("Bäckerei-Konditorei Wanger Schaan", { hl }))[0], "Bäckerei-Konditorei Wanger");
  }
  assert.deepEqual(await names("Coya in Schaan"), ["Coya", "Coyo"]);
});

test("a whole name around a town of the world is found, as far as the catalog has data there", async (t) => {
  const { load, names } = await givenCatalog(t);
  // Silsbee in Texas is in no import, and reaches two kilometers.
  const outskirts = { latitude: 30.349 + 0.04, longitude: -94.178 };
  const texan = { address: { ...monacan.address, countryCode: "US" } };
  await load([
    place({ sourceId: "osm:n1", name: "Exxpress Mart", categories: ["shop/convenience"], ...outskirts, ...texan }),
    place({
      sourceId: "osm:n2",
      name: "Lamb",
      categories: ["shop/art"],
      latitude: 30.349,
      longitude: -94.178,
      ...texan,
    }),
  ]);

  assert.deepEqual(await names("Exxpress Mart Silsbee"), ["Exxpress Mart"]);
  assert.deepEqual(await names("Exxpress Mart in Silsbee"), ["Exxpress Mart"]);
  assert.deepEqual(await names("Exxpress Mart in Chicago"), []);
});

test("a brand is found by its name in two words or misspelled, although it is a search term of a kind somewhere", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    ...towns,
    ...crowd("Imbiss", "amenity/fast_food"),
    place({ sourceId: "osm:n1", name: "McDonald's", categories: ["amenity/fast_food/burger"], ...vaduz }),
  ]);

  for (const q of ["mc donalds", "macdonalds", "Mc Donalds Vaduz", "mc donalds in Vaduz", "mcdonalds"]) {
    assert.equal((await names(q))[0], "McDonald's", q);
  }
});
