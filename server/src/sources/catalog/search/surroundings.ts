import { inSnapshot, type Reads } from "../../../platform/postgres/replica-reads.ts";
import type { Point } from "../../../geography/points.ts";
import { openGazetteer } from "../../../gazetteer/gazetteer.ts";
import type { Areas } from "./areas.ts";
import { createAreaLoader } from "./area-loader.ts";
import { type Coverage, createCoverage } from "./coverage.ts";
import { readDataSets } from "./store.ts";

/** What questions are read with and listings are made with, in one generation of the catalog. */
export type Surroundings = {
  generation: number;
  areas: Areas;
  coverage: Coverage;
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
    void openGazetteer().catch(() => undefined); // its thread reads while the database answers
    latest = await inSnapshot(db, async (snapshot) => {
      const dataSets = await readDataSets(snapshot);
      const coverage = createCoverage(dataSets.map((each) => each.coverage));
      const covered = {
        point: (point: Point, reachM = 0) => coverage.coversPoint(point, { reachM }),
        country: (countryCode: string) => coverage.covers({ kind: "country", countryCode }),
      };
      const { areas } = await loadAreas(snapshot, covered);
      return {
        generation,
        coverage,
        areas,
        importTimes: new Map(dataSets.map(({ id, importedAt }) => [id, importedAt])),
      };
    });
    return latest;
  }

  return { of, latest: () => latest };
}
