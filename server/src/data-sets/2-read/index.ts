export { fields, isField } from "./tables/columns.ts";
export type { CsvMapping } from "./tables/csv.ts";
export { detectFormat } from "./detect.ts";
export { findFiles, type FoundFile, readFiles } from "./files.ts";
export { readItems } from "./readers.ts";
export { readRowsInThread, type ReadLimits, standardReadLimits } from "./threads/threaded-reader.ts";
export { ImportProblem, newProgress, type ReadProgress, type SkippedRow } from "./reader.ts";
export { runInOrder } from "./tasks.ts";
