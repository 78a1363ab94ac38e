import { open } from "node:fs/promises";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync } from "hyparquet";
import type { RecordItem } from "../../../places/record.ts";
import { addSkipped, ImportProblem, newProgress, type ReadOptions, type ReadProgress, skipRow } from "../reader.ts";
import { type Performer, type Performers, runInOrder } from "../tasks.ts";
import type { ReadBytes } from "./pages.ts";

const rowsAtOnce = 5_000;
const magic = "PAR1";
const metadataBytesMax = 64 * 1024 * 1024;
/** Of a schema; Overture's has about a hundred. */
const schemaElementsMax = 10_000;

/** Rows of one row group, counted from its first one. */
export type Slice = { group: number; from: number; count: number };
export type SliceFindings = { skipped: ReadProgress["skipped"] };

/** Reads the rows of a row group in their order. */
export type GroupRows<Row> = { read(from: number, count: number): Promise<Row[]> };

/** Goes through the slices of a file; `taskOf` says what else whoever reads one has to know. */
export async function* planSlices<Task extends Slice, Output>(
  path: string,
  { signal, progress = newProgress() }: ReadOptions,
  performers: Performers<Task, SliceFindings, Output>,
  prepare: (metadata: FileMetaData) => (slice: Slice) => Task,
): AsyncGenerator<Output, void, undefined> {
  const { size, metadata, close } = await openTable(path);
  await close();
  const taskOf = prepare(metadata);
  const rowsTotal = countedRows(metadata, size);
  progress.bytesTotal = size;
  const tasks = Array.from(slicesOf(metadata), taskOf);
  for await (const { task, findings, output } of runInOrder(tasks, performers)) {
    signal.throwIfAborted();
    addSkipped(progress, findings.skipped);
    progress.objectsRead += task.count;
    progress.bytesRead = Math.round((size * progress.objectsRead) / rowsTotal);
    yield output;
  }
}

type Opened<Task, Row> = {
  rowsOf: (metadata: FileMetaData, group: number, readBytes: ReadBytes) => GroupRows<Row>;
  /** The item of a row, nothing for one that is none, or why it cannot be used. */
  itemOf: (row: Row, task: Task) => RecordItem | undefined | string;
};

/** Reads slices of a file, each in the order of its rows. */
export async function openSlices<Task extends Slice, Row>(
  path: string,
  { rowsOf, itemOf }: Opened<Task, Row>,
): Promise<Performer<Task, SliceFindings>> {
  const { file, metadata, close } = await openTable(path);
  const startOf = groupStarts(metadata);
  const readBytes = async (start: number, end: number) => Buffer.from(await file.slice(start, end));
  // Tasks come in the order of the file, so that one goes on where the one before in its group has ended.
  let opened: { group: number; rows: GroupRows<Row>; read: number } | undefined;

  async function readSlice({ group, from, count }: Slice) {
    try {
      const isAhead = opened?.group === group && opened.read <= from;
      if (!opened || !isAhead) opened = { group, rows: rowsOf(metadata, group, readBytes), read: 0 };
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
    async perform(task, items) {
      const progress = newProgress();
      const first = startOf(task.group) + task.from;
      for (const [index, row] of (await readSlice(task)).entries()) {
        const item = itemOf(row, task);
        if (typeof item === "string") skipRow(progress, `row ${first + index + 1}`, item);
        else if (item) items.push(item);
      }
      return { skipped: progress.skipped };
    },
    close,
  };
}

/** A Parquet file with its directory; whoever opens it closes it. */
export async function openTable(path: string) {
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
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    if (metadata.schema.length > schemaElementsMax) throw damagedDirectory();
    return metadata;
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
function countedRows({ row_groups: groups }: FileMetaData, fileBytes: number): number {
  const rows = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  const isPlausible = groups.every((group) => group.num_rows >= 0) && rows <= fileBytes;
  if (!isPlausible) throw damagedDirectory();
  return rows;
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
