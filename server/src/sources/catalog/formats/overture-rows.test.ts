import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { type CompressionCodec, type Encoding, parquetReadObjects, type SchemaElement } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { PlaceRecord } from "../../open-data/record.ts";
import { overtureRecord } from "./overture-record.ts";
import { readOverture } from "./overture.ts";
import { read, temporaryFile } from "./read.ts";
import { readRowsInThread } from "./threaded-reader.ts";

const rowCount = 6_000;
const text = (name: string): SchemaElement => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "OPTIONAL",
});
const group = (name: string, children: number): SchemaElement => ({
  name,
  num_children: children,
  repetition_type: "OPTIONAL",
});
const repeated = (name: string, children: number): SchemaElement => ({
  name,
  num_children: children,
  repetition_type: "REPEATED",
});
const list = (name: string, ...element: SchemaElement[]): SchemaElement[] => [
  { ...group(name, 1), converted_type: "LIST" },
  repeated("list", 1),
  ...(element.length > 0 ? element : [text("element")]),
];
const map = (name: string): SchemaElement[] => [
  { ...group(name, 1), converted_type: "MAP" },
  repeated("key_value", 2),
  { ...text("key"), repetition_type: "REQUIRED" },
  text("value"),
];
const number = (name: string): SchemaElement => ({ name, type: "FLOAT", repetition_type: "OPTIONAL" });

const schema: SchemaElement[] = [
  { name: "root", num_children: 13 },
  { ...text("id"), repetition_type: "REQUIRED" },
  { name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
  group("bbox", 4),
  ...["xmin", "xmax", "ymin", "ymax"].map(number),
  group("names", 3),
  text("primary"),
  ...map("common"),
  // Nobody asks for these, and they lie deeper than the others.
  ...list("rules", group("element", 2), text("value"), ...list("perspectives")),
  group("categories", 2),
  text("primary"),
  ...list("alternate"),
  group("taxonomy", 3),
  text("primary"),
  ...list("hierarchy"),
  ...list("alternate"),
  text("operating_status"),
  ...list("websites"),
  ...list("socials"),
  ...list("emails"),
  ...list("phones"),
  group("brand", 2),
  text("wikidata"),
  group("names", 1),
  text("primary"),
  ...list("addresses", group("element", 5), ...["freeform", "locality", "region", "postcode", "country"].map(text)),
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

for (const codec of ["UNCOMPRESSED", "SNAPPY", "ZSTD", "GZIP", "BROTLI"] as const) {
  test(`a row group of many pages says what the library reads in it at once (${codec})`, async (t) => {
    const { places } = await read(t, readOverture, write(codec, rowCount));

    const expected = await readAtOnce(write("UNCOMPRESSED", rowCount));
    assert.ok(expected.length > rowCount / 2);
    assertSame(places, expected);
  });
}

test("values are read in every encoding that writers choose for them", async (t) => {
  const encodings = { id: "DELTA_BYTE_ARRAY", websites: "DELTA_LENGTH_BYTE_ARRAY", bbox: "BYTE_STREAM_SPLIT" } as const;
  const content = write("UNCOMPRESSED", rowCount, { encodings });

  assertSame((await read(t, readOverture, content)).places, await readAtOnce(content));
});

test("ids that are no text are read as they are written", async (t) => {
  const id = "0190e8a2-7a7e-7c3e-8f00-0123456789ab";
  const content = parquetWriteBuffer({
    schema: [
      { name: "root", num_children: 3 },
      { name: "id", type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } },
      { name: "geometry", type: "BYTE_ARRAY" },
      group("names", 1),
      text("primary"),
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

    assertSame((await read(t, readOverture, content)).places, await readAtOnce(content));
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

async function readAtOnce(content: Buffer) {
  const bytes = new Uint8Array(content);
  const file = { byteLength: bytes.length, slice: (start: number, end?: number) => bytes.slice(start, end).buffer };
  const found = await parquetReadObjects({ file, compressors, utf8: false, geoparquet: false });
  return found.flatMap((row) => overtureRecord(row) ?? []);
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

function wkbPoint(longitude: number, latitude: number): Uint8Array {
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(1, 1);
  bytes.writeDoubleLE(longitude, 5);
  bytes.writeDoubleLE(latitude, 13);
  return bytes;
}
