import assert from "node:assert/strict";
import { test } from "node:test";
import { postcodeIds, readPostcodes } from "./postcodes.ts";
import { givenCatalog, place, town } from "../sources/catalog/testing.ts";

test("a place is found by the area that its postcode is one of, and by its district", () => {
  const areas = (postcode: string | null) => postcodeIds(postcode).map((id) => id.replace("@postcode_", ""));
  assert.deepEqual(areas("9490"), ["9490"]);
  assert.deepEqual(areas("SW1A 1AA"), ["sw1a-1", "sw1a"]);
  assert.deepEqual(areas("SW1A1AA"), ["sw1a-1", "sw1a"]);
  assert.deepEqual(areas("E1 6AN"), ["e1-6", "e1"]);
  assert.deepEqual(areas("K1A 0B1"), ["k1a"]);
  assert.deepEqual(areas("D02 X285"), ["d02"]);
  assert.deepEqual(areas("1012 AB"), ["1012"]);
  assert.deepEqual(areas("1012AB"), ["1012"]);
  assert.deepEqual(areas("90210-1234"), ["90210"]);
  assert.deepEqual(areas("1000-001"), ["1000"]);
  assert.deepEqual(areas("05435-000"), ["05435"]);
  assert.deepEqual(areas("05435000"), ["05435"]);
  assert.deepEqual(areas("X5000JHO"), ["5000"]);
  assert.deepEqual(areas("X5000"), ["5000"]);
  assert.deepEqual(areas("604-0001"), ["6040001"]);
  assert.deepEqual(areas("110 00"), ["11000"]);
  assert.deepEqual(areas("LV-1010"), ["1010"]);
  assert.deepEqual(areas("AD500"), ["ad500"]);
  assert.deepEqual(areas("101"), ["101"]);
  for (const none of [null, "", "n/a", "12", "Vaduz", "12345678901", "9".repeat(500)])
    assert.deepEqual(areas(none), []);
});

test("words that may be a postcode are read as one, the likelier way first", () => {
  const read = (...segments: string[]) =>
    readPostcodes(segments.map((words) => words.split(" "))).map(({ id, rest }) => [
      id.replace("@postcode_", ""),
      rest.map((words) => words.join(" ")).join(", "),
    ]);
  assert.deepEqual(read("pizza 9490 vaduz"), [["9490", "pizza vaduz"]]);
  assert.deepEqual(read("dentist", "sw1a 1aa"), [
    ["sw1a-1", "dentist"],
    ["sw1a", "dentist, 1aa"],
  ]);
  assert.deepEqual(read("dentist sw1a1aa"), [["sw1a-1", "dentist"]]);
  assert.deepEqual(read("farmacia 05435000"), [["05435", "farmacia"]]);
  assert.deepEqual(read("farmacia x5000"), [["5000", "farmacia"]]);
  assert.deepEqual(read("plumber e1"), []);
  assert.deepEqual(read("plumber 90210 1234")[0], ["90210", "plumber"]);
  assert.deepEqual(read("cafe 110 00 praha"), [["11000", "cafe praha"]]);
  assert.deepEqual(read("cafe 1012 ab"), [
    ["1012", "cafe"],
    ["1012", "cafe ab"],
  ]);
  for (const none of ["7 eleven", "studio 54", "route 66 diner", "5 star hotel", "24 hour gym", "bar 360"]) {
    assert.deepEqual(read(none), [], none);
  }
  assert.equal(read("1001 2002 3003 4004 5005").length, 3);
});

const vaduz = { latitude: 47.141, longitude: 9.521 };
const schaan = { latitude: 47.165, longitude: 9.509 };
const vienna = { latitude: 48.209, longitude: 16.37 };

function cafe(number: number, name: string, point: { latitude: number; longitude: number }, postalCode: string | null) {
  return place({
    sourceId: `osm:n${number}`,
    name,
    categories: ["amenity/cafe"],
    ...point,
    address: { street: null, city: null, region: null, postalCode, countryCode: "LI" },
  });
}

const items = [
  town("Vaduz", vaduz.latitude, vaduz.longitude),
  town("Schaan", schaan.latitude, schaan.longitude),
  cafe(1, "Amann", vaduz, "9490"),
  cafe(2, "Luce", { ...vaduz, latitude: 47.142 }, null),
  cafe(3, "Risch", schaan, "9494"),
  cafe(4, "Central", vienna, "1010"),
  cafe(5, "Bar 9490", vienna, "1010"),
];

test("a postcode says where, with or without its town, and others than those that have it are there too", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const q of [
    "cafe 9490",
    "9490 cafe",
    "cafes in 9490",
    "cafe, 9490 Vaduz",
    "cafe 9490 Vaduz",
    "9490 Vaduz cafe",
  ]) {
    const found = await names(q);
    assert.deepEqual(found.slice(0, 2).toSorted(), ["Amann", "Luce"], q);
  }
  assert.equal((await names("cafe 9494"))[0], "Risch");
  assert.equal((await names("cafe 9494", { ll: "@47.141,9.521,15z" }))[0], "Risch");
  assert.deepEqual((await names("cafe 1010")).toSorted(), ["Bar 9490", "Central"]);
  assert.deepEqual((await names("cafe 1010", { ll: "@47.141,9.521,15z" })).toSorted(), ["Bar 9490", "Central"]);
  assert.equal((await names("Risch 9494"))[0], "Risch");
  assert.deepEqual((await names("9494"))[0], "Risch");
});

test("a number in a name stays a name, and one that no place has as its postcode changes nothing", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  assert.equal((await names("Bar 9490"))[0], "Bar 9490");
  assert.deepEqual(await names("cafe 7777"), await names("cafe flummery"));
  assert.deepEqual(await names("cafe 10115"), [], "some other town's places are no answer");
  assert.equal((await names("cafe 10115 Vaduz"))[0], (await names("cafe Vaduz"))[0]);
  assert.equal((await names("cafe 1010 Vaduz"))[0], (await names("cafe Vaduz"))[0], "the town beside it counts");
});

test("coordinates behind a question say where", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const q of [
    "cafe 47.1650, 9.5090",
    "cafe near 47.165,9.509",
    "cafe in der Nähe von 47.165 9.509",
    "cafe (47.16500; 9.50900)",
    "47.165, 9.509",
  ]) {
    assert.equal((await names(q, { ll: "@48.209,16.37,15z" }))[0], "Risch", q);
  }
  for (const q of ["cafe 97.165, 9.509", "cafe 47.165"]) assert.notEqual((await names(q))[0], "Risch", q);
});
