import { warmWords } from "../../query/words/lexicon.ts";
import type { Clock } from "../../platform/clock.ts";
import type { CounterFactory } from "../../platform/meters.ts";
import type { Log } from "../../platform/log.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import { createRequestLimiter, realWait, type Wait } from "../request-limiter.ts";
import { otherIds, type Place } from "../../places/place.ts";
import {
  listingsMax,
  type SourceDescription,
  SourceFailure,
  type SourcePage,
  type SourcePort,
  type SourceQuery,
} from "../source.ts";
import { createClient } from "./client.ts";
import { description } from "./description.ts";
import { createDetails } from "./details.ts";
import { createDrift } from "./drift.ts";
import { WebmapFailure } from "./failures.ts";
import { fillIn } from "./fill-in.ts";
import { createListings } from "./listing.ts";
import type { Media } from "./media.ts";
import { readSearch, type WebmapRecord } from "./records.ts";
import { searchUrl } from "./request.ts";
import { createSamples } from "./samples.ts";
import { verdictOn, withholdsFields } from "./verdict.ts";

/** Names that the catalog knows listings by, one list for each of them. */
export type MatchCatalog = (listings: readonly Place[]) => Promise<readonly (readonly string[])[]>;

export type WebmapOptions = {
  outbound: Outbound;
  /** Where the map is, such as `https://maps.example.com`. */
  baseUrl: string;
  /** Requests a second; 0 for no limit. */
  rate: number;
  proxy?: string | undefined;
  /** Where samples of unknown layouts are kept. */
  samplesFolder: string;
  clock: Clock;
  log: Log;
  counter: CounterFactory;
  matchCatalog?: MatchCatalog;
  wait?: Wait;
};

/** Kept back for what comes after the details. */
const marginMs = 1_000;
/** Kept back for the map's answer when a search waits for its turn. */
const answerMs = 3_000;

/**
 * The search protocol of a web map's own page. It behaves: one identity, the operator's rate, a
 * back-off when the map wants it, and a block is reported as a block.
 */
export function createWebmap(options: WebmapOptions): SourcePort & SourceDescription {
  const { outbound, rate, proxy, clock, log, counter, matchCatalog, wait = realWait } = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const drift = createDrift(counter);
  const listingOf = createListings({ base, drift });
  const client = createClient({
    outbound,
    proxy,
    limiter: createRequestLimiter({
      service: "the web map",
      intervalMs: rate > 0 ? 1000 / rate : 0,
      atOnceMax: rate > 0 ? 2 : 16,
      waitingMax: 20,
      clock,
      wait,
    }),
    samples: createSamples({ folder: options.samplesFolder, clock, log }),
    clock,
    counter,
  });
  const details = createDetails({ client, base });

  async function search(
    query: SourceQuery,
    signal: AbortSignal,
    deadlineMs = description.deadlinesMs.search,
  ): Promise<SourcePage> {
    await warmWords();
    signal.throwIfAborted();
    const startedAt = performance.now();
    try {
      const found = await findPage(query, signal, Math.max(0, deadlineMs - answerMs));
      const page = query.extra ? await addDetails(found, query, remaining(startedAt, deadlineMs), signal) : found.page;
      const listings = await withCatalogIds(page.listings);
      log.info(
        { source: "webmap", verdict: page.verdict, listings: listings.length, ms: since(startedAt) },
        "source.answered",
      );
      return { ...page, listings };
    } catch (error) {
      signal.throwIfAborted();
      const failure = asFailure(error);
      const { action, code, message, retryAfterSeconds } = failure;
      const refusal = failure instanceof WebmapFailure ? failure.refusal : undefined;
      log.warn(
        { source: "webmap", class: refusal, action, code, retryAfterSeconds, reason: message, ms: since(startedAt) },
        "source.failed",
      );
      throw failure;
    }
  }

  /** `isTrimmed`: the map withholds fields of these records. */
  type FoundPage = { page: SourcePage; records: readonly WebmapRecord[]; isTrimmed: boolean };

  async function findPage(query: SourceQuery, signal: AbortSignal, patienceMs: number): Promise<FoundPage> {
    const url = searchUrl(base, query);
    const { records, verdict, ...counts } = await client.ask("search", url, signal, readPage, patienceMs);
    drift.records({}, records.length);
    const isTrimmed = withholdsFields(records);
    const media = noMedia(query.extra ? "unavailable" : "not_requested");
    const context = { hl: query.hl, extra: query.extra, observedAt: clock.now() };
    const listings = records.map((record) => listingOf(record, { ...context, isDetail: false, isTrimmed, media }));
    return { page: { listings, verdict, ...counts }, records, isTrimmed };

    function readPage(root: unknown) {
      const answer = readSearch(root);
      const { unreadableCount, rowCount } = answer;
      drift.unreadable(unreadableCount);
      const firstRecords = answer.records.slice(0, listingsMax);
      return { records: firstRecords, verdict: verdictOn(root, answer, query), unreadableCount, rowCount };
    }
  }

  /** With details of each place, or without where they did not come in time: the page is then trimmed. */
  async function addDetails(
    { page, records, isTrimmed }: FoundPage,
    query: SourceQuery,
    budgetMs: number,
    signal: AbortSignal,
  ) {
    if (page.verdict === "empty") return page;
    const { details: found, failure } = await details.fetchAll(page.listings, query, budgetMs, signal);
    if (failure) {
      log.warn({ source: "webmap", code: failure.code, reason: failure.message }, "source.details_failed");
    }
    drift.records({}, found.size);
    const isComplete = found.size === page.listings.length;
    const context = { hl: query.hl, extra: true, observedAt: clock.now() };
    const listings = page.listings.map((listing, index) => {
      const detail = found.get(listing);
      const searched = records[index];
      if (!detail || !searched) return withheldMedia(listing);
      const record = mergedRecord(searched, detail.record);
      return fillIn(listingOf(record, { ...context, isDetail: true, isTrimmed, media: detail.media }), listing);
    });
    return { ...page, listings, verdict: isComplete ? page.verdict : ("trimmed" as const) };
  }

  /** A listing that our own catalog knows carries its id there, so that both are one business. */
  async function withCatalogIds(listings: readonly Place[]): Promise<readonly Place[]> {
    if (!matchCatalog || listings.length === 0) return listings;
    const ids = await matchCatalog(listings).catch((cause: unknown) => {
      throw new SourceFailure("try_again", "source_unavailable", "The catalog's database did not answer.", { cause });
    });
    return listings.map((listing, index) => {
      const known = ids[index] ?? [];
      return known.length > 0 ? { ...listing, [otherIds]: known } : listing;
    });
  }

  return { ...description, search };
}

function noMedia(state: "unavailable" | "not_requested"): Media {
  return { reviewsState: state, reviews: [], photosState: state, photos: [] };
}

/** Requested and not received: the map may have them all the same. */
function withheldMedia(listing: Place): Place {
  return { ...listing, fieldStates: { ...listing.fieldStates, reviews: "not_supplied", photos: "not_supplied" } };
}

/** A detail answer leads; what it lacks and the search answer has, stays. */
function mergedRecord(searched: WebmapRecord, detail: WebmapRecord): WebmapRecord {
  const merged = filledUp(detail, searched);
  const [ofSearch, ofDetail] = [searched[ratingAt], detail[ratingAt]];
  // A rating without its number of reviews is there, and trimmed.
  if (Array.isArray(ofSearch) && Array.isArray(ofDetail)) merged[ratingAt] = filledUp(ofDetail, ofSearch);
  return merged;
}

/** Where a record has its rating, beside the number of reviews and the price. */
const ratingAt = 4;

function filledUp(leading: readonly unknown[], other: readonly unknown[]): unknown[] {
  return Array.from(
    { length: Math.max(leading.length, other.length) },
    (_, index): unknown => leading[index] ?? other[index],
  );
}

function asFailure(error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  return new SourceFailure("try_again", "source_failed", "The web map's answer could not be used.", { cause: error });
}

function remaining(startedAt: number, deadlineMs: number): number {
  return deadlineMs - marginMs - (performance.now() - startedAt);
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
