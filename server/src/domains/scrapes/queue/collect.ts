import type { Place } from "../../../places/place.ts";
import { listingsMax, type Source, type SourceQuery } from "../../../sources/source.ts";
import { enrichListings, type WebsiteReader } from "../../enrichment/index.ts";
import { type Operation, operations } from "../operations.ts";
import type { ErrorCode } from "../scrape.ts";

/** A part of a job's page, ready to be stored, and why something of it is missing. One part is the last. */
export type CollectedPart = {
  places: readonly Place[];
  shortfall: ErrorCode | null;
  queryReading: string | null;
  isLast: boolean;
};

type Collectors = { source: Source; enrichment: WebsiteReader | undefined };

/** Reads the page from the source and, with `extra`, yields its places as their websites have been read. */
export async function* collect(
  { source, enrichment }: Collectors,
  { operation, params }: { operation: Operation; params: SourceQuery },
  signal: AbortSignal,
): AsyncGenerator<CollectedPart, void, void> {
  const { sourceQuery, project } = operations[operation];
  const page = await source.search(sourceQuery(params), signal);
  const listings = page.listings.slice(0, listingsMax);
  const trimmed = page.verdict === "trimmed" ? "source_failed" : null;
  const queryReading = page.reading ?? null;
  if (!enrichment || !params.extra || listings.length === 0) {
    yield { places: listings.map(project), shortfall: trimmed, queryReading, isLast: true };
    return;
  }
  const enriched = byWebsite(listings).map((group) => enrichListings(enrichment, group, signal));
  for await (const { value: places, isLast } of inOrderOfCompletion(enriched)) {
    const isLate = places.some(({ enrichmentState }) => enrichmentState === "timed_out");
    yield { places, shortfall: trimmed ?? (isLate ? "source_timeout" : null), queryReading, isLast };
  }
}

/** Groups branches that share a website, so that it is read once; places without one come first. */
function byWebsite(listings: readonly Place[]): Place[][] {
  const groups = Map.groupBy(listings, ({ website }) => website);
  const bare = groups.get(null) ?? [];
  groups.delete(null);
  return [...(bare.length > 0 ? [bare] : []), ...groups.values()];
}

async function* inOrderOfCompletion<Value>(promises: readonly Promise<Value>[]) {
  const pending = new Map(promises.map((promise, index) => [index, promise.then((value) => ({ index, value }))]));
  while (pending.size > 0) {
    const { index, value } = await Promise.race(pending.values());
    pending.delete(index);
    yield { value, isLast: pending.size === 0 };
  }
}
