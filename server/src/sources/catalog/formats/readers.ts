import type { RecordItem } from "../../open-data/record.ts";
import type { CsvMapping } from "./csv.ts";
import type { Format } from "./detect.ts";
import type { ReadOptions } from "./reader.ts";
import type { TaskReader } from "./tasks.ts";

type Reader = (
  path: string,
  options: ReadOptions & { mapping?: CsvMapping },
) => AsyncGenerator<RecordItem, void, undefined>;

/** The places and areas of a file; throws an ImportProblem when it cannot be read to its end. */
export async function* readItems(path: string, format: Format, options: Parameters<Reader>[1]): ReturnType<Reader> {
  const read = await loadReader(format);
  yield* read(path, options);
}

/** Loads the modules of one format only: loading those of all takes longer than reading a small file. */
export function loadReader(format: Format): Promise<Reader> {
  return readers[format]();
}

const readers: Record<Format, () => Promise<Reader>> = {
  "osm-pbf": async () => (await import("./osm-pbf.ts")).readOsmPbf,
  overture: async () => (await import("./overture.ts")).readOverture,
  geojson: async () => (await import("./geojson.ts")).readGeoJson,
  csv: async () => (await import("./csv.ts")).readCsv,
};

/** How a format is read by several threads, where it can be. */
export async function loadTaskReader(format: Format): Promise<TaskReader<unknown, unknown> | undefined> {
  return taskReaders[format]?.();
}

const taskReaders: Partial<Record<Format, () => Promise<TaskReader<unknown, unknown>>>> = {
  "osm-pbf": async () => (await import("./osm-pbf.ts")).osmPbf,
  overture: async () => (await import("./overture.ts")).overture,
};
