import type { Reads } from "../../platform/postgres/replica-reads.ts";
import type { ScratchFile } from "../../platform/scratch-file.ts";
import { type Meters, noMeters } from "../../platform/meters.ts";
import { type SourceDescription, SourceFailure, type SourcePort } from "../source.ts";
import { warmCountries, warmFurtherCountries } from "../query/countries.ts";
import { warmTerms } from "../../languages/index.ts";
import { defaultMemoryMb, description, megabyte } from "./description.ts";
import { catalogStalenessMs } from "../../data-sets/8-publish/staleness.ts";
import { createIndexSearch, type createRecentBlocks, StaleDirectory } from "./search/index.ts";

export type Catalog = Required<Omit<SourcePort, "lacksPlace">> & SourceDescription;

type CatalogOptions = {
  db: Reads;
  /** The memory for what this process keeps of the catalog. */
  memoryBytesMax?: number;
  /** How long searches may miss that an import has committed. */
  trustMs?: number;
  /** The most blocks of the index that one search reads. */
  blocksPerSearchMax?: number;
  /** A search over more blocks looks its words up first. */
  narrowFrom?: number;
  /** What "open now" goes by. */
  now?: () => Date;
  meters?: Pick<Meters, "counter" | "gauge">;
  /** Where blocks that searches used are remembered for the next start. */
  recentBlocks?: ReturnType<typeof createRecentBlocks>;
  /** Where records that searches may need are kept. */
  recordFile?: ScratchFile;
};

/** The source that answers from our own place index. */
export function createCatalog({
  memoryBytesMax = defaultMemoryMb * megabyte,
  trustMs = catalogStalenessMs,
  meters = noMeters,
  ...rest
}: CatalogOptions): Catalog {
  const reads = meters.counter("waypost_catalog_cache_reads_total", "Blocks of the index that searches needed.", [
    "outcome",
  ]);
  const index = createIndexSearch({ memoryBytesMax, trustMs, onBlockRead: reads, ...rest });
  declareCatalog(meters, index, rest.recordFile);
  return {
    ...description,
    isReady: index.hasPlaces,
    async warm(signal) {
      // One after the other: a new connection would time out behind seconds of terms on a busy machine.
      await index.warm(signal);
      await warmTerms();
      warmCountries();
      warmFurtherCountries();
    },
    async search(query, signal) {
      const { isComplete, ...page } = await index.find(query, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw noAnswer(error);
      });
      if (!isComplete) return { ...page, verdict: "trimmed" };
      return { ...page, verdict: page.listings.length > 0 ? "ok" : "empty" };
    },
    hasDataFor: (query, signal) => index.covers(query, signal).catch(() => true), // the search itself says what is wrong
    findArea: (name, { gl }) =>
      index.findArea(name, gl).catch((error: unknown) => {
        throw noAnswer(error);
      }),
  };
}

function declareCatalog(
  { gauge }: Pick<Meters, "gauge">,
  index: ReturnType<typeof createIndexSearch>,
  recordFile: ScratchFile | undefined,
) {
  gauge("waypost_catalog_cache_bytes", "Memory that the catalog takes in this process.", [], () => [
    { labels: {}, value: index.memoryBytes() },
  ]);
  gauge("waypost_catalog_records_bytes", "Disk that copies of records take in this process.", [], () => [
    { labels: {}, value: recordFile?.bytes() ?? 0 },
  ]);
  // Nothing before the first search: 0 would look like a process that missed every import.
  gauge("waypost_catalog_generation", "The generation of the catalog that this process searches.", [], () => {
    const generation = index.generation();
    return generation === undefined ? [] : [{ labels: {}, value: generation }];
  });
}

function noAnswer(cause: unknown): SourceFailure {
  if (cause instanceof StaleDirectory) {
    return new SourceFailure("try_again", "source_unavailable", "Imports kept changing the catalog.", { cause });
  }
  return new SourceFailure("try_again", "source_unavailable", "The catalog's database did not answer.", { cause });
}
