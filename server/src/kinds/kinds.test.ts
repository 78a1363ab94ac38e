import assert from "node:assert/strict";
import { test } from "node:test";
import { categoriesOfTags, isBusiness, isFurnitureCategory } from "./index.ts";

test("the finest category of a place comes first and the broader ones follow", () => {
  const pizzeria = categoriesOfTags({ amenity: "restaurant", cuisine: "kebab;pizza" });
  assert.equal(pizzeria[0], "amenity/restaurant/pizza");
  assert.ok(pizzeria.includes("amenity/restaurant"));

  assert.deepEqual(categoriesOfTags({ shop: "supermarket" }), ["shop/supermarket", "shop"]);
  assert.deepEqual(categoriesOfTags({ tourism: "hotel", amenity: "restaurant" }), [
    "tourism/hotel",
    "amenity/restaurant",
  ]);
  assert.deepEqual(categoriesOfTags({ tourism: "attraction", amenity: "cafe" }).at(0), "amenity/cafe");
  assert.deepEqual(categoriesOfTags({ historic: "castle", amenity: "restaurant" }), [
    "amenity/restaurant",
    "historic/castle",
  ]);
  assert.equal(categoriesOfTags({ healthcare: "pharmacy" })[0], "amenity/pharmacy");
  assert.deepEqual(categoriesOfTags({ shop: "something nobody heard of" }), ["shop"]);
  assert.deepEqual(categoriesOfTags({ highway: "bus_stop" }), []);
});

test("a named thing with a telling tag is a business, one without a name or with an empty shop is none", () => {
  assert.ok(isBusiness({ name: "Adler", amenity: "pub" }));
  assert.ok(!isBusiness({ amenity: "pub" }));
  assert.ok(!isBusiness({ name: "Adler", shop: "vacant" }));
  assert.ok(!isBusiness({ name: "Adler", "disused:shop": "bakery" }));
  assert.ok(!isBusiness({ name: "Hauptstrasse", highway: "residential" }));
});

test("the written rule of what a business is", () => {
  const kept: Record<string, string>[] = [
    { "name:de": "Adler", amenity: "pub" },
    { brand: "Bankomat AG", amenity: "atm" },
    { operator: "Stadtwerke", amenity: "charging_station" },
    { name: "Post", building: "hotel" },
    { name: "FC Vaduz", club: "sport" },
    { name: "Samedan", aeroway: "aerodrome" },
    { name: "Sargans", railway: "station" },
    { name: "Malbun", landuse: "winter_sports" },
    { name: "Gutenberg", historic: "castle" },
    { name: "Dorffriedhof", landuse: "cemetery" },
  ];
  const left: Record<string, string>[] = [
    { operator: "Gemeinde", amenity: "bench" },
    { brand: "X", amenity: "waste_basket" },
    { name: "Gleis 3", railway: "platform" },
    { name: "Block B", building: "apartments" },
    { name: "Wiese", landuse: "meadow" },
    { name: "Gipsberg", natural: "peak" },
  ];
  for (const tags of kept) {
    assert.ok(isBusiness(tags), JSON.stringify(tags));
    assert.ok(categoriesOfTags(tags).length > 0, JSON.stringify(tags));
  }
  for (const tags of left) assert.ok(!isBusiness(tags), JSON.stringify(tags));
  for (const id of [
    "amenity/bench",
    "leisure/playground",
    "amenity/parking",
    "tourism/artwork",
    "tourism/information",
    "historic/castle",
    "historic/memorial",
    "landuse/cemetery",
    "natural/beach",
  ]) {
    assert.ok(isFurnitureCategory(id), id);
  }
  for (const id of ["amenity/cafe", "tourism/information/office", "leisure/fitness_centre", "amenity/atm"]) {
    assert.ok(!isFurnitureCategory(id), id);
  }
});
