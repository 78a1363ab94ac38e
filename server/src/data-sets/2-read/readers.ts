import type { RecordItem } from "../../places/record.ts";
import type { CsvMapping } from "./tables/csv.ts";
import type { Format } from "./detect.ts";
import type { ReadOptions } from "./reader.ts";
import { readAlone, type TaskReader } from "./tasks.ts";

/** The places and areas of a file; throws an ImportProblem when it cannot be read to its end. */
export async function* readItems(
  path: string,
  format: Format,
  options: ReadOptions & { mapping?: CsvMapping },
): AsyncGenerator<RecordItem, void, undefined> {
  yield* readAlone(await loadReader(format), path, options);
}

/** Loads the modules of one format only: loading those of all takes longer than reading a small file. */
export function loadReader(format: Format): Promise<TaskReader<unknown, unknown>> {
  return readers[format]();
}

const readers: Record<Format, () => Promise<TaskReader<unknown, unknown>>> = {
  "osm-pbf": async () => (await import("./pbf/osm-pbf.ts")).osmPbf,
  overture: async () => (await import("./overture/overture.ts")).overture,
  parquet: async () => (await import("./parquet-table/parquet-table.ts")).parquetTable,
  geojson: async () => (await import("./geojson/geojson.ts")).geoJson,
  csv: async () => (await import("./tables/csv.ts")).csv,
};
