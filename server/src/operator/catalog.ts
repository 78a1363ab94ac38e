import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { listDataSets, readStats } from "../data-sets/data-sets.ts";
import { type CsvMapping, fields, isField } from "../data-sets/2-read/index.ts";
import { withDownloadFolder } from "../data-sets/1-fetch/download-folder.ts";
import { findLatestRun } from "../data-sets/1-fetch/alltheplaces-run.ts";
import { download } from "../data-sets/1-fetch/download.ts";
import { AddressInvalid, MappingInvalid, RegionUnknown } from "../data-sets/errors.ts";
import { removeDataSet } from "../data-sets/remove.ts";
import { sample } from "../data-sets/sample.ts";
import { defaultExtractBase, extractPath } from "../data-sets/1-fetch/regions.ts";
import { explain, type ExplainRequest } from "../sources/catalog/index.ts";
import {
  type CatalogDeps,
  createImporter,
  dashed,
  dataSetNameOf,
  type FileImport,
  type ImportView,
  type Watch,
} from "./catalog-imports/importer.ts";
import { findArea } from "./catalog-imports/area.ts";
import { createOvertureImport } from "./catalog-imports/overture.ts";
import { updateCatalog } from "./catalog-imports/update.ts";
import { isServedHere } from "./processes.ts";
import { lowerPriority } from "./lower-priority.ts";

export type { CatalogProgress, ImportView } from "./catalog-imports/importer.ts";
export type { UpdateView } from "./catalog-imports/update.ts";
export type { OvertureView } from "./catalog-imports/overture.ts";

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

/** A region of OpenStreetMap, and the server that has extracts where it is not the usual one. */
export type RegionRequest = { region: string; base: string | undefined; name: string | undefined };

export type AllThePlacesRequest = { area: string | undefined; name: string | undefined };

const skippedPercentMax = 10;
/** Counting a large catalog takes longer than a request waits. */
const statsMs = 3_600_000;

export function createCatalogCommands(deps: CatalogDeps) {
  const { db, connection, outbound, indexFolder, mirrors } = deps;
  const importer = createImporter(deps);
  const { givenName, freeName, importFiles, awaitSearches } = importer;
  const overture = createOvertureImport(deps, importer);

  /** Replaces a data set with the content of a file, a folder of files or a URL, or changes nothing. */
  async function importFrom(request: ImportRequest, watch: Watch): Promise<ImportView> {
    const { from, mapping } = request;
    if (request.name !== undefined) await givenName(request.name);
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
    return importUrl(from, { origin: from, name, ...rest }, watch);
  }

  /** Imports what an address gives; it is stored until then. */
  async function importUrl(url: string, request: FileImport, watch: Watch): Promise<ImportView> {
    return withDownloadFolder(tmpdir(), async (folder) => {
      const path = join(folder, "download");
      await download(url, path, {
        outbound,
        signal: watch.signal,
        progress: (read, total) =>
          watch.progress({ phase: "downloading", share: total === undefined ? undefined : read / total, places: 0 }),
      });
      return importFiles(path, request, watch);
    });
  }

  /** The places of AllThePlaces' newest run, all or those of an area. */
  async function addAllThePlaces({ area, name }: AllThePlacesRequest, watch: Watch): Promise<ImportView> {
    const origin = area === undefined ? "AllThePlaces" : `AllThePlaces, ${area}`;
    if (name !== undefined) await givenName(name);
    const within = area === undefined ? undefined : (await findArea(area)).extent;
    const free = name ?? (await freeName(dashed("alltheplaces", area), origin));
    const run = await findLatestRun(mirrors.allThePlacesUrl, { outbound, signal: watch.signal });
    const source = { publisher: "alltheplaces", area, version: run.id } as const;
    const how = { mapping: undefined, minConfidence: 0, allowSkippedPercent: 100, within };
    const request = { origin, name: free, source, ...how };
    return importUrl(run.url, request, watch);
  }

  /** The same for a region's public OpenStreetMap extract. */
  async function add({ region, base, name }: RegionRequest, watch: Watch): Promise<ImportView> {
    const path = extractPath(region);
    if (path === undefined) throw RegionUnknown({ region });
    const origin = addressOf(path, base ?? defaultExtractBase).href;
    const given = await givenName(name ?? dataSetNameOf(path));
    const source = { publisher: "openstreetmap", region, base } as const;
    const how = { mapping: undefined, minConfidence: 0, allowSkippedPercent: 100 };
    return importUrl(origin, { origin, name: given, source, ...how }, watch);
  }

  /** The country that comes along; it leaves with the first data set of one's own. */
  async function importSample(watch: Watch): Promise<ImportView> {
    const { name, title: origin, path, observedAt } = sample;
    const how = { mapping: undefined, minConfidence: 0, allowSkippedPercent: 100, observedAt };
    return importFiles(path, { name, origin, ...how }, watch);
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
    addAllThePlaces,
    ...overture,
    update: (name: string | undefined, watch: Watch) =>
      updateCatalog(name, { db, mirrors, outbound, add, addAllThePlaces, addOverture: overture.addOverture }, watch),
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
}

function addressOf(text: string, base?: string): URL {
  const address = URL.parse(text, base);
  if (!address) throw AddressInvalid({ address: base ?? text });
  return address;
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
