import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Extent } from "../../geography/extent.ts";
import { type FoundFile, newProgress } from "../../data-sets/2-read/index.ts";
import {
  createDivisionList,
  type Division,
  divisionsWithin,
  featuresOf,
  findDivision,
} from "../../data-sets/1-fetch/by-area/divisions.ts";
import { asGone, findRelease, openType, type Release } from "../../data-sets/1-fetch/by-area/overture-release.ts";
import { fetchParts, type FetchingParts, type Part, planParts } from "../../data-sets/1-fetch/by-area/parts.ts";
import { withPartsFolder } from "../../data-sets/1-fetch/by-area/parts-folder.ts";
import { groupsTouching } from "../../data-sets/1-fetch/by-area/remote-table.ts";
import { fingerprintOf } from "../../data-sets/1-fetch/fingerprint.ts";
import { type Fetching, isGone } from "../../data-sets/1-fetch/ranges.ts";
import { AreaEmpty } from "../../data-sets/errors.ts";
import { findArea, type NamedArea } from "./area.ts";
import { type CatalogDeps, dashed, type createImporter, type ImportView, refusing, type Watch } from "./importer.ts";

export type OvertureRequest = {
  area: string;
  /** The latest without. */
  release: string | undefined;
  name: string | undefined;
  minConfidence: number;
};

/** What an import fetches: of `row_groups` that touch the area, which have at most so many `places`. */
export type Estimate = {
  release: string;
  area: string;
  files: number;
  row_groups: number;
  megabytes: number;
  places: number;
};
export type OvertureView = ImportView & Omit<Estimate, "places">;

export function createOvertureImport(
  { outbound, dataFolder, mirrors, version }: CatalogDeps,
  { givenName, freeName, importFound }: ReturnType<typeof createImporter>,
) {
  /** Says what an import of an area would fetch. */
  async function estimateOverture({ area, release }: OvertureRequest, { signal }: Watch): Promise<Estimate> {
    return estimateOf(await findPlaces(area, release, { outbound, signal }));
  }

  /** Imports Overture's places of an area, and the divisions in it. */
  async function addOverture(request: OvertureRequest, watch: Watch): Promise<OvertureView> {
    const { area, minConfidence } = request;
    const { signal } = watch;
    const fetching = { outbound, signal };
    const origin = `Overture, ${area}`;
    if (request.name !== undefined) await givenName(request.name);
    const plan = await findPlaces(area, request.release, fetching);
    const { release, parts, extent } = plan;
    if (parts.length === 0) throw AreaEmpty({ origin });
    const name = request.name ?? (await freeName(dashed("overture", area), origin));
    const versions = parts.map(({ table: { url, tag }, groups }) => [url, tag, ...groups.map(({ index }) => index)]);
    const fetched = { name, release, extent, versions, minConfidence, version };
    const fingerprint = await fingerprintOf([], fetched, signal);
    const view = await withPartsFolder(join(dataFolder, "downloads"), fingerprint.slice(0, 16), (folder) => {
      const bytes = { fetched: 0, total: bytesOf(parts) };
      const progress = (count: number) => void (bytes.fetched += count);
      const found = {
        files: filesOf(plan, folder, { ...fetching, progress }),
        fingerprint,
        fileDate: dateOf(release),
        read: { ...newProgress(), bytesTotal: bytes.total },
        bytes: () => ({ bytes }),
      };
      const source = { publisher: "overture", area, minConfidence, version: release.id } as const;
      const how = { mapping: undefined, minConfidence, within: extent, allowSkippedPercent: skippedPercentMax };
      const file = { origin, name, source, ...how };
      return refusing(origin, signal, () => importFound(found, file, watch));
    }).catch((error: unknown) => {
      throw asGone(error, release.id);
    });
    return { ...estimateOf(plan), ...view };
  }

  async function findPlaces(area: string, id: string | undefined, fetching: Fetching): Promise<Plan> {
    const named = await findArea(area);
    const release = await findRelease(mirrors.overtureUrl, id, fetching);
    return planOf(release, named, fetching).catch((error: unknown) => {
      throw asGone(error, release.id);
    });
  }

  return { addOverture, estimateOverture };
}

const skippedPercentMax = 10;

/** What is fetched of a release, and which part of the earth that is, in words too. */
type Plan = { release: Release; extent: Extent; how: string; parts: Part[]; divisions: Division[] };

async function planOf(release: Release, { asked, ...named }: NamedArea, fetching: Fetching): Promise<Plan> {
  const list = await divisionListOf(release, fetching);
  const found = asked && (await findDivision(await list(named.extent), asked, fetching));
  const { extent, how } = found ? { extent: found.extent, how: `the ${found.subtype} of the release` } : named;
  const { touching } = await openType(release, "places/place", fetching);
  const tables = (await touching(extent)).map((table) => ({ table, groups: groupsTouching(table, extent) }));
  const divisions = divisionsWithin(await list(extent), extent);
  return { release, extent, how, parts: planParts(tables), divisions };
}

/** A mirror may lack them. */
async function divisionListOf(release: Release, fetching: Fetching) {
  try {
    return createDivisionList(await openType(release, "divisions/division_area", fetching), fetching);
  } catch (error) {
    if (isGone(error)) return async () => [];
    throw error;
  }
}

function estimateOf({ release, how, parts }: Plan): Estimate {
  return {
    release: release.id,
    area: how,
    files: new Set(parts.map(({ table }) => table)).size,
    row_groups: parts.reduce((sum, { groups }) => sum + groups.length, 0),
    megabytes: Math.ceil(bytesOf(parts) / 100_000) / 10,
    places: parts.reduce((sum, { rows }) => sum + rows, 0),
  };
}

function bytesOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The places come first, so that the first of them come soon. */
async function* filesOf({ parts, divisions }: Plan, folder: string, fetching: FetchingParts) {
  yield* fetchParts(parts, folder, fetching);
  if (divisions.length > 0) yield divisionsFile(divisions, join(folder, "divisions.geojson"), fetching);
}

async function divisionsFile(divisions: Division[], path: string, fetching: Fetching): Promise<FoundFile> {
  const features = await featuresOf(divisions, fetching);
  await writeFile(path, features.map((feature) => `${JSON.stringify(feature)}\n`).join(""), { mode: 0o600 });
  const { size, mtime } = await stat(path);
  return { path, format: "geojson", bytes: size, modifiedAt: mtime };
}

/** A release is called after its day: `2026-10-21.0`. */
function dateOf({ id }: Release): Date {
  const date = new Date(id.slice(0, 10));
  return Number.isNaN(date.getTime()) ? new Date() : date;
}
