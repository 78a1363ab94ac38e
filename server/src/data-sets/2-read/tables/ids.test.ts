import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "./csv.ts";
import { readGeoJson } from "../geojson/geojson.ts";
import { read } from "../read.ts";

test("an id of a table or a feature counts within its data set, one without id is known by name and point", async (t) => {
  const table = "id,name,lat,lon\n1,Adler,47.1,9.5\n,Ochsen,47.2,9.5\n";
  const features = JSON.stringify([feature({ name: "Adler" }, 1), feature({ name: "Ochsen" })]);
  const idsOf = async (dataSet: string) => {
    const found = [await read(t, readCsv, table, { dataSet }), await read(t, readGeoJson, features, { dataSet })];
    return found.flatMap(({ places }) => places.map(({ sourceId }) => sourceId));
  };

  const [vaduz, again, schaan] = [await idsOf("vaduz"), await idsOf("vaduz"), await idsOf("schaan")];

  assert.deepEqual(again, vaduz);
  assert.match(vaduz[0] ?? "", /^csv:[0-9a-f]{12}\/1$/);
  assert.match(vaduz[2] ?? "", /^geojson:[0-9a-f]{12}\/1$/);
  assert.deepEqual(
    schaan.map((id, index) => id === vaduz[index]),
    [false, true, false, true],
  );
});

test("a feature is an object of OpenStreetMap when its id says so, not when it is a number", async (t) => {
  const cases: [properties: object, id: string | number | undefined, sourceId: RegExp, geometry?: object][] = [
    [{}, "node/5", /^osm:n5$/],
    [{}, "way/5", /^osm:w5$/],
    [{}, "r5", /^osm:r5$/],
    [{ "@id": "relation/5" }, undefined, /^osm:r5$/],
    [{ osm_type: "way" }, 5, /^osm:w5$/],
    [{ osm_id: "5", osm_type: "W" }, undefined, /^osm:w5$/],
    [{ osm_id: 5 }, undefined, /^osm:n5$/],
    [{ osm_id: 5 }, undefined, /^geojson:[0-9a-f]{12}\/5$/, line],
    [{ osm_id: 7 }, 5, /^osm:n7$/],
    [{}, 5, /^geojson:[0-9a-f]{12}\/5$/],
    [{ id: "5" }, undefined, /^geojson:[0-9a-f]{12}\/5$/],
  ];
  for (const [properties, id, sourceId, geometry] of cases) {
    const given = feature({ name: "Adler", shop: "bakery", ...properties }, id, geometry);
    const { places } = await read(t, readGeoJson, JSON.stringify(given));

    const [place] = places;
    assert.match(place?.sourceId ?? "", sourceId, JSON.stringify(given));
    assert.equal(place?.categories[0], "shop/bakery");
    assert.equal(place.details.mapsUrl !== undefined, place.sourceId.startsWith("osm:"));
  }
});

test("a row whose id is too long is skipped, with the reason", async (t) => {
  const progress = { bytesRead: 0, bytesTotal: 0, objectsRead: 0, skipped: { count: 0, samples: [] } };
  const id = "x".repeat(3_000);
  const features = [feature({ name: "Adler" }, id), feature({ name: "Ochsen" }, "y")];

  const table = await read(t, readCsv, `id,name,lat,lon\n${id},Adler,47.1,9.5\ny,Ochsen,47.2,9.5\n`, { progress });
  const collection = await read(t, readGeoJson, JSON.stringify(features), { progress });

  assert.deepEqual([table.places.length, collection.places.length], [1, 1]);
  assert.deepEqual(progress.skipped.samples, [
    { at: "line 2", reason: "an id of more than 250 characters" },
    { at: "feature 1", reason: "an id of more than 250 characters" },
  ]);
});

const line = {
  type: "LineString",
  coordinates: [
    [9.5, 47.1],
    [9.6, 47.1],
  ],
};

function feature(
  properties: object,
  id?: string | number,
  geometry: object = { type: "Point", coordinates: [9.5, 47.1] },
) {
  return { type: "Feature", ...(id === undefined ? {} : { id }), geometry, properties };
}
