import type { Place } from "../../sources/place.ts";
import { listingsMax, type Source, type SourceQuery } from "../../sources/source.ts";
import { enrichListings, type Enrichment } from "../search/index.ts";
import type { ErrorCode, Operation } from "./scrape.ts";
import { narrowed } from "./steering.ts";

/** A piece of what a job asked for, ready to be stored, and what had to be left out of it. One is the last. */
export type Found = { places: readonly Place[]; shortfall: ErrorCode | null; isLast: boolean };

type Collectors = { source: Source; enrichment: Enrichment | undefined };

/** Asks the source for the page and, where contacts are wanted, yields its places as they are enriched. */
export async function* collect(
  { source, enrichment }: Collectors,
  { operation, params }: { operation: Operation; params: SourceQuery },
  signal: AbortSignal,
): AsyncGenerator<Found, void, void> {
  const page = await source.search(sourceQuery(operation, params), signal);
  const listings = page.listings.slice(0, listingsMax);
  const trimmed = page.verdict === "trimmed" ? "source_failed" : null;
  if (!enrichment || !params.extra || listings.length === 0) {
    yield { places: listings.map((place) => narrowed(operation, place)), shortfall: trimmed, isLast: true };
    return;
  }
  const enriched = byWebsite(listings).map((group) => enrichListings(enrichment, group, signal));
  for await (const { value: places, isLast } of asTheyEnd(enriched)) {
    const isLate = places.some(({ enrichmentState }) => enrichmentState === "timed_out");
    yield { places, shortfall: trimmed ?? (isLate ? "source_timeout" : null), isLast };
  }
}

/** The standalone operations are about what `extra` brings. */
export function sourceQuery(operation: Operation, params: SourceQuery): SourceQuery {
  return operation === "places.search" ? params : { ...params, extra: true };
}

/** Branches of one website go together, so that it is looked at once; places without one go first. */
function byWebsite(listings: readonly Place[]): Place[][] {
  const groups = Map.groupBy(listings, ({ website }) => website);
  const bare = groups.get(null) ?? [];
  groups.delete(null);
  return [...(bare.length > 0 ? [bare] : []), ...groups.values()];
}

async function* asTheyEnd<Value>(promises: readonly Promise<Value>[]) {
  const pending = new Map(promises.map((promise, index) => [index, promise.then((value) => ({ index, value }))]));
  while (pending.size > 0) {
    const { index, value } = await Promise.race(pending.values());
    pending.delete(index);
    yield { value, isLast: pending.size === 0 };
  }
}
