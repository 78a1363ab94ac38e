import { inSnapshot, type Reads } from "../../../platform/postgres/replica-reads.ts";
import type { Point } from "../../../geography/points.ts";
import { warmCountries } from "../../query/countries.ts";
import { termsOf } from "../../../languages/index.ts";
import type { createAreaLoader } from "./area-loader.ts";
import { createCoverage } from "./coverage.ts";
import { openGazetteer } from "../../../gazetteer/gazetteer.ts";
import { readChangedPlaces, readDataSets, readDirectory } from "./store.ts";

type Options = {
  loadAreas: ReturnType<typeof createAreaLoader>;
  /** The generation that it follows, if there is one. */
  before: number | undefined;
};

/** Reads what searches need to know of the latest generation, from one state of the database. */
export async function readLatestGeneration(db: Reads, { loadAreas, before }: Options) {
  void openGazetteer().catch(() => undefined); // its thread reads while the database answers
  return inSnapshot(db, async (snapshot) => {
    const reading = readDirectory(snapshot);
    // Every question needs them, and the database is at work.
    termsOf("en");
    warmCountries();
    const directory = await reading;
    const dataSets = await readDataSets(snapshot);
    const coverage = createCoverage(dataSets.map((each) => each.coverage));
    // Blocks of a thin region span far more than their places; the coverage takes longer to ask.
    const covered = {
      point: (point: Point, reachM = 0) =>
        directory.hasPlacesAt(point, reachM) && coverage.coversPoint(point, { reachM }),
      country: (countryCode: string) => coverage.covers({ kind: "country", countryCode }),
    };
    const { areas, bytes: areaBytes } = await loadAreas(snapshot, covered);
    return {
      directory,
      changedBlocks: directory.changedBlocks,
      coverage,
      areas,
      areaBytes,
      importTimes: new Map(dataSets.map(({ id, importedAt }) => [id, importedAt])),
      changed: before === undefined ? undefined : await readChangedPlaces(snapshot, before, directory.generation),
    };
  });
}
