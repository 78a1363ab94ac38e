import type { Database } from "../../platform/postgres/database.ts";
import { type Source, SourceFailure } from "../source.ts";
import { createIndexSearch } from "./search/index.ts";

export type Catalog = Source & {
  /** False before the first import, and when everything was removed. */
  hasPlaces(): Promise<boolean>;
};

type CatalogOptions = {
  db: Database;
  /** The memory for what this process keeps of the index. */
  cacheBytesMax?: number;
  /** How long searches may miss that an import has committed. */
  trustMs?: number;
};

const defaultCacheBytes = 256 * 1024 * 1024;

/** The source that answers from our own place index. */
export function createCatalog({ db, cacheBytesMax = defaultCacheBytes, trustMs = 1_000 }: CatalogOptions): Catalog {
  const index = createIndexSearch({ db, cacheBytesMax, trustMs });
  return {
    name: "catalog",
    isLocal: true,
    hasPlaces: index.hasPlaces,
    warm: () => void index.open().catch(() => undefined), // a search tries again and tells what is wrong
    async search(query, signal) {
      const listings = await index.find(query, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new SourceFailure("try_again", "source_unavailable", "The catalog's database did not answer.", {
          cause: error,
        });
      });
      return { listings, verdict: listings.length > 0 ? "ok" : "empty" };
    },
  };
}
