import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import type { CompressionCodec, Encoding, SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { PlaceRecord } from "../../../places/record.ts";
import { readOverture } from "./overture.ts";
import { readWithLibrary } from "./read-with-library.ts";
import { groupOf, listOf, mapOf, textColumn, wkbPoint } from "../parquet/sample.ts";
import { read, temporaryFile } from "../read.ts";
import { readRowsInThread } from "../threads/threaded-reader.ts";

const rowCount = 6_000;
const number = (name: string): SchemaElement => ({ name, type: "FLOAT", repetition_type: "OPTIONAL" });

const schema: SchemaElement[] = [
  { name: "root", num_children: 13 },
  { ...textColumn("id"), repetition_type: "REQUIRED" },
  { name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
  groupOf("bbox", 4),
  ...["xmin", "xmax", "ymin", "ymax"].map(number),
  groupOf("names", 3),
  textColumn("primary"),
  ...mapOf("common"),
  // Nobody asks for these, and they lie deeper than the others.
  ...listOf("rules", groupOf("element", 2), textColumn("value"), ...listOf("perspectives")),
  groupOf("categories", 2),
  textColumn("primary"),
  ...listOf("alternate"),
  groupOf("taxonomy", 3),
  textColumn("primary"),
  ...listOf("hierarchy"),
  ...listOf("alternate"),
  textColumn("operating_status"),
  ...listOf("websites"),
  ...listOf("socials"),
  ...listOf("emails"),
  ...listOf("phones"),
  groupOf("brand", 2),
  textColumn("wikidata"),
  groupOf("names", 1),
  textColumn("primary"),
  ...listOf(
    "addresses",
    groupOf("element", 5),
    ...["freeform", "locality", "region", "postcode", "country"].map(textColumn),
  ),
];

/** Rows of every shape that columns can give them: nothing, null, empty, one, several. */
const rows = Array.from({ length: rowCount }, (_, row) => {
  const pick = <Value>(values: readonly Value[], every: number) => values[Math.floor(row / every) % values.length];
  return {
    id: `place ${row}`,
    geometry: row % 11 === 0 ? null : wkbPoint(9 + row / 1e5, 47),
    bbox: row % 13 === 0 ? null : { xmin: 9, xmax: 9.5, ymin: 47, ymax: 47.25 },
    names: {
      primary: row % 17 === 0 ? null : `Café ${row} ${"é".repeat(row % 40)}`,
      common: pick([null, [], [{ key: "en", value: `Coffee ${row}` }], pairs(row)], 1),
      rules: pick(
        [
          null,
          [],
          [
            { value: "x", perspectives: ["a", "b"] },
            { value: null, perspectives: null },
          ],
        ],
        3,
      ),
    },
    categories: pick([null, { primary: "cafe", alternate: null }, { primary: null, alternate: ["bar", "hotel"] }], 1),
    taxonomy: pick([null, { primary: "bakery", hierarchy: ["food", "shop"], alternate: ["cafe"] }], 5),
    operating_status: pick([null, "open", "permanently_closed"], 1_000),
    websites: pick([null, [], [`https://a${row}.example/`], [null, `https://b${row}.example/`]], 2),
    socials: pick([null, [`https://social.example/${row}`, "https://social.example/two"]], 1),
    emails: pick([[], [`mail${row}@a.example`]], 7),
    phones: pick([null, ["+423 239 20 20", "+423 239 20 21"], ["12"]], 1),
    brand: pick(
      [null, { wikidata: "Q42", names: { primary: `Brand ${row % 5}` } }, { wikidata: null, names: null }],
      1,
    ),
    addresses: pick([null, [], [address(row), address(row + 1)], [null]], 1),
  };
});

const packers: Partial<Record<CompressionCodec, (bytes: Uint8Array) => Uint8Array>> = {
  ZSTD: (bytes) => zstdCompressSync(bytes),
  GZIP: (bytes) => gzipSync(bytes),
  BROTLI: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

const allPlaces = readWithLibrary(write("UNCOMPRESSED", rowCount));

for (const codec of ["UNCOMPRESSED", "SNAPPY", "ZSTD", "GZIP", "BROTLI"] as const) {
  test(`a row group of many pages says what the library reads in it at once (${codec})`, async (t) => {
    const { places } = await read(t, readOverture, write(codec, rowCount));

    assert.ok((await allPlaces).length > rowCount / 2);
    assertSame(places, await allPlaces);
  });
}

test("values are read in every encoding that writers choose for them", async (t) => {
  const encodings = { id: "DELTA_BYTE_ARRAY", websites: "DELTA_LENGTH_BYTE_ARRAY", bbox: "BYTE_STREAM_SPLIT" } as const;
  const content = write("UNCOMPRESSED", rowCount, { encodings });

  assertSame((await read(t, readOverture, content)).places, await readWithLibrary(content));
});

test("ids that are no text are read as they are written", async (t) => {
  const id = "0190e8a2-7a7e-7c3e-8f00-0123456789ab";
  const content = parquetWriteBuffer({
    schema: [
      { name: "root", num_children: 3 },
      { name: "id", type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } },
      { name: "geometry", type: "BYTE_ARRAY" },
      groupOf("names", 1),
      textColumn("primary"),
    ],
    columnData: [
      { name: "id", data: [Buffer.from(id.replaceAll("-", ""), "hex")] },
      { name: "geometry", data: [wkbPoint(9.52, 47.14)] },
      { name: "names", data: [{ primary: "Adler" }] },
    ],
  });

  const { places } = await read(t, readOverture, Buffer.from(content));

  assert.equal(places[0]?.sourceId, `overture:${id}`);
});

test("row groups of any size are read from the first row to the last", async (t) => {
  for (const [rowsPerGroup, count] of [
    [1, 30],
    [4_999, rowCount],
    [5_000, rowCount],
  ] as const) {
    const content = write("SNAPPY", rowsPerGroup, { count });

    assertSame((await read(t, readOverture, content)).places, await readWithLibrary(content));
  }
});

test("several threads make the rows of a row group that one makes", async (t) => {
  const path = await temporaryFile(t, write("ZSTD", rowCount));
  const [alone, shared] = [await rowsOf(path, 0), await rowsOf(path, 2)];

  assert.ok(alone.length > 1);
  assert.ok(isDeepStrictEqual(shared, alone));
});

async function rowsOf(path: string, workers: number) {
  const batches = [];
  const options = { signal: new AbortController().signal, workers };
  for await (const { text: rowTexts, ...counts } of readRowsInThread(path, "overture", options)) {
    batches.push({ ...counts, text: Buffer.from(rowTexts).toString() });
  }
  return batches;
}

/** Shows the first that differs: of thousands at once a difference takes minutes to show. */
function assertSame(places: readonly PlaceRecord[], expected: readonly PlaceRecord[]): void {
  const at = expected.findIndex((place, index) => !isDeepStrictEqual(place, places[index]));
  assert.deepEqual(places[at], expected[at]);
  assert.equal(places.length, expected.length);
}

type Written = { count?: number; encodings?: Partial<Record<keyof (typeof rows)[number], Encoding>> };

function write(
  codec: CompressionCodec,
  rowsPerGroup: number,
  { count = rowCount, encodings = {} }: Written = {},
): Buffer {
  const names = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[];
  const columnData = names.map((name) => ({
    name,
    data: rows.slice(0, count).map((row) => row[name]),
    ...(encodings[name] ? { encoding: encodings[name] } : {}),
  }));
  const options = { schema, columnData, codec, compressors: packers, rowGroupSize: rowsPerGroup, pageSize: 2_048 };
  return Buffer.from(parquetWriteBuffer(options));
}

function pairs(row: number) {
  return [
    { key: "de", value: `Kaffee ${row}` },
    { key: "fr", value: null },
    { key: "it", value: "Caffè" },
  ];
}

function address(row: number) {
  return {
    freeform: row % 3 === 0 ? null : `Street ${row}`,
    locality: "Vaduz",
    region: row % 2 === 0 ? null : "LI-11",
    postcode: `${9490 + (row % 9)}`,
    country: row % 5 === 0 ? null : "LI",
  };
}
