import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Outbound } from "../platform/net/outbound.ts";
import type { Connection, Database } from "../platform/postgres/database.ts";
import { waitForIndex } from "../place-index/file/index.ts";
import { findOrigin, listDataSets, readGeneration, readStats } from "../data-sets/data-sets.ts";
import {
  type CsvMapping,
  findFiles,
  ImportProblem,
  fields,
  isField,
  newProgress,
  readFiles,
  type ReadProgress,
  type SkippedRow,
} from "../data-sets/2-read/index.ts";
import { withDownloadFolder } from "../data-sets/1-fetch/download-folder.ts";
import { download } from "../data-sets/1-fetch/download.ts";
import {
  AddressInvalid,
  DataSetElsewhere,
  FileRefused,
  MappingInvalid,
  MappingUnused,
  NameInvalid,
  NameOfSample,
  RegionUnknown,
  TooManySkipped,
} from "../data-sets/errors.ts";
import { fingerprintOf } from "../data-sets/1-fetch/fingerprint.ts";
import { type ImportProgress, importRows, type ImportResult } from "../data-sets/import.ts";
import { removeDataSet } from "../data-sets/remove.ts";
import { findSample, sample } from "../data-sets/sample.ts";
import { defaultExtractBase, extractPath } from "../data-sets/1-fetch/regions.ts";
import { explain, type ExplainRequest } from "../sources/catalog/index.ts";
import { isServedHere } from "./processes.ts";
import { lowerPriority } from "./lower-priority.ts";

/** The progress of an import. */
export type CatalogProgress = {
  /** `resuming` once, when an interrupted import goes on: with its staged places, and a share of 1 if those are all. */
  phase: "downloading" | "resuming" | "reading" | "storing" | "indexing";
  /** Of the phase, from 0 to 1, where that is known. */
  share: number | undefined;
  places: number;
};

export type ImportRequest = {
  /** The path of a file, of a folder of files, or a URL. */
  from: string;
  name: string | undefined;
  /** The column of each field, as in `name=Firma,latitude=lat`. */
  mapping: string | undefined;
  /** Places that their publisher is less sure of are left out, 0 to 1. */
  minConfidence?: number;
  /** The most rows that may be unusable, in percent. */
  allowSkippedPercent?: number;
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

const skippedPercentMax = 10;
/** Counting a large catalog takes longer than a request waits. */
const statsMs = 3_600_000;

type Watch = { signal: AbortSignal; progress: (progress: CatalogProgress) => void };

type CatalogDeps = {
  db: Database;
  connection: Connection;
  outbound: Outbound;
  clock: Clock;
  /** Where the place index of this machine is. */
  indexFolder: string;
  /** The version of this program: another version may read the same file differently. */
  version: string;
};

export function createCatalogCommands({ db, connection, outbound, clock, indexFolder, version }: CatalogDeps) {
  /** Replaces a data set with the content of a file, a folder of files or a URL, or changes nothing. */
  async function importFrom(request: ImportRequest, watch: Watch): Promise<ImportView> {
    const { from, mapping } = request;
    if (request.name !== undefined) await checkOwnName(request.name);
    const rest = {
      mapping: mapping === undefined ? undefined : parseMapping(mapping),
      minConfidence: request.minConfidence ?? 0,
      allowSkippedPercent: request.allowSkippedPercent ?? skippedPercentMax,
    };
    if (!/^https?:\/\//i.test(from)) {
      if (/^[a-z][a-z0-9+.-]+:\/\//i.test(from)) throw AddressInvalid({ address: from });
      const origin = resolve(from); // of `.` too, which has no name of its own
      return importFiles(
        from,
        { origin, name: request.name ?? (await freeName(dataSetNameOf(origin), origin)), ...rest },
        watch,
      );
    }

    const { pathname } = addressOf(from);
    const name = request.name ?? (await freeName(dataSetNameOf(pathname), from));
    return withDownloadFolder(tmpdir(), async (folder) => {
      const path = join(folder, "download");
      await download(from, path, {
        outbound,
        signal: watch.signal,
        progress: (read, total) =>
          watch.progress({ phase: "downloading", share: total === undefined ? undefined : read / total, places: 0 }),
      });
      return importFiles(path, { origin: from, name, ...rest }, watch);
    });
  }

  /** The name derived from the file, unless it belongs to another file, whose places would be closed. */
  async function freeName(name: string, origin: string): Promise<string> {
    await checkOwnName(name);
    const known = await findOrigin(db, name);
    if (known !== undefined && known !== origin) throw DataSetElsewhere({ name, origin: known });
    return name;
  }

  /** The same for a region's public OpenStreetMap extract. */
  async function add(region: string, base: string | undefined, watch: Watch): Promise<ImportView> {
    const path = extractPath(region);
    if (path === undefined) throw RegionUnknown({ region });
    const from = addressOf(path, base ?? defaultExtractBase).href;
    return importFrom({ from, name: dataSetNameOf(path), mapping: undefined, allowSkippedPercent: 100 }, watch);
  }

  /** The places of the sample would be closed rather than replaced. */
  async function checkOwnName(name: string): Promise<void> {
    checkName(name);
    if (name !== sample.name || (await findSample(db)) === undefined) return;
    throw NameOfSample({ name });
  }

  /** The country that comes along; it leaves with the first data set of one's own. */
  async function importSample(watch: Watch): Promise<ImportView> {
    const { name, title: origin, path, observedAt } = sample;
    const how = { mapping: undefined, minConfidence: 0, allowSkippedPercent: 100, observedAt };
    return importFiles(path, { name, origin, ...how }, watch);
  }

  async function importFiles(
    path: string,
    { origin, name, mapping, minConfidence, allowSkippedPercent, observedAt }: FileImport,
    { signal, progress }: Watch,
  ): Promise<ImportView> {
    const startedAt = clock.now().getTime();
    try {
      const read = newProgress();
      const files = await findFiles(path);
      if (mapping && !files.some(({ format }) => format === "csv" || format === "parquet"))
        throw MappingUnused({ origin });
      const batches = readFiles(files, {
        signal,
        progress: read,
        dataSet: name,
        minConfidence,
        ...(mapping ? { mapping } : {}),
      });
      let places = 0;
      const { replacedSample = false, ...result } = await importRows({ name, origin }, batches, {
        connection,
        clock,
        signal,
        fingerprint: await fingerprintOf(files, { mapping, minConfidence, version }, signal),
        read,
        fileDate: observedAt ?? new Date(Math.max(...files.map(({ modifiedAt }) => modifiedAt.getTime()))),
        progress: (step) => {
          if (step.phase === "reading" || step.phase === "resuming") places = step.places;
          progress({ phase: step.phase, places, share: shareOf(step, read) });
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
      const seconds = (clock.now().getTime() - startedAt) / 1_000;
      const skipped = result.skipped + read.skipped.count;
      return {
        name,
        origin,
        ...result,
        skipped,
        skipped_rows: read.skipped.samples,
        unused_columns: read.unusedColumns ?? [],
        replaced_sample: replacedSample,
        seconds,
      };
    } catch (error) {
      if (!(error instanceof ServiceError)) signal.throwIfAborted();
      if (!(error instanceof ImportProblem)) throw error;
      throw FileRefused({ origin, problem: error.message, offset: error.offset }, { cause: error });
    }
  }

  async function list() {
    const sets = await listDataSets(db);
    return sets.map(({ importedAt, observedAt, ...rest }) => ({
      ...rest,
      imported_at: importedAt.toISOString(),
      observed_at: observedAt?.toISOString() ?? null,
    }));
  }

  async function stats() {
    const read = await db.transaction((tx) => readStats(tx), { statementMs: statsMs });
    const { countries, categories, coverage, licenses, unmapped, ...counts } = read;
    const covered = coverage.map(({ squareKilometers, observedAt, ...area }) => ({
      ...area,
      square_kilometers: squareKilometers,
      observed_at: observedAt?.toISOString() ?? null,
    }));
    return { ...counts, countries, categories, coverage: covered, licenses, unmapped };
  }

  return {
    importFrom,
    importSample,
    add,
    list,
    stats,
    explain: (request: ExplainRequest, { signal }: Watch) => explain(request, { db, indexFolder }, signal),
    /** What follows lets others of this machine go first. */
    lowerPriority: async () => lowerPriority({ isServedHere: await isServedHere(db) }),
    remove: (name: string, watch: Watch) =>
      removeDataSet(name, {
        connection,
        signal: watch.signal,
        progress: ({ phase }) => watch.progress({ phase, places: 0, share: undefined }),
        waitForSearches: () => awaitSearches(watch),
      }),
  };

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

type FileImport = {
  origin: string;
  name: string;
  mapping: CsvMapping | undefined;
  minConfidence: number;
  allowSkippedPercent: number;
  /** When the file is of, where neither it nor the file system knows. */
  observedAt?: Date;
};

type Step = ImportProgress;

function shareOf(step: Step, read: ReadProgress): number | undefined {
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

function addressOf(text: string, base?: string): URL {
  const address = URL.parse(text, base);
  if (!address) throw AddressInvalid({ address: base ?? text });
  return address;
}

/** `data/liechtenstein-latest.osm.pbf` is called liechtenstein. */
function dataSetNameOf(path: string): string {
  return (
    basename(path)
      .replace(/(\.osm)?\.[a-z0-9]+$/i, "")
      .replace(/-latest$/, "") || "catalog"
  );
}

function parseMapping(text: string): CsvMapping {
  const mapping: CsvMapping = {};
  for (const pair of text.split(",")) {
    const [field = "", ...column] = pair.split("=");
    const known = field.trim();
    if (!isField(known) || column.length === 0) throw MappingInvalid({ pair, fields });
    mapping[known] = column.join("=").trim();
  }
  return mapping;
}
