import { zstdCompressSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Business } from "../../businesses/index.ts";
import { type Column, columnsOf, type ColumnType } from "./columns.ts";
import { createAttributionCollector, type FileContext, type Sink, type Writer } from "./writer.ts";

// Measured: a group of 10,000 rows needs 370 MB to encode, one of 2,000 less than 150 MB.
const groupRows = 2_000;
const groupBytes = 8_000_000;

/** GeoParquet 1.1: the columns, and the location once more as a WKB point in `geometry`. */
export function createParquetWriter(sink: Sink, context: FileContext): Writer {
  const { exportId, createdAt } = context;
  const columns = columnsOf(context.columns);
  const attribution = createAttributionCollector();
  const bytes = new SinkWriter(sink);
  const kvMetadata = [
    { key: "geo", value: JSON.stringify(geoMetadata) },
    { key: "export_id", value: exportId },
    { key: "created_at", value: createdAt },
  ];
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(columns),
    codec: "ZSTD",
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    // Statistics hold the largest texts of every group until the end: memory would grow with the rows.
    statistics: false,
    kvMetadata,
  });
  let group: Business[] = [];
  let groupSize = 0;

  async function flush(): Promise<void> {
    if (group.length === 0) return;
    await parquet.write({ columnData: dataOf(columns, group), rowGroupSize: group.length });
    group = [];
    groupSize = 0;
  }

  return {
    async write(batch) {
      attribution.add(batch);
      const lines = batch.lines();
      for (const [index, business] of batch.businesses().entries()) {
        group.push(business);
        groupSize += lines[index]?.length ?? 0;
        if (group.length >= groupRows || groupSize >= groupBytes) await flush();
      }
    },
    async end() {
      await flush();
      kvMetadata.push({ key: "attribution", value: JSON.stringify(attribution.list()) });
      await parquet.finish();
      await bytes.flush();
    },
  };
}

/** Collects a group's bytes and hands them on when the group is whole. */
class SinkWriter extends ByteWriter {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    super(1 << 20);
    this.#sink = sink;
  }

  async flush(): Promise<void> {
    await this.#sink.write(this.getBytes());
    this.index = 0;
  }
}

const geometryColumn = "geometry";
const geoMetadata = {
  version: "1.1.0",
  primary_column: geometryColumn,
  columns: { [geometryColumn]: { encoding: "WKB", geometry_types: ["Point"] } },
};

const elementsByType: Record<ColumnType, (name: string) => SchemaElement[]> = {
  text: (name) => [{ name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" }],
  integer: (name) => [{ name, type: "INT64", repetition_type: "OPTIONAL" }],
  number: (name) => [{ name, type: "DOUBLE", repetition_type: "OPTIONAL" }],
  boolean: (name) => [{ name, type: "BOOLEAN", repetition_type: "OPTIONAL" }],
  timestamp: (name) => [{ name, type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type: "OPTIONAL" }],
  list: (name) => [
    { name, repetition_type: "OPTIONAL", converted_type: "LIST", num_children: 1 },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  ],
  json: (name) => [{ name, type: "BYTE_ARRAY", converted_type: "JSON", repetition_type: "OPTIONAL" }],
};

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: "root", num_children: columns.length + 1 },
    ...columns.flatMap(({ name, type }) => elementsByType[type](name)),
    { name: geometryColumn, type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
  ];
}

function dataOf(columns: readonly Column[], group: readonly Business[]) {
  const tables = columns.map(({ name, type, read }) => ({
    name,
    data: group.map((business) => valueOf(type, read(business))),
    offsetIndex: false,
  }));
  return [...tables, { name: geometryColumn, data: group.map(pointOf), offsetIndex: false }];
}

function valueOf(type: ColumnType, value: unknown): unknown {
  if (value === null) return null;
  if (type === "integer") return BigInt(value as number); // the column's type says so
  if (type !== "timestamp") return value;
  const time = new Date(value as string);
  return Number.isNaN(time.getTime()) ? null : time;
}

const wkbPoint = 1;

function pointOf({ place: { location } }: Business): Uint8Array | null {
  if (!location) return null;
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1, 0); // little endian
  bytes.writeUInt32LE(wkbPoint, 1);
  bytes.writeDoubleLE(location.longitude, 5);
  bytes.writeDoubleLE(location.latitude, 13);
  return bytes;
}
