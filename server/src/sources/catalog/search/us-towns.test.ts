import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place } from "../testing.ts";

const american = { street: null, city: null, region: null, postalCode: null, countryCode: "US" };
const inUs = (id: number, name: string, category: string, latitude: number, longitude: number) =>
  place({ sourceId: `overture:${id}`, name, categories: [category], latitude, longitude, address: american });

/** An import without areas of its own, as Overture's are. */
const items = [
  inUs(1, "Kebaya", "amenity/restaurant", 40.72, -73.99),
  inUs(2, "Capitol Grill", "amenity/restaurant", 38.895, -77.036),
  inUs(3, "Sunset Diner", "amenity/restaurant", 34.06, -118.25),
  inUs(4, "Bay Kitchen", "amenity/restaurant", 37.78, -122.41),
  inUs(5, "Reno Buffet", "amenity/restaurant", 39.53, -119.81),
  inUs(6, "Rose Inn", "tourism/hotel", 45.52, -122.67),
  inUs(7, "Lobster Inn", "tourism/hotel", 43.66, -70.26),
  inUs(8, "Desert Slice", "amenity/restaurant/pizza", 33.45, -112.07),
  inUs(9, "Starbucks", "amenity/cafe", 28.6, -81.32),
  inUs(10, "Corner Shop", "shop/convenience", 28.538, -81.379),
  inUs(11, "IHOP", "amenity/restaurant", 34.146, -118.255),
  inUs(12, "Cactus Supplies", "shop/garden_centre", 33.538, -112.186),
  inUs(13, "Peachtree House", "amenity/restaurant", 33.745, -84.39),
  inUs(14, "Surf Hut", "shop/surf", 33.849, -118.388),
  inUs(15, "Palouse Cafe", "amenity/cafe", 47.607, -122.332),
];

test("great cities are known by the names people use, and before small towns that share them", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const q of ["in New York", "in NYC", "in New York, NY", "New York NY"]) {
    assert.deepEqual((await names(`restaurants ${q}`)).slice(0, 1), ["Kebaya"], q);
  }
  for (const q of ["in Washington", "in Washington, D.C.", "Washington DC"]) {
    assert.deepEqual((await names(`restaurants ${q}`)).slice(0, 1), ["Capitol Grill"], q);
  }
});

test("a state of the United States is an area", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  assert.deepEqual((await names("restaurants in California")).toSorted(), ["Bay Kitchen", "IHOP", "Sunset Diner"]);
  assert.deepEqual(await names("restaurants Nevada"), ["Reno Buffet"]);
  assert.deepEqual(await names("cafe in Washington State"), ["Palouse Cafe"]);
  assert.deepEqual(
    await names("restaurants in Georgia"),
    ["Peachtree House"],
    "the catalog has nothing of the country",
  );
  assert.deepEqual(await names("restaurants in Georgia", { gl: "ge" }), []);
});

test("a state behind a town says which of that name is meant", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  const asked: [q: string, first: string][] = [
    ["hotels in Portland Oregon", "Rose Inn"],
    ["hotels in Portland, OR", "Rose Inn"],
    ["hotels in Portland, Oregon, USA", "Rose Inn"],
    ["hotels in Portland, ME", "Lobster Inn"],
    ["hotels Portland Maine", "Lobster Inn"],
    ["hotels in Portland ME 04101", "Lobster Inn"],
    ["pizza Phoenix AZ", "Desert Slice"],
    ["pizza Phoenix, AZ", "Desert Slice"],
    ["Phoenix, AZ", "Desert Slice"],
  ];
  for (const [q, first] of asked) assert.equal((await names(q))[0], first, q);
});

test("a name is found around the middle of a town, and in another town of that name", async (t) => {
  const { load, names, catalog } = await givenCatalog(t);
  await load(items);

  assert.deepEqual(await names("Starbucks in Orlando"), ["Starbucks"], "nine kilometers from the middle");
  assert.deepEqual(await names("IHOP Glendale"), ["IHOP"], "not in Arizona, where places are too");
  assert.deepEqual(await names("Surf Hut Redondo Beach"), ["Surf Hut"], "a town's name may hold the word for a kind");
  const query = { q: "IHOP Glendale", page: 1, hl: "en", extra: false };
  assert.equal(await catalog.hasDataFor(query, new AbortController().signal), true);
  assert.deepEqual(await names("Starbucks in Orlando, Florida, USA"), ["Starbucks"]);
  assert.deepEqual(await names("Starbucks in Berlin"), []);
});

test("a town of the world may have an attribute or a courtesy behind it, as one of the import may", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const q of [
    "hotel in Portland open now",
    "hotel in Portland, Oregon with wifi",
    "hotels Portland open now",
    "hotel in Portland with a view please",
  ]) {
    assert.equal((await names(q))[0], "Rose Inn", q);
  }
});
