import type { Queryable } from "../../../platform/postgres/database.ts";
import { type Addresses, createAddresses, fitting } from "./addresses.ts";
import { readAreas, readAreasVersion } from "./store.ts";

const areasMax = 250_000;

type Loaded = { version: string; addresses: Addresses; bytes: number };

/** Loads the areas that addresses name, once for all generations in which they are the same. */
export function createAreaLoader(bytesMax: number) {
  let loaded: Loaded | undefined;

  /** An import that only changes places costs searches no areas. */
  return async function load(db: Queryable): Promise<Loaded> {
    const version = await readAreasVersion(db);
    if (loaded?.version !== version) {
      const { areas, bytes } = fitting(await readAreas(db, areasMax), bytesMax);
      loaded = { version, addresses: await createAddresses(areas), bytes };
    }
    return loaded;
  };
}
