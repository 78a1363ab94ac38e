import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile as readBytes } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { readCsv } from "./tables/csv.ts";
import { detectFormat } from "./detect.ts";
import { readGeoJson } from "./geojson/geojson.ts";
import { overtureRecord } from "./overture/overture-record.ts";
import { readOverture } from "./overture/overture.ts";
import { groupOf, listOf, textColumn, wkbPoint } from "./parquet/sample.ts";
import { writeSample } from "./pbf/sample.ts";
import { read, readFile, temporaryFile } from "./read.ts";

const overtureFile = join(
  import.meta.dirname,
  "../../../../../shared/data/overture/overture-places-sample-2025-02.parquet",
);

const feature = (properties: object, coordinates: unknown = [9.52, 47.14], more: object = {}) => ({
  type: "Feature",
  geometry: { type: "Point", coordinates },
  properties,
  ...more,
});

test("a format is known by what is in the file", async (t) => {
  const contents: [Buffer | string, string][] = [
    [writeSample({}), "osm-pbf"],
    ["PAR1…PAR1", "overture"],
    ['\ufeff {"type":"FeatureCollection","features":[]}', "geojson"],
    ['\u001e{"type":"Feature"}\n', "geojson"],
    ["name;lat;lon\n", "csv"],
  ];
  for (const [content, format] of contents) assert.equal(await detectFormat(await temporaryFile(t, content)), format);
});

test("what is no place data is refused in one sentence that says what it is", async (t) => {
  const contents: [Buffer | string, RegExp][] = [
    ["", /empty \(0 bytes\)/],
    ["PK\u0003\u0004rest", /zip archive/],
    [gzipSync("x"), /gzip/],
    ["\n<!DOCTYPE html><html>404</html>", /web page/],
    ['<?xml version="1.0"?>\n<osm version="0.6"/>', /OSM XML/],
    ["<?xml version='1.0'?><kml/>", /XML/],
    ["just words", /no known format/],
    [Buffer.from([0, 1, 2, 3, 0, 0, 0]), /no known format/],
  ];
  for (const [content, message] of contents) {
    await assert.rejects(detectFormat(await temporaryFile(t, content)), (error: Error) => {
      assert.equal(error.name, "ImportProblem");
      assert.match(error.message, message);
      assert.match(error.message, /^[A-Z][^\n]*\.$/);
      return true;
    });
  }
  await assert.rejects(detectFormat("/no/such/file"), { name: "ImportProblem", message: /no file/ });
  await assert.rejects(detectFormat(import.meta.dirname), { name: "ImportProblem" });
  await assert.rejects(detectFormat("/dev/zero"), { name: "ImportProblem", message: /pipe or a device.*save/ });
});

test("a collection, a list and one feature to a line are read alike", async (t) => {
  const features = [
    feature({ name: "Adler", amenity: "pub", phone: "239 20 20" }, undefined, { id: "node/1" }),
    feature({ title: "Löwen", category: "Restaurant", address: "Städtle 5", zip: 9490, city: "Vaduz" }, undefined, {
      id: "x7",
    }),
    feature({ names: { primary: "Rössle" }, categories: { primary: "hotel" }, id: "08f" }),
    feature({ noName: true }),
  ];
  const texts = [
    JSON.stringify({ type: "FeatureCollection", name: "features", bbox: [1, [2]], features, crs: { type: "name" } }),
    JSON.stringify({ features, type: "FeatureCollection" }, null, 2),
    JSON.stringify(features),
    features.map((one) => `\u001e${JSON.stringify(one)}`).join("\n"),
  ];
  for (const text of texts) {
    const { places } = await read(t, readGeoJson, text);

    assert.deepEqual(
      places.map(({ sourceId, name, categories }) => [sourceId, name, categories[0]]),
      [
        ["osm:n1", "Adler", "amenity/pub"],
        ["geojson:e3b0c44298fc/x7", "Löwen", "amenity/restaurant"],
        ["overture:08f", "Rössle", "tourism/hotel"],
      ],
    );
    assert.deepEqual(places[0]?.details.phones, ["+4232392020"]);
    assert.equal(places[1]?.address.postalCode, "9490");
  }
});

test("text that looks like structure does not mislead the reader, however it is cut into chunks", async (t) => {
  const name = '}]"{\\ [é🍕';
  const filler = feature({ name: "x".repeat(700_000), shop: "yes" });
  const { places } = await read(
    t,
    readGeoJson,
    JSON.stringify({ features: [filler, filler, feature({ name, shop: "yes" })] }),
  );

  assert.equal(places.at(-1)?.name, name);
  assert.equal(places.length, 3);
});

test("text that no database can keep is made such that it can", async (t) => {
  const name = "A\u0000d\ud800ler";
  const row = { id: "1", names: { primary: name }, geometry: wkbPoint(9, 47) };

  const { places } = await read(t, readGeoJson, JSON.stringify(feature({ name })));
  const table = await read(t, readCsv, "name,lat,lon\nA\u0000dler,47,9\n");

  assert.deepEqual(
    [places[0]?.name, overtureRecord(row)?.name, table.places[0]?.name],
    ["Ad\ufffdler", "Ad\ufffdler", "Adler"],
  );
});

test("a polygon becomes a place at the center of its area", async (t) => {
  const ring = [
    [9, 47],
    [9.002, 47],
    [9.002, 47.002],
    [9, 47.002],
    [9, 47],
  ];
  const building = {
    ...feature({ name: "Hall", amenity: "townhall" }),
    geometry: { type: "Polygon", coordinates: [ring] },
  };

  const { places } = await read(t, readGeoJson, JSON.stringify(building));

  assert.deepEqual([places[0]?.latitude.toFixed(4), places[0]?.longitude.toFixed(4)], ["47.0010", "9.0010"]);
});

test("broken and foreign JSON is refused with where it breaks", async (t) => {
  const good = JSON.stringify(feature({ name: "a" }));
  const cases: [string, RegExp][] = [
    [
      `{"features":[${good},{"type":"Fea`,
      /truncated: it ends at byte \d+, in the middle of the object that begins at byte/,
    ],
    [`{"features":[${good},{"type":}]}`, /what begins at byte \d+ is no JSON/],
    [`{"features":[${good}`, /truncated/],
    ['{"some":"object"}', /no GeoJSON/],
    [JSON.stringify([feature({ name: "a" }, ["x", "y"])]), /None of the 1 features/],
  ];
  for (const [text, message] of cases) {
    await assert.rejects(read(t, readGeoJson, text), { name: "ImportProblem", message });
  }
  assert.deepEqual((await read(t, readGeoJson, '{"type":"FeatureCollection","features":[]}')).places, []);
});

test("a table's columns are guessed by their headings, in several languages and separators", async (t) => {
  const tables = [
    'name,lat,lon,category,phone,website\n"Adler, zum",47.14,9.52,pub,239 20 20,www.adler.example.org\n',
    "\ufeffBezeichnung;Breitengrad;Längengrad;Kategorie;Telefon;Webseite\r\nAdler, zum;47,14;9,52;Kneipe;239 20 20;adler.example.org\r\n",
    "Title\tLatitude\tLongitude\tType\tTel\tURL\nAdler, zum\t47.14\t9.52\tamenity=pub\t+423 239 20 20\thttps://adler.example.org\n",
  ];
  for (const table of tables) {
    const { places } = await read(t, readCsv, table);

    const [place] = places;
    assert.equal(place?.name, "Adler, zum");
    assert.deepEqual([place.latitude, place.longitude, place.address.countryCode], [47.14, 9.52, "LI"]);
    assert.equal(place.categories[0], "amenity/pub");
    assert.deepEqual(place.details.phones, ["+4232392020"]);
    assert.match(place.details.website ?? "", /^https:\/\/(www\.)?adler\.example\.org\/$/);
    assert.match(place.sourceId, /^csv:[0-9a-f]{32}$/);
  }
});

test("a mapping says which column is which", async (t) => {
  const table = "a,b,c,d\nAdler,47.14,9.52,k1\n";

  const { places } = await read(t, readCsv, table, { mapping: { name: "a", latitude: "b", longitude: "c", id: "d" } });

  assert.deepEqual([places[0]?.sourceId, places[0]?.name], ["csv:e3b0c44298fc/k1", "Adler"]);
  await assert.rejects(read(t, readCsv, table, { mapping: { name: "z" } }), { message: /no column "z"/ });
});

test("a table without coordinates or names is refused, and the error lists its headings", async (t) => {
  const cases: [string, RegExp][] = [
    ["name,city\nAdler,Vaduz\n", /no columns for latitude and longitude; it has: name, city/],
    ["name,lon\nAdler,9\n", /no columns for latitude/],
    ["name,lat\nAdler,47\n", /no columns for latitude/],
    ["lat,lon\n1,2\n", /no column for the name/],
    ["name,lat,lon\nAdler,here,there\n", /None of the 1 rows can be used \(line 2: no coordinates that can be read\)/],
    [`id,name,lat,lon\n${"1".repeat(600)},Adler,47,9\n`, /None of the 1 rows can be used \(line 2: an id of more/],
    ["name,lat,lon\nAdler,91,9\n", /None of the 1 rows/],
  ];
  for (const [table, message] of cases)
    await assert.rejects(read(t, readCsv, table), { name: "ImportProblem", message });
  assert.equal((await read(t, readCsv, "name,lat,lon\nPole,90,-180\n")).places.length, 1);
});

test("a row of the newer Overture schema is read with its taxonomy and status", () => {
  const row = {
    id: "08f1",
    geometry: wkbPoint(9.52, 47.14),
    names: { primary: "Adler", common: [{ key: "en", value: "Eagle" }] },
    taxonomy: {
      primary: "pizza_restaurant",
      hierarchy: ["food_and_drink", "restaurant", "pizza_restaurant"],
      alternates: null,
    },
    operating_status: "temporarily_closed",
    phones: ["+4232392020"],
    addresses: [{ freeform: "Städtle 5", locality: "Vaduz", postcode: "9490", region: null, country: "LI" }],
    brand: { names: { primary: "Aquila" }, wikidata: "Q42" },
  };

  const place = overtureRecord(row);

  assert.deepEqual(place?.categories.slice(0, 2), ["amenity/restaurant/pizza", "amenity/restaurant"]);
  assert.deepEqual([place.latitude, place.longitude], [47.14, 9.52]);
  assert.deepEqual(place.namesByLanguage, { en: "Eagle" });
  assert.equal(place.details.businessStatus, "CLOSED_TEMPORARILY");
  assert.equal(place.details.knowledgeUrl, undefined, "the entry of a brand is not the place's");
  assert.equal(overtureRecord({ ...row, geometry: wkbPoint(9.52, 97) }), undefined);
  assert.equal(overtureRecord({ ...row, names: null }), undefined);
});

test("points of every dialect are read", () => {
  const latitudeOf = (type: number) => {
    const geometry = Buffer.concat([wkbPoint(9.52, 47.14), Buffer.alloc(16)]);
    geometry.writeUInt32LE(type, 1);
    return overtureRecord({ id: "08f", names: { primary: "Adler" }, geometry })?.latitude;
  };

  for (const type of [1, 1_001, 2_001, 3_001, 0x8000_0001]) assert.equal(latitudeOf(type), 47.14, String(type));
  for (const type of [2, 4, 1_002, 0x8000_0003]) assert.equal(latitudeOf(type), undefined, String(type));
});

test("a state that nobody knows is none, and a region's number is no region", () => {
  const row = (status: string, region: string) => ({
    id: "08f",
    names: { primary: "Adler" },
    geometry: wkbPoint(9.52, 47.14),
    operating_status: status,
    addresses: [{ freeform: "Städtle 5", region }],
  });
  const told = (status: string, region: string) => {
    const place = overtureRecord(row(status, region));
    return [place?.details.businessStatus, place?.address.region];
  };

  assert.deepEqual(told("closed", "US-CA"), ["CLOSED_PERMANENTLY", "CA"]);
  assert.deepEqual(told("being_moved", "JP-13"), [null, null]);
  assert.deepEqual(told("open", "Bayern"), ["OPERATIONAL", "Bayern"]);
});

for (const geometry of ["BYTE_ARRAY", "GEOMETRY"] as const) {
  test(`a file of the newer Overture schema is read whole, slice by slice (${geometry})`, async (t) => {
    const ids = Array.from({ length: 30_000 }, (_, index) => `08f${index}`);

    const { places } = await read(t, readOverture, overtureFileOf(ids, geometry));

    assert.deepEqual(
      places.map(({ sourceId }) => sourceId),
      ids.map((id) => `overture:${id}`),
    );
    const { name, latitude, longitude, categories, details } = places.at(-1) ?? assert.fail();
    assert.deepEqual([name, latitude, longitude, categories[0]], ["Adler", 47.14, 9.52, "amenity/restaurant/pizza"]);
    assert.equal(details.businessStatus, "CLOSED_PERMANENTLY");
  });
}

test("a Parquet file with other columns is refused, and the error names the missing ones", async (t) => {
  const table = parquetWriteBuffer({
    columnData: [
      { name: "id", data: ["1"] },
      { name: "sum", data: [2] },
    ],
  });

  await assert.rejects(read(t, readOverture, Buffer.from(table)), {
    name: "ImportProblem",
    message: 'The file is Parquet, but holds no Overture places: it has no column "geometry", "names.primary".',
  });
});

test("the Overture sample is read whole, a cut one is refused", async (t) => {
  if (!existsSync(overtureFile)) return t.skip("the real data is not here");

  const { places } = await readFile(readOverture, overtureFile);

  const count = (isMet: (place: (typeof places)[number]) => unknown) => places.filter(isMet).length;
  t.diagnostic(
    `${places.length} places, ${count((place) => place.categories.length > 0)} with a category, ` +
      `${count((place) => place.details.phones)} with a phone, ${count((place) => place.details.website)} with a website`,
  );
  assert.equal(places.length, 3425);
  assert.ok(count((place) => place.categories.length > 0) / places.length >= 0.99);
  assert.equal(
    count(({ confidence }) => confidence !== undefined),
    3425,
  );
  assert.equal(
    count(({ observedAt = "" }) => observedAt > "2000" && observedAt < "2025-03"),
    3425,
  );
  assert.equal(
    count(({ licenses }) => licenses?.join() === "CDLA-Permissive-2.0"),
    3425,
  );
  assert.equal(
    count(({ details }) => details.businessStatus === null),
    3425,
  );
  const unmapped = Object.entries(
    Object.groupBy(
      places.filter(({ isLabelFirst }) => isLabelFirst),
      ({ categoryLabels }) => categoryLabels[0] ?? "",
    ),
  ).map(([label, those]) => `${label} ${those?.length}`);
  t.diagnostic(`primaries without a category of ours that says the same: ${unmapped.join(", ")}`);

  const whole = await readBytes(overtureFile);
  await assert.rejects(read(t, readOverture, whole.subarray(0, 500_000)), {
    name: "ImportProblem",
    message: /truncated/,
  });
  const holed = Buffer.from(whole);
  holed.fill(0, 4, 200_000);
  await assert.rejects(read(t, readOverture, holed), { name: "ImportProblem", message: /damaged/ });
});

function overtureFileOf(ids: string[], geometry: "BYTE_ARRAY" | "GEOMETRY"): Buffer {
  const repeat = <Value>(value: Value) => ids.map(() => value);
  return Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: "root", num_children: 5 },
        textColumn("id"),
        {
          name: "geometry",
          type: "BYTE_ARRAY",
          ...(geometry === "GEOMETRY" ? { logical_type: { type: "GEOMETRY" } } : {}),
        },
        groupOf("names", 1),
        textColumn("primary"),
        groupOf("taxonomy", 2),
        textColumn("primary"),
        ...listOf("hierarchy"),
        textColumn("operating_status"),
      ],
      columnData: [
        { name: "id", data: ids },
        // A writer of geometry takes the shape, one of bytes the bytes.
        {
          name: "geometry",
          data: repeat(geometry === "GEOMETRY" ? { type: "Point", coordinates: [9.52, 47.14] } : wkbPoint(9.52, 47.14)),
        },
        { name: "names", data: repeat({ primary: "Adler" }) },
        {
          name: "taxonomy",
          data: repeat({ primary: "pizza_restaurant", hierarchy: ["food_and_drink", "restaurant"] }),
        },
        { name: "operating_status", data: repeat("permanently_closed") },
      ],
    }),
  );
}
