import assert from "node:assert/strict";
import { test } from "node:test";
import { postcodeIds, readPostcodes } from "./postcodes.ts";

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
