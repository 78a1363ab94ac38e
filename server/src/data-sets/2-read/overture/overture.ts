import { open } from "node:fs/promises";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync } from "hyparquet";
import type { RecordItem } from "../../../places/record.ts";
import { isNoBusiness, overtureRecord } from "./overture-record.ts";
import { openRows } from "./overture-rows.ts";
import { addSkipped, ImportProblem, newProgress, type ReadOptions, type ReadProgress, skipRow } from "../reader.ts";
import { type Performer, type Performers, readAlone, runInOrder, type TaskReader } from "../tasks.ts";

const neededColumns = ["id", "geometry", "names"];
const rowsAtOnce = 5_000;
const magic = "PAR1";
const metadataBytesMax = 64 * 1024 * 1024;
/** Of a schema; Overture's has about a hundred. */
const schemaElementsMax = 10_000;

/** Rows of one row group, counted from its first one. */
type Slice = { group: number; from: number; count: number };
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
    progress.objectsRead += task.count;
    progress.bytesRead = Math.round((size * progress.objectsRead) / rowsTotal);
    yield output;
  }
}

async function openPerformer(path: string): Promise<Performer<Slice, SliceFindings>> {
  const { file, metadata, close } = await openTable(path);
  const startOf = groupStarts(metadata);
  const readBytes = async (start: number, end: number) => Buffer.from(await file.slice(start, end));
  // Tasks come in the order of the file, so that one goes on where the one before in its group has ended.
  let opened: { group: number; rows: ReturnType<typeof openRows>; read: number } | undefined;

  async function readSlice({ group, from, count }: Slice) {
    try {
      const isAhead = opened?.group === group && opened.read <= from;
      if (!opened || !isAhead) opened = { group, rows: openRows(metadata, group, readBytes), read: 0 };
      opened.read = from + count;
      return await opened.rows.read(from, count);
    } catch (cause) {
      if (cause instanceof ImportProblem) throw cause;
      throw new ImportProblem(`The file is damaged: the rows from ${startOf(group) + from} on cannot be read.`, {
        cause,
      });
    }
  }

  return {
    async perform(slice, items) {
      const progress = newProgress();
      const first = startOf(slice.group) + slice.from;
      for (const [index, row] of (await readSlice(slice)).entries()) {
        if (isNoBusiness(row)) continue;
        const place = overtureRecord(row);
        if (place) items.push({ place });
        else skipRow(progress, `row ${first + index + 1}`, "no id, no name or no position that can be read");
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
        const bytes = new Uint8Array(end - start);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        return bytes.buffer.slice(0, bytesRead);
      },
    };
    const metadata = await readMetadata(file);
    checkColumns(metadata);
    return { file, size, metadata, close: () => handle.close() };
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

/** Every row has its own id, which takes a byte or more. */
function countedRows({ row_groups: groups, schema }: FileMetaData, fileBytes: number): number {
  const rows = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  const isPlausible = groups.every((group) => group.num_rows >= 0) && rows <= fileBytes;
  if (!isPlausible || schema.length > schemaElementsMax) throw damagedDirectory();
  return rows;
}

function checkColumns({ schema }: FileMetaData): void {
  const present = new Set(topLevelNames(schema));
  const missing = neededColumns.filter((column) => !present.has(column));
  if (missing.length > 0) {
    throw new ImportProblem(
      `The file is Parquet, but holds no Overture places: it has no column ${missing.map((name) => `"${name}"`).join(", ")}.`,
    );
  }
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

/** The number of the first row of each group, counted from that of the file. */
function groupStarts({ row_groups: groups }: FileMetaData): (group: number) => number {
  const starts = [0];
  for (const { num_rows: rows } of groups) starts.push((starts.at(-1) ?? 0) + Number(rows));
  return (group) => starts[group] ?? 0;
}

function* slicesOf({ row_groups: groups }: FileMetaData): Generator<Slice> {
  for (const [group, { num_rows: rows }] of groups.entries()) {
    for (let from = 0; from < Number(rows); from += rowsAtOnce) {
      yield { group, from, count: Math.min(rowsAtOnce, Number(rows) - from) };
    }
  }
}
