import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Extent } from "../../geography/extent.ts";
import type { RowBatch } from "../3-stage/stage-rows.ts";
import type { CsvMapping } from "./tables/csv.ts";
import { detectFormat, type Format } from "./detect.ts";
import { addSkipped, ImportProblem, laterOf, newProgress, type ReadOptions, type ReadProgress } from "./reader.ts";
import { readRowsInThread } from "./threads/threaded-reader.ts";

/** A file of an import; those of a folder have a name. */
export type FoundFile = { path: string; format: Format; bytes: number; modifiedAt: Date; name?: string };

/** So many have lines of their own. */
const filesMax = 9_000;

/**
 * The file at a path, or the files of the folder there in the order of their names. Names that begin with a dot or an
 * underscore are what programs put beside data.
 */
export async function findFiles(path: string): Promise<FoundFile[]> {
  if (!(await isFolder(path))) return [await fileAt(path)];
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory() && !/^[._]/.test(entry.name)).map(({ name }) => name);
  if (names.length === 0) throw new ImportProblem("The folder holds no files; those in folders below it are not read.");
  if (names.length > filesMax) throw new ImportProblem("The folder holds more than 9,000 files; join them to fewer.");
  const files: FoundFile[] = [];
  for (const name of names.toSorted()) {
    try {
      files.push({ ...(await fileAt(join(path, name))), name });
    } catch (error) {
      throw within(name, error);
    }
  }
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

async function fileAt(path: string): Promise<FoundFile> {
  const format = await detectFormat(path);
  const { size, mtime } = await stat(path);
  return { path, format, bytes: size, modifiedAt: mtime };
}

/** What the person who imports says of how a file is read. */
export type HowToRead = {
  mapping?: CsvMapping;
  /** Places that their publisher is less sure of are left out. */
  minConfidence?: number;
  /** Places elsewhere are left out. */
  within?: Extent | undefined;
};

/**
 * The rows of files, one after the other, which may come as they are read: whoever fetches them says in `progress` how
 * many bytes they have. What a later file says counts before what an earlier one says.
 */
export async function* readFiles(
  files: Iterable<FoundFile> | AsyncIterable<FoundFile>,
  { progress = newProgress(), ...options }: ReadOptions & { dataSet: string } & HowToRead,
): AsyncGenerator<RowBatch, void, undefined> {
  if (Array.isArray(files)) progress.bytesTotal = bytesOf(files);
  const done = newProgress();
  let part = 0;
  for await (const file of files) {
    const current = newProgress();
    try {
      for await (const batch of readRowsInThread(file.path, file.format, { ...options, progress: current, part })) {
        Object.assign(progress, sumOf(done, current, file));
        const observedAt = laterOf(progress.observedAt, laterOf(current.observedAt, batch.observedAt));
        if (observedAt !== undefined) progress.observedAt = observedAt;
        yield batch;
      }
    } catch (error) {
      throw within(file.name, error);
    }
    Object.assign(done, sumOf(done, current, file), { bytesRead: done.bytesRead + file.bytes });
    Object.assign(progress, done, { bytesTotal: progress.bytesTotal });
    part += 1;
  }
}

function bytesOf(files: readonly FoundFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function sumOf(done: ReadProgress, current: ReadProgress, { bytes, name }: FoundFile) {
  const share = current.bytesRead / Math.max(1, current.bytesTotal);
  const sum = { ...newProgress(), skipped: { count: done.skipped.count, samples: [...done.skipped.samples] } };
  const named = current.skipped.samples.map(({ at, reason }) => ({ at: name ? `${name}, ${at}` : at, reason }));
  addSkipped(sum, { count: current.skipped.count, samples: named });
  return {
    objectsRead: done.objectsRead + current.objectsRead,
    bytesRead: Math.round(done.bytesRead + bytes * share),
    skipped: sum.skipped,
    unusedColumns: [...new Set([...(done.unusedColumns ?? []), ...(current.unusedColumns ?? [])])],
  };
}

function within(name: string | undefined, error: unknown): unknown {
  if (name === undefined || !(error instanceof ImportProblem)) return error;
  const { message, offset, cause } = error;
  return new ImportProblem(`${name}: ${message}`, { cause, ...(offset === undefined ? {} : { offset }) });
}
