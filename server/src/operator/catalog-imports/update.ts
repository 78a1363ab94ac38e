import type { Outbound } from "../../platform/net/outbound.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { ServiceError } from "../../platform/errors.ts";
import { type DataSetSource, findOrigin, listSources } from "../../data-sets/data-sets.ts";
import { findLatestRun } from "../../data-sets/1-fetch/alltheplaces-run.ts";
import { findRelease } from "../../data-sets/1-fetch/by-area/overture-release.ts";
import { DataSetUnknown, NoNewerKnown } from "../../data-sets/errors.ts";
import type { CatalogDeps, ImportView, Watch } from "./importer.ts";

/** What became of a data set: `failed` leaves it as it was, with `error` saying why. */
export type UpdateView = { name: string; imported?: ImportView; error?: string } & {
  state: "updated" | "current" | "failed";
};

type Deps = { db: Database; outbound: Outbound; mirrors: CatalogDeps["mirrors"] } & Adding;
type Adding = {
  add(request: { region: string; base: string | undefined; name: string }, watch: Watch): Promise<ImportView>;
  addAllThePlaces(request: { area: string | undefined; name: string }, watch: Watch): Promise<ImportView>;
  addOverture(
    request: { area: string; release: undefined; name: string; minConfidence: number },
    watch: Watch,
  ): Promise<ImportView>;
};

/**
 * Brings a data set, or each that a publisher has, to what the publisher has now. One after the other; one that fails
 * stays as it was and keeps no other from being updated.
 */
export async function updateCatalog(only: string | undefined, deps: Deps, watch: Watch): Promise<UpdateView[]> {
  const sets = await listSources(deps.db);
  const found = sets.find(({ name }) => name === only);
  if (only !== undefined && !found) throw DataSetUnknown({ name: only });
  if (found?.source === null)
    throw NoNewerKnown({ name: found.name, origin: (await findOrigin(deps.db, found.name)) ?? "a file" });
  const views: UpdateView[] = [];
  for (const { name, source } of found ? [found] : sets) {
    if (source !== null) views.push(await update(name, source, deps, watch));
  }
  return views;
}

async function update(name: string, source: DataSetSource, deps: Deps, watch: Watch): Promise<UpdateView> {
  try {
    if (await isCurrent(source, deps, watch)) return { name, state: "current" };
    return { name, state: "updated", imported: await importAgain(name, source, deps, watch) };
  } catch (error) {
    if (watch.signal.aborted || !(error instanceof ServiceError)) throw error;
    return { name, state: "failed", error: error.message };
  }
}

/** An extract says only in itself of when it is. */
async function isCurrent(source: DataSetSource, { outbound, mirrors }: Deps, { signal }: Watch): Promise<boolean> {
  if (source.publisher === "openstreetmap") return false;
  const fetching = { outbound, signal };
  const newest =
    source.publisher === "overture"
      ? await findRelease(mirrors.overtureUrl, undefined, fetching)
      : await findLatestRun(mirrors.allThePlacesUrl, fetching);
  return newest.id === source.version;
}

function importAgain(name: string, source: DataSetSource, deps: Deps, watch: Watch): Promise<ImportView> {
  switch (source.publisher) {
    case "overture":
      return deps.addOverture({ ...source, release: undefined, name }, watch);
    case "alltheplaces":
      return deps.addAllThePlaces({ area: source.area, name }, watch);
    case "openstreetmap":
      return deps.add({ region: source.region, base: source.base, name }, watch);
  }
}
