import { open } from "node:fs/promises";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { RecordItem } from "../../open-data/record.ts";
import { overtureRecord } from "./overture-record.ts";
import { addSkipped, ImportProblem, newProgress, type ReadOptions, type ReadProgress, skipRow } from "./reader.ts";
import { type Performer, type Performers, readAlone, runInOrder, type TaskReader } from "./tasks.ts";

/** What is read of a row; what a file does not have is left out of the list. */
const wantedColumns = [
  ..."id geometry bbox names categories basic_category taxonomy operating_status".split(" "),
  ..."confidence websites socials emails phones brand addresses".split(" "),
];
const neededColumns = ["id", "geometry", "names"];
// A slice of a row group is decoded from the group's beginning, so slices are few; and a whole group
// as objects would take more memory than an import may, so there are slices.
const rowsAtOnce = 25_000;
const magic = "PAR1";
const sliceBytesMax = 256 * 1024 * 1024;
const pageBytesMax = 64 * 1024 * 1024;
const metadataBytesMax = 64 * 1024 * 1024;
/** Of a schema; Overture's has about a hundred. */
const schemaElementsMax = 10_000;

type Slice = { rowStart: number; rowEnd: number };
type SliceFindings = { skipped: ReadProgress["skipped"] };

export const overture: TaskReader<Slice, SliceFindings> = { plan, open: openPerformer, tasksPerThread: 1 };

/** Reads the places of an Overture release, of the `categories` era or the `taxonomy` one. */
export function readOverture(path: string, options: ReadOptions): AsyncGenerator<RecordItem, void, undefined> {
  return readAlone(overture, path, options);
}

async function* plan<Output>(
  path: string,
  { signal, progress = newProgress() }: ReadOptions,
  performers: Performers<Slice, SliceFindings, Output>,
): AsyncGenerator<Output, void, undefined> {
  const table = await openTable(path);
  await table.close();
  const { size, metadata } = table;
  const rowsTotal = countedRows(metadata, size);
  progress.bytesTotal = size;
  for await (const { task, findings, output } of runInOrder(slicesOf(metadata), performers)) {
    signal.throwIfAborted();
    addSkipped(progress, findings.skipped);
    progress.objectsRead += task.rowEnd - task.rowStart;
    progress.bytesRead = Math.round((size * task.rowEnd) / rowsTotal);
    yield output;
  }
}

async function openPerformer(path: string): Promise<Performer<Slice, SliceFindings>> {
  const { file, metadata, columns, close } = await openTable(path);
  return {
    async perform({ rowStart, rowEnd }, items) {
      const progress = newProgress();
      const rows = await readRows({ file, metadata, columns, rowStart, rowEnd });
      for (const [index, row] of rows.entries()) {
        const place = overtureRecord(row);
        if (place) items.push({ place });
        else skipRow(progress, `row ${rowStart + index + 1}`, "no id, no name or no position that can be read");
      }
      return { skipped: progress.skipped };
    },
    close,
  };
}

async function openTable(path: string) {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const file: AsyncBuffer = {
      byteLength: size,
      async slice(start, end = size) {
        const isInside = start >= 0 && end >= start && end <= size;
        if (!isInside) throw new ImportProblem("The file is damaged: its directory points outside of it.");
        if (end - start > sliceBytesMax)
          throw new ImportProblem(
            "The file has a column of more than 256 MB in one row group, which is not read here.",
          );
        const bytes = new Uint8Array(end - start);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        return bytes.buffer.slice(0, bytesRead);
      },
    };
    const metadata = await readMetadata(file);
    return { file, size, metadata, columns: checkedColumns(metadata), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readMetadata(file: AsyncBuffer): Promise<FileMetaData> {
  const end = Buffer.from(await file.slice(Math.max(0, file.byteLength - magic.length))).toString("latin1");
  if (end !== magic) {
    throw new ImportProblem(
      `The file is truncated: a Parquet file ends with "${magic}", and this one stops at byte ${file.byteLength} without it.`,
      { offset: file.byteLength },
    );
  }
  const lengthAt = Math.max(0, file.byteLength - magic.length - 4);
  const metadataBytes = Buffer.from(await file.slice(lengthAt, lengthAt + 4)).readUInt32LE();
  // The library refuses one that does not fit into the file; what fits, it would read whole.
  if (metadataBytes > metadataBytesMax && metadataBytes < file.byteLength)
    throw new ImportProblem("The file has a directory of more than 64 MB, which is not read here.");
  try {
    // Without geometry metadata the reader would take the points for text and break them.
    return await parquetMetadataAsync(file, { geoparquet: false });
  } catch (cause) {
    throw damagedDirectory(cause);
  }
}

function damagedDirectory(cause?: unknown): ImportProblem {
  return new ImportProblem("The file is damaged: the directory at the end of this Parquet file cannot be read.", {
    cause,
  });
}

/** Every row has an id of its own, which takes a byte or more. */
function countedRows({ row_groups: groups, schema }: FileMetaData, fileBytes: number): number {
  const rows = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  const isPlausible = groups.every((group) => group.num_rows >= 0) && rows <= fileBytes;
  if (!isPlausible || schema.length > schemaElementsMax) throw damagedDirectory();
  return rows;
}

/** Allocates for a page only what a page may hold; the file says itself how much that is. */
const boundedCompressors = Object.fromEntries(
  Object.entries(compressors).map(([name, unpack]) => [
    name,
    (input: Uint8Array, outputBytes: number) => {
      if (outputBytes > pageBytesMax)
        throw new ImportProblem("The file has a page of more than 64 MB, which is not read here.");
      return unpack(input, outputBytes);
    },
  ]),
);

function checkedColumns({ schema }: FileMetaData): string[] {
  const present = new Set(topLevelNames(schema));
  const missing = neededColumns.filter((column) => !present.has(column));
  if (missing.length > 0) {
    throw new ImportProblem(
      `The file is Parquet, but holds no Overture places: it has no column ${missing.map((name) => `"${name}"`).join(", ")}.`,
    );
  }
  return wantedColumns.filter((column) => present.has(column));
}

/** The schema is a tree written flat: each group is followed by as many children as it says. */
function topLevelNames(schema: FileMetaData["schema"]): string[] {
  const names: string[] = [];
  let at = 1;
  const skipTree = () => {
    const children = schema[at]?.num_children ?? 0;
    at += 1;
    for (let child = 0; child < children && at < schema.length; child += 1) skipTree();
  };
  while (at < schema.length) {
    names.push(schema[at]?.name ?? "");
    skipTree();
  }
  return names;
}

function* slicesOf({ row_groups }: FileMetaData): Generator<Slice> {
  let groupStart = 0;
  for (const group of row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += rowsAtOnce) {
      yield { rowStart, rowEnd: Math.min(rowStart + rowsAtOnce, groupEnd) };
    }
    groupStart = groupEnd;
  }
}

/** A column that says it holds geometry comes as bytes too, as one that does not say so. */
const parsers = {
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
};

type RowRange = Slice & { file: AsyncBuffer; metadata: FileMetaData; columns: string[] };

async function readRows(range: RowRange): Promise<Record<string, unknown>[]> {
  try {
    return await parquetReadObjects({
      ...range,
      compressors: boundedCompressors,
      utf8: false,
      geoparquet: false,
      parsers,
    });
  } catch (cause) {
    if (cause instanceof ImportProblem || (cause instanceof Error && cause.name === "AbortError")) throw cause;
    throw new ImportProblem(`The file is damaged: the rows from ${range.rowStart} on cannot be read.`, { cause });
  }
}
