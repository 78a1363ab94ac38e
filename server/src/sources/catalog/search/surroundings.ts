import { inSnapshot, type Reads } from "../../../platform/postgres/replica-reads.ts";
import type { Addresses } from "./addresses.ts";
import { createAreaLoader } from "./area-loader.ts";
import { type Coverage, createCoverage } from "./coverage.ts";
import { readSampleState, sample } from "../../../data-sets/sample.ts";
import { readDataSets } from "./store.ts";

/** What questions are read with and listings are made with, in one generation of the catalog. */
export type Surroundings = {
  generation: number;
  addresses: Addresses;
  coverage: Coverage;
  /** The country of the sample, while the catalog is nothing else. */
  sampleOf: string | null;
  importTimes: ReadonlyMap<number, Date>;
};

/** Areas of a catalog with more are left out, the smallest first. */
const areaBytesMax = 128 * 1024 * 1024;

/** Reads them when the place index has another generation; the database may be one ahead by then. */
export function createSurroundings(db: Reads) {
  const loadAreas = createAreaLoader(areaBytesMax);
  let latest: Surroundings | undefined;
  let loading: { generation: number; surroundings: Promise<Surroundings> } | undefined;

  function of(generation: number): Surroundings | Promise<Surroundings> {
    if (latest?.generation === generation) return latest;
    if (loading?.generation !== generation) {
      const surroundings = load(generation);
      loading = { generation, surroundings };
      // What failed is read again.
      surroundings.catch(() => (loading = undefined));
    }
    return loading.surroundings;
  }

  async function load(generation: number): Promise<Surroundings> {
    latest = await inSnapshot(db, async (snapshot) => {
      const dataSets = await readDataSets(snapshot);
      const coverage = createCoverage(dataSets.map((each) => each.coverage));
      const { addresses } = await loadAreas(snapshot);
      return {
        generation,
        coverage,
        sampleOf: (await readSampleState(snapshot)) === "imported" ? sample.country : null,
        addresses,
        importTimes: new Map(dataSets.map(({ id, importedAt }) => [id, importedAt])),
      };
    });
    return latest;
  }

  return { of, latest: () => latest };
}
