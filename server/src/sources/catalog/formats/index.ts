export { isField } from "./columns.ts";
export type { CsvMapping } from "./csv.ts";
export { detectFormat } from "./detect.ts";
export { findFiles, readFiles } from "./files.ts";
export { readItems } from "./readers.ts";
export { compiledFolder, readRowsInThread, type ReadLimits, standardReadLimits } from "./threaded-reader.ts";
export { ImportProblem, newProgress, type ReadProgress, type SkippedRow } from "./reader.ts";
export { runInOrder } from "./tasks.ts";
