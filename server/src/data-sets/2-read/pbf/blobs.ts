import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { inflateSync, zstdDecompressSync } from "node:zlib";
import { ImportProblem } from "../reader.ts";
import { Wire } from "./protobuf.ts";

/** Where a block of a file lies, and of what type it is. */
export type Blob = { type: string; offset: number; start: number; size: number };

// The format's own bounds; a file that passes them is damaged or no OSM PBF at all.
const headerBytesMax = 64 * 1024;
const blobBytesMax = 32 * 1024 * 1024;
// Real blocks shrink to a third and hold thousands of objects. What unfolds a hundredfold, or comes in
// crumbs, is made to cost us more than it cost its maker.
const unfoldingMax = 100;
const smallBlobBytes = 1024 * 1024;
const blobBytesMean = 512;
const smallFileBlobs = 10_000;

// Each thread reads one block at a time, so all blocks but the largest are read into the same memory.
const packedBytes = Buffer.allocUnsafeSlow(smallBlobBytes);

/** The blocks of a file in order, without reading what is in them. */
export async function* listBlobs(file: FileHandle, fileBytes: number): AsyncGenerator<Blob, void, undefined> {
  const blobsMax = smallFileBlobs + fileBytes / blobBytesMean;
  let offset = 0;
  for (let count = 1; offset < fileBytes; count += 1) {
    if (count > blobsMax)
      throw new ImportProblem("The file has more blocks than its size allows; it is damaged.", { offset });
    const headerBytes = (await readExactly(file, offset, 4, offset)).readUInt32BE();
    if (headerBytes === 0 || headerBytes > headerBytesMax) throw foreign(offset);
    const header = readHeader(await readExactly(file, offset + 4, headerBytes, offset), offset);
    if (header.size === 0 || header.size > blobBytesMax) throw foreign(offset);
    const start = offset + 4 + headerBytes;
    if (start + header.size > fileBytes) throw truncated(offset, fileBytes);
    if (offset === 0 && header.type !== "OSMHeader") throw foreign(offset);
    yield { ...header, offset, start };
    offset = start + header.size;
  }
}

/**
 * What a block holds, unpacked. Whoever calls this waits: threads read a file, as many as there are cores, and streams
 * would cost each block more than reading it does.
 */
export function readBlob(file: FileHandle, blob: Blob): Uint8Array {
  const { start, size, offset } = blob;
  const bytes = size <= packedBytes.length ? packedBytes.subarray(0, size) : Buffer.allocUnsafeSlow(size);
  const bytesRead = readSync(file.fd, bytes, 0, size, start);
  if (bytesRead < size) throw truncated(offset, start + bytesRead);
  try {
    return unpack(bytes);
  } catch (cause) {
    if (cause instanceof ImportProblem) throw cause;
    throw new ImportProblem(`The block at byte ${blob.offset} cannot be unpacked; the file is damaged.`, {
      offset: blob.offset,
      cause,
    });
  }
}

/**
 * Frees the memory of a block that nobody reads any more. Left to the garbage collector, a few hundred of them would
 * make it go through the whole heap each time.
 */
export function release({ buffer }: Uint8Array): void {
  const isAlone = buffer.byteLength > Buffer.poolSize; // smaller buffers may share their memory
  if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

export function damaged(blob: Blob, cause: unknown): ImportProblem {
  return new ImportProblem(`The block at byte ${blob.offset} cannot be read; the file is damaged.`, {
    offset: blob.offset,
    cause,
  });
}

function unpack(bytes: Uint8Array): Uint8Array {
  const wire = new Wire(bytes);
  const maxOutputLength = Math.min(blobBytesMax, Math.max(smallBlobBytes, bytes.length * unfoldingMax));
  let chunkSize = defaultChunk;
  while (wire.hasMore) {
    const tag = wire.tag();
    if (tag === 0x10) {
      chunkSize = chunkFor(wire.varint(), maxOutputLength);
      continue;
    }
    const packed = () => {
      const start = wire.start();
      return bytes.subarray(start, wire.position);
    };
    if (tag === 0x0a) return new Uint8Array(packed());
    if (tag === 0x1a) return inflateSync(packed(), { maxOutputLength, chunkSize });
    if (tag === 0x3a) return zstdDecompressSync(packed(), { maxOutputLength, chunkSize });
    if (tag === 0x22 || tag === 0x2a || tag === 0x32) {
      throw new ImportProblem("The file is packed with LZMA, bzip2 or LZ4, which is not read here; use zlib or zstd.");
    }
    wire.skip(tag);
  }
  throw new RangeError("a block holds nothing");
}

const defaultChunk = 64 * 1024;

/**
 * Room for all that a block says it unfolds to, and a little more, which zlib needs to see that it is done: unpacked
 * in one piece it takes half the time. A block that says too much gets no more than it may have.
 */
function chunkFor(rawBytes: number, maxOutputLength: number): number {
  return Math.max(defaultChunk, Math.min(rawBytes, maxOutputLength) + 64);
}

function readHeader(bytes: Uint8Array, offset: number): { type: string; size: number } {
  const wire = new Wire(bytes);
  let type = "";
  let size = -1;
  try {
    while (wire.hasMore) {
      const tag = wire.tag();
      if (tag === 0x0a) type = wire.text();
      else if (tag === 0x18) size = wire.varint();
      else wire.skip(tag);
    }
  } catch {
    throw foreign(offset);
  }
  if (!/^[\x20-\x7e]+$/.test(type) || size < 0) throw foreign(offset);
  return { type, size };
}

async function readExactly(file: FileHandle, position: number, length: number, blobOffset: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead < length) throw truncated(blobOffset, position + bytesRead);
  return buffer;
}

function truncated(offset: number, end: number): ImportProblem {
  return new ImportProblem(
    `The file is truncated: it ends at byte ${end}, in the middle of the block that begins at byte ${offset}.`,
    { offset },
  );
}

function foreign(offset: number): ImportProblem {
  const message =
    offset === 0
      ? "The file is no OSM PBF: it does not begin with an OSM header."
      : `The file is damaged: at byte ${offset} no block of an OSM PBF begins.`;
  return new ImportProblem(message, { offset });
}
