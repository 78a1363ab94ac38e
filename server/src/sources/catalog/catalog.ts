import type { PlaceIndex } from "../../place-index/port.ts";
import type { Reads } from "../../platform/postgres/replica-reads.ts";
import { warmWords } from "../../query/words/lexicon.ts";
import { warmCountries, warmFurtherCountries } from "../../query/words/countries.ts";
import { sampleAdvice } from "../../data-sets/sample.ts";
import { type SourceDescription, SourceFailure, type SourcePort } from "../source.ts";
import { description } from "./description.ts";
import { createIndexSearch, IndexBehind, NoPlaces, OutsideSample } from "./search/index.ts";

export type Catalog = Required<Omit<SourcePort, "lacksPlace">> & SourceDescription;

type CatalogOptions = {
  db: Reads;
  index: PlaceIndex;
  /** What "open now" goes by. */
  now?: () => Date;
};

/** The source that answers from our own place index. */
export function createCatalog(options: CatalogOptions): Catalog {
  const index = createIndexSearch(options);
  return {
    ...description,
    isReady: index.hasPlaces,
    async warm(signal) {
      if (!(await index.hasPlaces())) return;
      // One after the other: a new connection would time out behind seconds of terms on a busy machine.
      await index.warm(signal);
      await warmWords();
      warmCountries();
      warmFurtherCountries();
    },
    async search(query, signal) {
      const { isComplete, ...page } = await index.find(query, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof NoPlaces) return { listings: [], isComplete: true };
        throw noAnswer(error);
      });
      if (!isComplete) return { ...page, verdict: "trimmed" };
      return { ...page, verdict: page.listings.length > 0 ? "ok" : "empty" };
    },
    hasDataFor: (query, signal) => index.covers(query, signal).catch(() => true), // the search itself says what is wrong
    advice: () => (index.isSample() ? sampleAdvice : undefined),
    findArea: (name, asked) =>
      index.findArea(name, asked).catch((error: unknown) => {
        if (error instanceof NoPlaces) return undefined;
        throw noAnswer(error);
      }),
  };
}

function noAnswer(cause: unknown): SourceFailure {
  if (cause instanceof OutsideSample) {
    const known = { fault: "question", advice: sampleAdvice, cause } as const;
    return new SourceFailure("give_up", "source_unavailable", "The sample does not cover the question.", known);
  }
  if (cause instanceof IndexBehind) {
    const sentence = "The place index of this machine is behind the catalog.";
    return new SourceFailure("slow_down", "source_unavailable", sentence, {
      retryAfterSeconds: 2,
      fault: "load",
      cause,
    });
  }
  return new SourceFailure("try_again", "source_unavailable", "The place index did not answer.", { cause });
}
