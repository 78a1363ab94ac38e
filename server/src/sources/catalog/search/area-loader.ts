import type { Queryable } from "../../../platform/postgres/database.ts";
import { type Areas, type Covered, createAreas, fitting } from "./areas.ts";
import { openGazetteer } from "../../../gazetteer/gazetteer.ts";
import { readAreas, readAreasVersion } from "./store.ts";

const areasMax = 250_000;

type Loaded = { version: string; areas: Areas; bytes: number };

/** Loads the areas that queries can name, once for all generations in which they are the same. */
export function createAreaLoader(bytesMax: number) {
  let loaded: Loaded | undefined;
  let latest: Covered | undefined;

  /** An import that only changes places costs searches no areas. */
  return async function load(db: Queryable, covered: Covered): Promise<Loaded> {
    latest = covered;
    const [version, gazetteer] = await Promise.all([readAreasVersion(db), openGazetteer()]);
    if (loaded?.version !== version) {
      const { areas: known, bytes } = fitting(await readAreas(db, areasMax), bytesMax);
      const now: Covered = {
        point: (point, reachM) => latest?.point(point, reachM) === true,
        country: (countryCode) => latest?.country(countryCode) === true,
      };
      loaded = { version, areas: await createAreas(known, gazetteer, now), bytes };
    }
    return loaded;
  };
}
