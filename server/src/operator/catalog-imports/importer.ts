import { basename } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import type { Connection, Database } from "../../platform/postgres/database.ts";
import { waitForIndex } from "../../place-index/file/index.ts";
import type { Extent } from "../../geography/extent.ts";
import { type DataSetSource, findOrigin, readGeneration } from "../../data-sets/data-sets.ts";
import {
  type CsvMapping,
  findFiles,
  type FoundFile,
  ImportProblem,
  newProgress,
  readFiles,
  type ReadProgress,
  type SkippedRow,
} from "../../data-sets/2-read/index.ts";
import {
  DataSetElsewhere,
  FileRefused,
  MappingUnused,
  NameInvalid,
  NameOfSample,
  TooManySkipped,
} from "../../data-sets/errors.ts";
import { findSample, sample } from "../../data-sets/sample.ts";
import { withUnpacked } from "../../data-sets/1-fetch/unpack-zip.ts";
import { fingerprintOf } from "../../data-sets/1-fetch/fingerprint.ts";
import { type ImportProgress, importRows, type ImportResult } from "../../data-sets/import.ts";

/** The progress of an import. */
export type CatalogProgress = {
  /** `resuming` once, when an interrupted import goes on: with its staged places, and a share of 1 if those are all. */
  phase: "downloading" | "resuming" | "reading" | "storing" | "indexing";
  /** Of the phase, from 0 to 1, where that is known. */
  share: number | undefined;
  places: number;
  /** How much has come of what is read as it comes. */
  bytes?: { fetched: number; total: number };
};

/** `skipped_rows` are the first that cannot be used. */
export type ImportView = Omit<ImportResult, "replacedSample"> & {
  name: string;
  origin: string;
  seconds: number;
  skipped_rows: readonly SkippedRow[];
  /** Columns of tables that nothing was read from. */
  unused_columns: readonly string[];
  /** Whether it is the first data set of one's own, which takes the place of the sample. */
  replaced_sample: boolean;
};

export type Watch = { signal: AbortSignal; progress: (progress: CatalogProgress) => void };

export type CatalogDeps = {
  db: Database;
  connection: Connection;
  outbound: Outbound;
  clock: Clock;
  dataFolder: string;
  /** Where publishers' data is fetched from. */
  mirrors: { overtureUrl: string; allThePlacesUrl: string };
  /** Where the place index of this machine is. */
  indexFolder: string;
  /** The version of this program: another version may read the same file differently. */
  version: string;
};

/** How any import of the operator's runs, wherever its files come from. */
export function createImporter({ db, connection, clock, indexFolder, version }: CatalogDeps) {
  /** A name that may be given. The places of the sample would be closed rather than replaced. */
  async function givenName(name: string): Promise<string> {
    checkName(name);
    if (name === sample.name && (await findSample(db)) !== undefined) throw NameOfSample({ name });
    return name;
  }

  /** The name derived from the file, unless it belongs to another file, whose places would be closed. */
  async function freeName(name: string, origin: string): Promise<string> {
    await givenName(name);
    const known = await findOrigin(db, name);
    if (known !== undefined && known !== origin) throw DataSetElsewhere({ name, origin: known });
    return name;
  }

  /** Imports a file, a zip archive or a folder of files. */
  async function importFiles(path: string, request: FileImport, watch: Watch): Promise<ImportView> {
    const { origin, signal } = { ...request, ...watch };
    return refusing(origin, signal, () => withUnpacked(path, signal, (file) => importUnpacked(file, request, watch)));
  }

  async function importUnpacked(path: string, request: FileImport, watch: Watch): Promise<ImportView> {
    const { origin, mapping, minConfidence, within } = request;
    const files = await findFiles(path);
    if (mapping && !files.some(({ format }) => format === "csv" || format === "parquet"))
      throw MappingUnused({ origin });
    const fingerprint = await fingerprintOf(files, { mapping, minConfidence, within, version }, watch.signal);
    const fileDate = request.observedAt ?? new Date(Math.max(...files.map(({ modifiedAt }) => modifiedAt.getTime())));
    return importFound({ files, fingerprint, fileDate }, request, watch);
  }

  /** Imports files that are found, or that come while they are read. */
  async function importFound(
    { files, fingerprint, fileDate, read = newProgress(), bytes }: Found,
    { origin, name, mapping, minConfidence, within, source, allowSkippedPercent }: FileImport,
    { signal, progress }: Watch,
  ): Promise<ImportView> {
    const startedAt = clock.now().getTime();
    const how = { minConfidence, within, ...(mapping ? { mapping } : {}) };
    const batches = readFiles(files, { signal, progress: read, dataSet: name, ...how });
    let places = 0;
    const { replacedSample = false, ...result } = await importRows({ name, origin, source }, batches, {
      connection,
      clock,
      signal,
      fingerprint,
      read,
      fileDate,
      progress: (step) => {
        if (step.phase === "reading" || step.phase === "resuming") places = step.places;
        progress({ phase: step.phase, places, share: shareOf(step, read), ...bytes?.() });
      },
      waitForSearches: () => awaitSearches({ signal, progress }),
      check({ places: usable, skipped: unplaced }) {
        const { count, samples } = read.skipped;
        const skipped = count + unplaced;
        const rows = usable + skipped;
        if (skipped * 100 <= rows * allowSkippedPercent) return;
        const shown = samples.map(({ at, reason }) => `${at}: ${reason}`).join("; ") || "no name or no position";
        throw TooManySkipped({ origin, skipped, rows, samples: shown });
      },
    });
    return {
      name,
      origin,
      ...result,
      skipped: result.skipped + read.skipped.count,
      skipped_rows: read.skipped.samples,
      unused_columns: read.unusedColumns ?? [],
      replaced_sample: replacedSample,
      seconds: (clock.now().getTime() - startedAt) / 1_000,
    };
  }

  return { givenName, freeName, importFiles, importFound, awaitSearches };

  /** Waits until the process that searches on this machine has what changed. */
  async function awaitSearches({ signal, progress }: Watch): Promise<void> {
    const generation = await readGeneration(db);
    await waitForIndex(indexFolder, generation, {
      signal,
      onProgress: (build) =>
        progress({ phase: "indexing", places: 0, share: build ? build.done / Math.max(1, build.total) : undefined }),
    });
  }
}

/** Says of a file that cannot be read what is wrong with it. */
export async function refusing<Result>(
  origin: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) signal.throwIfAborted();
    if (!(error instanceof ImportProblem)) throw error;
    throw FileRefused({ origin, problem: error.message, offset: error.offset }, { cause: error });
  }
}

export type Found = {
  files: readonly FoundFile[] | AsyncIterable<FoundFile>;
  /** Of the files and how they are read. */
  fingerprint: string;
  fileDate: Date;
  /** How far reading has come; whoever lets files come says in it how many bytes they have. */
  read?: ReadProgress;
  bytes?: () => Pick<CatalogProgress, "bytes">;
};

export type FileImport = {
  origin: string;
  name: string;
  mapping: CsvMapping | undefined;
  minConfidence: number;
  /** Places elsewhere are left out. */
  within?: Extent | undefined;
  /** What the data set can be brought up to date from. */
  source?: DataSetSource;
  allowSkippedPercent: number;
  /** When the file is of, where neither it nor the file system knows. */
  observedAt?: Date;
};

function shareOf(step: ImportProgress, read: ReadProgress): number | undefined {
  if (step.phase === "resuming") return step.isRead ? 1 : undefined;
  if (step.phase === "reading" && read.bytesTotal > 0) return Math.min(1, read.bytesRead / read.bytesTotal);
  return undefined;
}

/** As long as the name of a file can be. */
const nameCharactersMax = 255;

function checkName(name: string): void {
  const isPrintable = !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name);
  if (isPrintable && name.trim() !== "" && name.length <= nameCharactersMax) return;
  throw NameInvalid({ charactersMax: nameCharactersMax });
}

/** What a publisher's data of an area is called: `overture-vaduz`. */
export function dashed(publisher: string, area: string | undefined): string {
  return area === undefined ? publisher : `${publisher}-${area.toLowerCase()}`;
}

/** `data/liechtenstein-latest.osm.pbf` is called liechtenstein. */
export function dataSetNameOf(path: string): string {
  return (
    basename(path)
      .replace(/(\.osm)?\.[a-z0-9]+$/i, "")
      .replace(/-latest$/, "") || "catalog"
  );
}
