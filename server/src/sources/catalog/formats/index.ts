import type { RecordItem } from "../../open-data/record.ts";
import { readCsv } from "./csv.ts";
import type { CsvMapping } from "./csv.ts";
import type { Format } from "./detect.ts";
import { readGeoJson } from "./geojson.ts";
import { readOsmPbf } from "./osm-pbf.ts";
import { readOverture } from "./overture.ts";
import type { ReadOptions } from "./reader.ts";

export type { CsvMapping } from "./csv.ts";
export { detectFormat, type Format } from "./detect.ts";
export { isField } from "./properties.ts";
export { readItemsInThread, type ReadLimits, standardReadLimits } from "./threaded-reader.ts";
export { ImportProblem, newProgress, type ReadProgress, type SkippedRow } from "./reader.ts";

/** The places and areas of a file; throws an ImportProblem when it cannot be read to its end. */
export function readItems(
  path: string,
  format: Format,
  options: ReadOptions & { mapping?: CsvMapping },
): AsyncGenerator<RecordItem, void, undefined> {
  return readers[format](path, options);
}

const readers = { "osm-pbf": readOsmPbf, overture: readOverture, geojson: readGeoJson, csv: readCsv };
