import type { Queryable } from "../../../platform/postgres/database.ts";
import type { Point } from "../../geo.ts";
import { type Areas, createAreas, fitting } from "./areas.ts";
import { openGazetteer } from "./gazetteer.ts";
import { readAreas, readAreasVersion } from "./store.ts";

const areasMax = 250_000;

type Loaded = { version: string; areas: Areas; bytes: number };

/** Loads the areas that queries can name, once for all generations in which they are the same. */
export function createAreaLoader(bytesMax: number) {
  let loaded: Loaded | undefined;
  let hasPlacesAt: ((point: Point) => boolean) | undefined;

  /** An import that only changes places costs searches no areas. */
  return async function load(db: Queryable, isCovered: (point: Point) => boolean): Promise<Loaded> {
    hasPlacesAt = isCovered;
    const [version, gazetteer] = await Promise.all([readAreasVersion(db), openGazetteer()]);
    if (loaded?.version !== version) {
      const { areas: known, bytes } = fitting(await readAreas(db, areasMax), bytesMax);
      loaded = { version, areas: createAreas(known, gazetteer, (point) => hasPlacesAt?.(point) === true), bytes };
    }
    return loaded;
  };
}
