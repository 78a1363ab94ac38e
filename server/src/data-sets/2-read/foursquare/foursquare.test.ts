import assert from "node:assert/strict";
import { test } from "node:test";
import { parquetWriteBuffer } from "hyparquet-writer";
import { detectFormat } from "../detect.ts";
import { readParquet } from "../parquet-table/parquet-table.ts";
import { listOf, textColumn } from "../parquet/sample.ts";
import { read, temporaryFile } from "../read.ts";
import { newProgress } from "../reader.ts";

const texts = [
  "fsq_place_id name address locality region postcode country date_created date_refreshed date_closed",
  "tel website email facebook_id instagram twitter",
].flatMap((names) => names.split(" "));

const rows = [
  {
    fsq_place_id: "4b0a",
    name: "Adler",
    latitude: 47.14,
    longitude: 9.52,
    address: "Städtle 5",
    locality: "Vaduz",
    postcode: "9490",
    country: "LI",
    date_created: "2012-01-01",
    date_refreshed: "2026-09-08",
    tel: "239 20 20",
    website: "http://adler.example/",
    email: "info@adler.example",
    facebook_id: "123456",
    instagram: "adler",
    twitter: "adler",
    fsq_category_labels: [
      "Dining and Drinking > Restaurant > Pizzeria",
      "Dining and Drinking > Bar",
      "Dining and Drinking > Restaurant > Moon Food",
    ],
    unresolved_flags: null,
  },
  { fsq_place_id: "4b0b", name: "Löwen", latitude: 47.1, longitude: 9.5, country: "LI", date_closed: "2024-02-03" },
  { fsq_place_id: "4b0c", name: "Ochsen", latitude: 47.1, longitude: 9.5, unresolved_flags: ["doesnt_exist"] },
  { fsq_place_id: "4b0d", name: "Nowhere", latitude: null, longitude: null },
];

test("Foursquare's open places are read by their own columns", async (t) => {
  const progress = newProgress();
  const { places } = await read(t, readParquet, fileOf(rows), { progress });
  const [adler, closed, doubted] = places;

  assert.deepEqual(
    places.map(({ sourceId }) => sourceId),
    ["foursquare:4b0a", "foursquare:4b0b", "foursquare:4b0c"],
  );
  assert.deepEqual(progress.skipped.samples, [
    { at: "row 4", reason: "no id, no name or no position that can be read" },
  ]);
  assert.deepEqual(adler?.address, {
    street: "Städtle 5",
    city: "Vaduz",
    region: null,
    postalCode: "9490",
    countryCode: "LI",
  });
  assert.deepEqual(adler.details, {
    businessStatus: null,
    phones: ["+4232392020"],
    website: "http://adler.example/",
    emails: ["info@adler.example"],
    socialProfiles: ["https://www.facebook.com/123456", "https://www.instagram.com/adler", "https://x.com/adler"],
  });
  assert.equal(adler.observedAt, "2026-09-08T00:00:00.000Z");
  assert.equal(adler.categories[0], "amenity/restaurant/pizza");
  assert.ok(adler.categories.includes("amenity/bar"));
  assert.deepEqual(adler.categoryLabels, ["Moon Food"]);
  assert.equal(closed?.details.businessStatus, "CLOSED_PERMANENTLY");
  assert.deepEqual([doubted?.confidence, adler.confidence], [0.4, undefined]);
});

test("a table of Foursquare's is no Overture file", async (t) => {
  assert.equal(await detectFormat(await temporaryFile(t, fileOf(rows))), "parquet");
});

function fileOf(table: readonly object[]): Buffer {
  const names = [...texts, "latitude", "longitude", "fsq_category_labels", "unresolved_flags"];
  return Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: "root", num_children: names.length },
        ...texts.map((name) => textColumn(name)),
        ...["latitude", "longitude"].map((name) => ({ name, type: "DOUBLE", repetition_type: "OPTIONAL" }) as const),
        ...listOf("fsq_category_labels"),
        ...listOf("unresolved_flags"),
      ],
      columnData: names.map((name) => ({ name, data: table.map((row) => Reflect.get(row, name) ?? null) })),
    }),
  );
}
