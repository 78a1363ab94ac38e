import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Compressors } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { decompressPage } from "hyparquet/src/datapage.js";
import { ImportProblem } from "../reader.ts";

const pageBytesMax = 64 * 1024 * 1024;

/** Where Node can unpack it, it does so several times as fast as the library. */
const unpackers: Compressors = {
  ...compressors,
  ZSTD: (input, outputBytes) => zstdDecompressSync(input, { maxOutputLength: outputBytes }),
  GZIP: (input, outputBytes) => gunzipSync(input, { maxOutputLength: outputBytes }),
  BROTLI: (input, outputBytes) => brotliDecompressSync(input, { maxOutputLength: outputBytes }),
};

/** Allocates for a page only what a page may hold; the file says itself how much that is. */
export function unpack(packed: Uint8Array, bytes: number, codec: keyof Compressors | "UNCOMPRESSED"): Buffer {
  if (bytes > pageBytesMax) throw new ImportProblem("The file has a page of more than 64 MB, which is not read here.");
  // A column without any value has pages of nothing, which Node does not unpack: its least length is one byte.
  if (bytes === 0) return Buffer.alloc(0);
  const page = decompressPage(packed, bytes, codec, unpackers);
  return Buffer.from(page.buffer, page.byteOffset, page.byteLength);
}
