import { createWriteStream } from "node:fs";
import { open, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { ImportProblem } from "../2-read/index.ts";
import { withDownloadFolder } from "./download-folder.ts";

/** A file of features unfolds to some ten times of what it is packed; one that stands for far more is a trick. */
const unpackedTimesMax = 100;
const unpackedBytesMax = 64 * 1024 ** 3;
const entriesMax = 100_000;

/** Works on a file, or on all the GeoJSON of a zip archive as one file, which exists for as long. */
export async function withUnpacked<Result>(
  path: string,
  signal: AbortSignal,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  if (!(await isZip(path))) return work(path);
  return withDownloadFolder(tmpdir(), async (folder) => {
    const unpacked = join(folder, "unpacked.geojson");
    await unpack(path, unpacked, signal);
    return work(unpacked);
  });
}

async function isZip(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString("latin1") === "PK\u0003\u0004";
  } finally {
    await file.close();
  }
}

/** One after the other; what is read in them is one object after another, so that collections may follow each other. */
async function unpack(path: string, to: string, signal: AbortSignal): Promise<void> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse);
  const { size, mtime } = await stat(path);
  try {
    const entries = await listEntries(archive, size).catch(refuse);
    for (const entry of entries) {
      // The library ends an entry that unfolds to more than it said.
      const content = await archive.openReadStreamPromise(entry).catch(refuse);
      const file = createWriteStream(to, { flags: "a", mode: 0o600 });
      await pipeline(content, withLineBreak, file, { signal }).catch(refuse);
    }
  } finally {
    archive.close();
  }
  await utimes(to, mtime, mtime);
}

async function listEntries(archive: ZipFile, packedBytes: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  let count = 0;
  for await (const entry of archive.eachEntry()) {
    count += 1;
    if (count > entriesMax) throw new ImportProblem("The zip archive holds more than 100,000 files; unpack it first.");
    if (!/\.(?:geo)?json[ls]?$|\.ndjson$/i.test(entry.fileName) || entry.uncompressedSize === 0) continue;
    entries.push(entry);
    bytes += entry.uncompressedSize;
  }
  if (entries.length === 0)
    throw new ImportProblem("The zip archive holds no GeoJSON; unpack it and import what is inside.");
  if (bytes > Math.min(unpackedBytesMax, packedBytes * unpackedTimesMax))
    throw new ImportProblem("The zip archive unfolds to far more than data does; it is damaged or a trick.");
  return entries;
}

async function* withLineBreak(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer | string, void, undefined> {
  yield* content;
  yield "\n";
}

/** What the library cannot read is the archive's fault; a full disk and an interruption are not. */
function refuse(error: unknown): never {
  const isOther =
    error instanceof ImportProblem || (error instanceof Error && ("syscall" in error || error.name === "AbortError"));
  throw isOther ? error : new ImportProblem("The zip archive is damaged: it cannot be unpacked.", { cause: error });
}
