import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Clock } from "../platform/clock.ts";
import type { Outbound } from "../platform/net/outbound.ts";
import type { Connection, Database } from "../platform/postgres/database.ts";
import { listDataSets, readStats } from "../sources/catalog/data-sets.ts";
import {
  type CsvMapping,
  detectFormat,
  ImportProblem,
  isField,
  newProgress,
  type ReadProgress,
  readItems,
} from "../sources/catalog/formats/index.ts";
import { download } from "../sources/catalog/import/download.ts";
import { FileRefused, MappingInvalid, RegionUnknown } from "../sources/catalog/import/errors.ts";
import { importItems, type ImportResult, removeDataSet } from "../sources/catalog/import/index.ts";
import { defaultExtractBase, extractPath } from "../sources/catalog/import/regions.ts";

/** How far an import is, for whoever waits for it. */
export type CatalogProgress = {
  phase: "downloading" | "reading" | "storing" | "indexing";
  /** Of the phase, from 0 to 1, where that is known. */
  share: number | undefined;
  places: number;
};

export type ImportRequest = {
  /** A path, or a URL. */
  from: string;
  name: string | undefined;
  /** `name=Firma,latitude=lat`: which column of a table says what. */
  mapping: string | undefined;
};

export type ImportView = ImportResult & { name: string; origin: string; seconds: number };

type Watch = { signal: AbortSignal; progress: (progress: CatalogProgress) => void };

type CatalogDeps = { db: Database; connection: Connection; outbound: Outbound; clock: Clock };

export function createCatalogCommands({ db, connection, outbound, clock }: CatalogDeps) {
  /** Makes a data set what a file or URL says, or changes nothing. */
  async function importFrom({ from, name, mapping }: ImportRequest, watch: Watch): Promise<ImportView> {
    const columns = mapping === undefined ? undefined : parseMapping(mapping);
    if (!/^https?:\/\//i.test(from)) return importFile(from, from, name ?? nameOf(from), columns, watch);

    const folder = await mkdtemp(join(tmpdir(), "waypost-import-"));
    try {
      const path = join(folder, "download");
      await download(from, path, {
        outbound,
        signal: watch.signal,
        progress: (read, total) =>
          watch.progress({ phase: "downloading", share: total === undefined ? undefined : read / total, places: 0 }),
      });
      return await importFile(path, from, name ?? nameOf(new URL(from).pathname), columns, watch);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The same for a region's public OpenStreetMap extract. */
  async function add(region: string, base: string | undefined, watch: Watch): Promise<ImportView> {
    const path = extractPath(region);
    if (path === undefined) throw RegionUnknown({ region });
    const from = new URL(path, base ?? defaultExtractBase).href;
    return importFrom({ from, name: nameOf(path), mapping: undefined }, watch);
  }

  async function importFile(
    path: string,
    origin: string,
    name: string,
    mapping: CsvMapping | undefined,
    { signal, progress }: Watch,
  ): Promise<ImportView> {
    const startedAt = clock.now().getTime();
    try {
      const read = newProgress();
      const format = await detectFormat(path);
      const items = readItems(path, format, { signal, progress: read, ...(mapping ? { mapping } : {}) });
      let places = 0;
      const result = await importItems({ name, origin }, items, {
        connection,
        clock,
        signal,
        progress: (step) => {
          if (step.phase === "reading") places = step.places;
          progress({ phase: step.phase, places, share: shareOf(step, read) });
        },
      });
      return { name, origin, ...result, seconds: (clock.now().getTime() - startedAt) / 1_000 };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ImportProblem)) throw error;
      throw FileRefused({ origin, problem: error.message, offset: error.offset }, { cause: error });
    }
  }

  async function list() {
    const sets = await listDataSets(db);
    return sets.map(({ importedAt, ...rest }) => ({ ...rest, imported_at: importedAt.toISOString() }));
  }

  return {
    importFrom,
    add,
    list,
    stats: () => readStats(db),
    remove: (name: string, watch: Watch) =>
      removeDataSet(name, {
        connection,
        signal: watch.signal,
        progress: (step) => watch.progress({ phase: step.phase, places: 0, share: shareOf(step, newProgress()) }),
      }),
  };
}

type Step = Parameters<NonNullable<Parameters<typeof removeDataSet>[1]["progress"]>>[0];

function shareOf(step: Step, read: ReadProgress): number | undefined {
  if (step.phase === "indexing") return step.done / Math.max(1, step.total);
  if (step.phase === "reading" && read.bytesTotal > 0) return Math.min(1, read.bytesRead / read.bytesTotal);
  return undefined;
}

/** `data/liechtenstein-latest.osm.pbf` is called liechtenstein. */
function nameOf(path: string): string {
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
    if (!isField(known) || column.length === 0) throw MappingInvalid({ pair });
    mapping[known] = column.join("=").trim();
  }
  return mapping;
}
