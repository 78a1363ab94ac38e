import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../places/record.ts";
import { wordsOf } from "../../text/words.ts";
import { packRows } from "./stage-rows.ts";

test("a row says what its record says, whatever characters and however many", () => {
  const names = ["Adler", 'tab\t "quoted" \\ line\r\n', "喫茶店", "é".repeat(400_000), "after"];

  const { text, places } = packRows(
    names.map((name) => ({ place: placeOf(name) })),
    7,
  );
  const rows = new TextDecoder().decode(text).split("\n").slice(0, -1);

  assert.equal(places, names.length);
  assert.deepEqual(
    rows.map((row) => row.split("\t").map(unescape)).map((fields) => [fields[0], fields.length, recordIn(fields)]),
    names.map((name, index) => [String(7 + index), 15, placeOf(name)]),
  );
});

test("a row has the words of its names and the numbers of its point, however they are written", () => {
  const names = ["Zum Adler", "ADLER 24", "Adler's  Café", "a b ".repeat(30).trim(), "Adler".repeat(20), "Ä", "喫茶店"];
  const points = [0, -0, 47.1, -33.865143, 1e-7, 0.1 + 0.2, 90];

  const { text } = packRows(
    names.map((name, index) => ({
      place: { ...placeOf(name), latitude: points[index] ?? 0, namesByLanguage: { latitude: '1,"latitude":2' } },
    })),
    1,
  );
  const rows = new TextDecoder().decode(text).split("\n").slice(0, -1);

  assert.deepEqual(
    rows.map((row) => row.split("\t")).map((fields) => [fields[5], fields[6], fields[9], fields[10]]),
    names.map((name, index) => [String(points[index]), "9.5", wordsOf(name).join(" "), "1 latitude 2"]),
  );
});

test("a batch that fails leaves nothing in the next", () => {
  const broken: PlaceRecord = {
    ...placeOf("Broken"),
    get details(): PlaceRecord["details"] {
      throw new Error("unreadable");
    },
  };

  assert.throws(() => packRows([{ place: placeOf("Before") }, { place: broken }], 1), /unreadable/);
  const { text } = packRows([{ place: placeOf("After") }], 1);

  assert.match(new TextDecoder().decode(text), /^1\tplace\tosm:n1\t.*After.*\n$/);
});

function placeOf(name: string): PlaceRecord {
  return {
    sourceId: "osm:n1",
    name,
    namesByLanguage: {},
    otherNames: [],
    categories: ["amenity/cafe"],
    categoryLabels: [],
    latitude: 47.1,
    longitude: 9.5,
    address: { street: null, city: null, region: null, postalCode: null, countryCode: "LI" },
    details: { website: "https://www.example.org/" },
  };
}

function unescape(field: string): string {
  return field.replaceAll(/\\(.)/g, (_, letter: string) => ({ t: "\t", n: "\n", r: "\r" })[letter] ?? letter);
}

function recordIn(fields: readonly string[]): unknown {
  return JSON.parse(fields.at(-1) ?? "");
}
