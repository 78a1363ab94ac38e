import type { ColumnMetaData, PageHeader } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";

/** The bytes of the file from one position to another. */
export type ReadBytes = (start: number, end: number) => Promise<Buffer>;

export type PackedPage = { header: PageHeader; bytes(): Promise<Buffer> };

/** So much is read at least: small pages come several at a time. */
const windowBytes = 64 * 1024;
/** A header may quote a column's least and greatest value. */
const headerBytesMax = 4 * 1024 * 1024;

/** Goes through the pages of a column of one row group; those that nobody asks for are passed over. */
export function openPages(column: ColumnMetaData, readBytes: ReadBytes): { next(): Promise<PackedPage | undefined> } {
  let at = Number(column.dictionary_page_offset || column.data_page_offset);
  const end = at + Number(column.total_compressed_size);
  let window: { start: number; bytes: Buffer } = { start: at, bytes: Buffer.alloc(0) };

  async function take(start: number, length: number): Promise<Buffer> {
    if (start + length > end) throw new Error("A page ends outside of its column.");
    const isInside = start >= window.start && start + length <= window.start + window.bytes.length;
    if (!isInside) {
      const stop = Math.min(end, start + Math.max(length, windowBytes));
      window = { start, bytes: await readBytes(start, stop) };
    }
    return window.bytes.subarray(start - window.start, start - window.start + length);
  }

  /** How long a header is, only reading it tells. */
  async function readHeader(): Promise<{ header: PageHeader; length: number }> {
    for (let guess = 1024; ; guess *= 8) {
      const { buffer, byteOffset, byteLength } = await take(at, Math.min(guess, end - at));
      const isLast = byteLength < guess || guess > headerBytesMax;
      const reader = { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
      try {
        const header = parquetHeader(reader);
        if (reader.offset <= byteLength) return { header, length: reader.offset };
      } catch (error) {
        if (isLast) throw error;
      }
      if (isLast) throw new Error("A page has a header without an end.");
    }
  }

  async function next(): Promise<PackedPage | undefined> {
    if (at >= end) return undefined;
    const { header, length } = await readHeader();
    const start = at + length;
    const packedBytes = header.compressed_page_size;
    if (!(packedBytes >= 0)) throw new Error("A page does not say how long it is.");
    at = start + packedBytes;
    return { header, bytes: () => take(start, packedBytes) };
  }

  return { next };
}
