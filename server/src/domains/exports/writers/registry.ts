import type { Format } from "../export.ts";
import type { CreateWriter } from "./writer.ts";

/** Each is loaded when a file needs it: a thread that writes csv has no use for the encoder of parquet. */
export const writers: Record<Format, () => Promise<CreateWriter>> = {
  csv: async () => (await import("./csv.ts")).createCsvWriter,
  json: async () => (await import("./json.ts")).createJsonWriter,
  ndjson: async () => (await import("./ndjson.ts")).createNdjsonWriter,
  geojson: async () => (await import("./geojson.ts")).createGeojsonWriter,
  xlsx: async () => (await import("./xlsx.ts")).createXlsxWriter,
  parquet: async () => (await import("./parquet.ts")).createParquetWriter,
};
