import { writeFile } from "node:fs/promises";
import { zstdCompressSync } from "node:zlib";
import { asyncBufferFromFile, parquetReadObjects, type SchemaElement } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import { groupOf, listOf, textColumn, wkbPoint } from "../../server/src/data-sets/2-read/parquet/sample.ts";
import type { PlaceRecord } from "../../server/src/places/record.ts";

const schema: SchemaElement[] = [
  { name: "root", num_children: 7 },
  textColumn("id"),
  { name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
  groupOf("names", 1),
  textColumn("primary"),
  groupOf("categories", 2),
  textColumn("primary"),
  ...listOf("alternate"),
  ...listOf("websites"),
  ...listOf("phones"),
  ...listOf("addresses", groupOf("element", 4), ...["freeform", "locality", "postcode", "country"].map(textColumn)),
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
