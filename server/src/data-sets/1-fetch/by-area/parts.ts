import { mkdir, open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileMetaData } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { detectFormat, type FoundFile } from "../../2-read/index.ts";
import type { Fetching } from "../ranges.ts";
import { fetchPart, type Group, type RemoteTable } from "./remote-table.ts";

/** Row groups that lie side by side in one file. */
export type Part = { table: RemoteTable; groups: readonly Group[]; bytes: number; rows: number };

/** So much is fetched at once. The first part is a single row group, so that its places come soon. */
const partBytesMax = 16 * 1024 * 1024;
const magic = Buffer.from("PAR1");

/** Divides row groups into parts; the same ones always alike, so that what was fetched before is known again. */
export function planParts(tables: readonly { table: RemoteTable; groups: readonly Group[] }[]): Part[] {
  const parts: { table: RemoteTable; groups: Group[] }[] = [];
  for (const { table, groups } of tables) {
    for (const group of groups) {
      const last = parts.at(-1);
      const isNext = parts.length > 1 && last?.table === table && last.groups.at(-1)?.end === group.start;
      if (isNext && group.end - (last.groups[0]?.start ?? 0) <= partBytesMax) last.groups.push(group);
      else parts.push({ table, groups: [group] });
    }
  }
  return parts.map(({ table, groups }) => ({
    table,
    groups,
    bytes: groups.reduce((sum, { start, end }) => sum + end - start, 0),
    rows: groups.reduce((sum, { rows }) => sum + rows, 0),
  }));
}

/** `progress` hears of every piece that has come. */
export type FetchingParts = Fetching & { progress: (bytesFetched: number) => void };

/**
 * Fetches parts into a folder, each as a Parquet file of its own, and hands them out while the next one comes. A part
 * that is there already is not fetched again.
 */
export async function* fetchParts(
  parts: readonly Part[],
  folder: string,
  fetching: FetchingParts,
): AsyncGenerator<FoundFile, void, undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stop = new AbortController();
  const signal = AbortSignal.any([fetching.signal, stop.signal]);
  const start = (index: number) => {
    const part = parts[index];
    const file = part && fetchFile(part, join(folder, `part-${index}.parquet`), { ...fetching, signal });
    file?.catch(() => undefined); // awaited in its turn
    return file;
  };
  let ahead = start(0);
  try {
    for (let index = 0; ahead; index += 1) {
      const file = await ahead;
      ahead = start(index + 1);
      yield file;
    }
  } finally {
    stop.abort();
    await ahead?.catch(() => undefined);
  }
}

async function fetchFile(part: Part, path: string, fetching: FetchingParts): Promise<FoundFile> {
  const bytes = part.bytes + 2 * magic.length;
  const known = await stat(path).catch(() => undefined);
  if (known && known.size > bytes) fetching.progress(part.bytes);
  else await writePart(part, path, fetching);
  const { size, mtime } = await stat(path);
  return { path, format: await detectFormat(path), bytes: size, modifiedAt: mtime };
}

/** Under another name until it is whole. */
async function writePart({ table, groups, bytes }: Part, path: string, fetching: FetchingParts): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, "w", 0o600);
  const start = groups[0]?.start ?? 0;
  try {
    await file.writeFile(magic);
    for (let at = 0; at < bytes; at += partBytesMax) {
      const count = Math.min(partBytesMax, bytes - at);
      await file.writeFile(await fetchPart(table, start + at, count, fetching));
      fetching.progress(count);
    }
    await file.writeFile(directoryOf(table.metadata, groups, start - magic.length));
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** The directory of a file that begins so many bytes later than the one on the server, and has these groups alone. */
function directoryOf(metadata: FileMetaData, groups: readonly Group[], shift: number): Buffer {
  const moved = (offset: bigint | undefined) => offset && offset - BigInt(shift);
  const kept = groups.flatMap(({ index }) => metadata.row_groups[index] ?? []);
  const writer = new ByteWriter();
  writeMetadata(writer, {
    version: metadata.version,
    schema: metadata.schema,
    num_rows: kept.reduce((sum, { num_rows: rows }) => sum + rows, 0n),
    row_groups: kept.map((group) => ({
      num_rows: group.num_rows,
      total_byte_size: group.total_byte_size,
      columns: group.columns.map(({ meta_data: column }) => {
        if (!column) throw new Error("A column is not described.");
        const { type, encodings, path_in_schema, codec, num_values } = column;
        const { total_uncompressed_size, total_compressed_size, data_page_offset, dictionary_page_offset } = column;
        const described = { type, encodings, path_in_schema, codec, num_values };
        const sizes = { total_uncompressed_size, total_compressed_size };
        const data = moved(data_page_offset) ?? 0n;
        const dictionary = moved(dictionary_page_offset || undefined);
        return {
          file_offset: 0n,
          meta_data: {
            ...described,
            ...sizes,
            data_page_offset: data,
            ...(dictionary === undefined ? {} : { dictionary_page_offset: dictionary }),
          },
        };
      }),
    })),
    metadata_length: 0,
  });
  writer.appendBytes(magic);
  return Buffer.from(writer.getBuffer());
}
