import { writeFile } from "node:fs/promises";
import { zstdCompressSync } from "node:zlib";
import { asyncBufferFromFile, parquetReadObjects, type SchemaElement } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { PlaceRecord } from "../../server/src/sources/open-data/record.ts";

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
const list = (name: string, ...element: SchemaElement[]): SchemaElement[] => [
  { ...group(name, 1), converted_type: "LIST" },
  { name: "list", num_children: 1, repetition_type: "REPEATED" },
  ...element,
];

const schema: SchemaElement[] = [
  { name: "root", num_children: 7 },
  text("id"),
  { name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
  group("names", 1),
  text("primary"),
  group("categories", 2),
  text("primary"),
  ...list("alternate", text("element")),
  ...list("websites", text("element")),
  ...list("phones", text("element")),
  ...list("addresses", group("element", 4), ...["freeform", "locality", "postcode", "country"].map(text)),
];

/** Places as a file of an Overture release has them, all in one row group. */
export async function writeOverture(path: string, places: readonly PlaceRecord[]): Promise<void> {
  const columns: Record<string, (place: PlaceRecord) => unknown> = {
    id: ({ sourceId }) => sourceId,
    geometry: ({ longitude, latitude }) => wkbPoint(longitude, latitude),
    names: ({ name }) => ({ primary: name }),
    categories: ({ categories }) => ({ primary: kindOf(categories[0]), alternate: ["shopping"] }),
    websites: ({ details }) => (details.website ? [details.website] : null),
    phones: ({ details }) => details.phones ?? null,
    addresses: ({ address }) => [
      { freeform: address.street, locality: address.city, postcode: address.postalCode, country: address.countryCode },
    ],
  };
  const columnData = Object.entries(columns).map(([name, cell]) => ({ name, data: places.map(cell) }));
  const options = { schema, columnData, rowGroupSize: places.length };
  const packed = { codec: "ZSTD", compressors: { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) } } as const;
  await writeFile(path, Buffer.from(parquetWriteBuffer({ ...options, ...packed })));
}

/** What the library alone takes to read the same columns. */
export async function readWithLibrary(path: string): Promise<void> {
  await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors, geoparquet: false });
}

function kindOf(category = ""): string {
  return category.slice(category.indexOf("/") + 1);
}

function wkbPoint(longitude: number, latitude: number): Uint8Array {
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(1, 1);
  bytes.writeDoubleLE(longitude, 5);
  bytes.writeDoubleLE(latitude, 13);
  return bytes;
}
