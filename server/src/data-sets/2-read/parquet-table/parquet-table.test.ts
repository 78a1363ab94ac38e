import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { read, temporaryFile } from "../read.ts";
import { readRowsInThread } from "../threads/threaded-reader.ts";
import { readParquet } from "./parquet-table.ts";
import { groupOf, listOf, textColumn, wkbPoint } from "../parquet/sample.ts";

const double = (name: string): SchemaElement => ({ name, type: "DOUBLE", repetition_type: "OPTIONAL" });

test("the columns of any Parquet table are guessed by their names, as those of CSV", async (t) => {
  const content = fileOf(
    [
      { name: "number", type: "INT64", repetition_type: "OPTIONAL" },
      textColumn("Name"),
      double("lat"),
      double("lng"),
      ...listOf("phones"),
      groupOf("address", 2),
      textColumn("city"),
      textColumn("postal_code"),
      { name: "permanently_closed", type: "BOOLEAN", repetition_type: "OPTIONAL" },
    ],
    {
      number: [7n, 8n],
      Name: ["Adler", "Ochsen"],
      lat: [47.14, 47.15],
      lng: [9.52, 9.53],
      phones: [["+423 239 20 20", "+423 239 20 21"], null],
      address: [{ city: "Vaduz", postal_code: "9490" }, null],
      permanently_closed: [false, true],
    },
  );

  const { places } = await read(t, readParquet, content, {
    mapping: { id: "number", city: "address.city", phone: "phones" },
  });

  assert.deepEqual(
    places.map(({ name, latitude, longitude, address, details }) => [
      name,
      latitude,
      longitude,
      address.city,
      details.phones?.length,
      details.businessStatus,
    ]),
    [
      ["Adler", 47.14, 9.52, "Vaduz", 2, undefined],
      ["Ochsen", 47.15, 9.53, null, undefined, "CLOSED_PERMANENTLY"],
    ],
  );
  assert.match(places[0]?.sourceId ?? "", /^csv:[0-9a-f]{12}\/7$/);
});

test("points of a column of geometry stand for coordinates, in one thread and in several", async (t) => {
  const content = fileOf([textColumn("Firma"), { name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" }], {
    Firma: ["Adler", "Ochsen"],
    geometry: [wkbPoint(9.52, 47.14), null],
  });

  const { places } = await read(t, readParquet, content, { mapping: { name: "Firma" } });

  assert.deepEqual(
    places.map(({ name, latitude, longitude }) => [name, latitude, longitude]),
    [["Adler", 47.14, 9.52]],
  );
  const path = await temporaryFile(t, content);
  for (const workers of [0, 2]) {
    let found = 0;
    const options = { signal: new AbortController().signal, workers, mapping: { name: "Firma" } };
    for await (const batch of readRowsInThread(path, "parquet", options)) found += batch.places;
    assert.equal(found, 1);
  }
});

test("the Parquet of AllThePlaces is read by its format", async (t) => {
  const columns = ["id", "@spider", "brand", "amenity", "addr:street_address"];
  const values = ["a1", "adler_li", "Adler", "fast_food", "Städtle 5"];
  const content = fileOf(
    [...columns.map((name) => textColumn(name)), textColumn("shop"), { name: "geometry", type: "BYTE_ARRAY" }],
    {
      ...Object.fromEntries(columns.map((name, index) => [name, [values[index]]])),
      shop: [null],
      geometry: [wkbPoint(9.52, 47.14)],
    },
  );

  const { places } = await read(t, readParquet, content);

  const [place] = places;
  assert.deepEqual([place?.sourceId, place?.name, place?.address.street], ["alltheplaces:a1", "Adler", "Städtle 5"]);
  assert.deepEqual(place?.categories, ["amenity/fast_food"]);
});

test("a table without names or positions is refused, and the error lists its columns", async (t) => {
  const content = fileOf([textColumn("x"), double("lat"), double("lng")], { x: ["A"], lat: [47], lng: [9] });
  const nowhere = fileOf([textColumn("name")], { name: ["A"] });

  await assert.rejects(read(t, readParquet, content), {
    name: "ImportProblem",
    message: /no column for the name; it has: x, lat, lng/,
  });
  await assert.rejects(read(t, readParquet, nowhere), { name: "ImportProblem", message: /latitude and longitude/ });
});

function fileOf(columns: SchemaElement[], data: Record<string, unknown[]>): Buffer {
  const schema = [{ name: "root", num_children: Object.keys(data).length }, ...columns];
  return Buffer.from(
    parquetWriteBuffer({ schema, columnData: Object.entries(data).map(([name, values]) => ({ name, data: values })) }),
  );
}
