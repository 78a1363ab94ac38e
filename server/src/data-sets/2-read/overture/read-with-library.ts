import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { overtureRecord } from "./overture-record.ts";

/** The places of a file as the library reads its rows, all at once: what tests hold our own page reader to. */
export async function readWithLibrary(content: Buffer) {
  const bytes = new Uint8Array(content);
  const file = { byteLength: bytes.length, slice: (start: number, end?: number) => bytes.slice(start, end).buffer };
  const rows = await parquetReadObjects({ file, compressors, utf8: false, geoparquet: false });
  return rows.flatMap((row) => overtureRecord(row) ?? []);
}
