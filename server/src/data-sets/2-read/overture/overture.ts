import type { FileMetaData } from "hyparquet";
import type { RecordItem } from "../../../places/record.ts";
import { columnsIn } from "../parquet/group.ts";
import { openSlices, openTable, planSlices, type Slice, type SliceFindings } from "../parquet/table-file.ts";
import { ImportProblem, type ReadOptions } from "../reader.ts";
import { readAlone, type TaskReader } from "../tasks.ts";
import { isNoBusiness, overtureRecord } from "./overture-record.ts";
import { openRows } from "./overture-rows.ts";

const neededColumns = ["id", "geometry", "names.primary"];

export const overture: TaskReader<Slice, SliceFindings> = {
  plan: (path, options, performers) =>
    planSlices(path, options, performers, (metadata) => {
      checkColumns(metadata);
      return (slice) => slice;
    }),
  open: (path) =>
    openSlices(path, {
      rowsOf: openRows,
      itemOf(row) {
        if (isNoBusiness(row)) return undefined;
        const place = overtureRecord(row);
        return place ? { place } : "no id, no name or no position that can be read";
      },
    }),
  tasksPerThread: 1,
};

/** Reads the places of an Overture release, of the `categories` era or the `taxonomy` one. */
export function readOverture(path: string, options: ReadOptions): AsyncGenerator<RecordItem, void, undefined> {
  return readAlone(overture, path, options);
}

/** Whether a Parquet file has the columns of Overture's places. */
export async function isOverture(path: string): Promise<boolean> {
  const { metadata, close } = await openTable(path);
  await close();
  return missingColumns(metadata).length === 0;
}

function checkColumns(metadata: FileMetaData): void {
  const missing = missingColumns(metadata);
  if (missing.length > 0) {
    throw new ImportProblem(
      `The file is Parquet, but holds no Overture places: it has no column ${missing.map((name) => `"${name}"`).join(", ")}.`,
    );
  }
}

function missingColumns({ schema }: FileMetaData): string[] {
  const columns = new Set(columnsIn(schema).map(({ name }) => name));
  return neededColumns.filter((needed) => !columns.has(needed));
}
