import { setImmediate } from "node:timers/promises";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import type { ScratchFile } from "../../../platform/scratch-file.ts";
import type { Place } from "../../../places/place.ts";
import { type Bounds, listingsMax, type NamedArea, pagesMax, type SourceQuery } from "../../source.ts";
import { isOpenAt } from "../../../places/render/open-now.ts";
import { withUnavailableMedia } from "../../../places/render/render.ts";
import { isAnswerable } from "./answerable.ts";
import { createAreaLoader } from "./area-loader.ts";
import type { Areas } from "./areas.ts";
import { type BlockReadCount, createBlockCache, type Kept, StaleDirectory } from "./block-cache.ts";
import { createBlockIndex } from "./block-index.ts";
import { createByteCache } from "./byte-cache.ts";
import { createDictionary, type KeptPostings } from "./dictionary/lookup.ts";
import { createVocabulary } from "./dictionary/vocabulary.ts";
import type { Directory } from "./directory.ts";
import type { Coverage } from "./coverage.ts";
import { createGenerations, type Generation } from "./generations.ts";
import { readLatestGeneration } from "./latest-generation.ts";
import { type Following, isCommon, listingAsOf } from "./listing-changes.ts";
import { createListings, type Listings } from "./listings.ts";
import { listFromMemory, makeListing } from "./make-listing.ts";
import { shares } from "./memory-shares.ts";
import { atNamesakes } from "./namesakes.ts";
import type { CellRange, PlaceIndex } from "./place-index.ts";
import { createPlaceReader } from "./place-reader.ts";
import { atLandmarks, findLandmark, type Landmark, middleAround } from "./landmarks.ts";
import { readArea, type Reading } from "./read-query.ts";
import type { RecentBlocks } from "./recent-blocks.ts";
import { createRecordCache, type RecordCache } from "./record-cache.ts";
import { type Choice, type Choices, createChoices, createReadings } from "./recent-questions.ts";
import { clipped, namedAreaOf } from "./region.ts";
import type { Leniency } from "./search-block.ts";
import { createShapes } from "./shapes.ts";
import { hasBlocks, readGeneration, readRange } from "./store.ts";
import { together } from "./top.ts";
import { type OutlinedReading, searchReadings, type Try, tryOut } from "./tries.ts";

export { StaleDirectory };
export { createRecentBlocks } from "./recent-blocks.ts";

type SearchOptions = {
  db: Reads;
  /** The memory for areas, listings, the dictionary and blocks together. */
  memoryBytesMax: number;
  /** For so long a generation that was the latest is taken for the latest. */
  trustMs: number;
  /** A search over more reads only the blocks nearest to its center, or the fullest. */
  blocksPerSearchMax?: number;
  /** A search over more blocks looks its words up in the dictionary first. */
  narrowFrom?: number;
  /** A search that takes longer answers with what it has found. */
  searchMsMax?: number;
  /** What "open now" goes by. */
  now?: () => Date;
  onBlockRead?: BlockReadCount;
  /** Where blocks that searches used are remembered for the next start. */
  recentBlocks?: RecentBlocks;
  /** Where records that searches may need are kept; without it every record is read from the database. */
  recordFile?: ScratchFile;
};

/** A page, and whether every place that could be on it was looked at. */
type FoundPage = { listings: Place[]; isComplete: boolean; matching?: number };

type Index = Generation & {
  places: PlaceIndex;
  versionOf: Directory["versionOf"];
  areas: Areas;
  readingsOf: ReturnType<typeof createReadings>;
  choices: Choices;
  coverage: Coverage;
  importTimes: ReadonlyMap<number, Date>;
  follows: Following | undefined;
  listings: Listings;
  records: RecordCache | undefined;
  areaBytes: number;
};

const prefetchMsMax = 10_000;
/** So many of the best are looked at for who is open now: all that ten pages can show. */
const openNowMax = pagesMax * listingsMax;
/** How far matches within bounds are counted: one more than all pages hold shows that there are more. */
const countedMax = pagesMax * listingsMax + 1;
const attemptsMax = 4;
/** A statement needs several turns of the event loop: at ten milliseconds a turn it took 75. */
const workMs = 1;

/**
 * Searches the blocks in memory and reads only the records of the page it answers, as far as their
 * listings were not made before. That read also tells whether an import committed meanwhile, in this
 * process or another; if so, the search is done again on the new blocks. Searches that read nothing
 * look from time to time.
 */
export function createIndexSearch(options: SearchOptions) {
  const {
    db,
    trustMs,
    blocksPerSearchMax = 1_024,
    narrowFrom = 24,
    searchMsMax = 3_000,
    now = () => new Date(),
  } = options;
  const memoryBytesMax = options.memoryBytesMax * shares.kept;
  const memory = createByteCache<Kept & KeptPostings>(blockBytesMax);
  const cache = createBlockCache({
    db,
    kept: memory,
    isNeeded: (firstCell, version) => generations.shown()?.versionOf(firstCell) === version,
    aheadBytesMax: options.memoryBytesMax * shares.ahead,
    onRead: options.onBlockRead,
  });
  const vocabulary = createVocabulary({ db, bytesMax: memoryBytesMax * shares.vocabulary });
  const dictionary = createDictionary({ db, kept: memory, vocabulary });
  const readRecords = createPlaceReader(db);
  const shapes = createShapes(db);
  const loadAreas = createAreaLoader(memoryBytesMax * shares.areas);
  const generations = createGenerations<Index>({
    open,
    fill,
    onShown,
    readLatest: () => readGeneration(db),
    trustMs,
  });
  let pausedAt = performance.now();
  /** What ends the work of a process that reads ahead; others do not. */
  let background: AbortSignal | undefined;

  async function find(query: SourceQuery, signal: AbortSignal): Promise<FoundPage> {
    const page = await findPage(query, signal);
    if (background?.aborted === false) options.recentBlocks?.note(listRecentCells);
    return query.extra ? { ...page, listings: page.listings.map(withUnavailableMedia) } : page;
  }

  async function findPage(query: SourceQuery, signal: AbortSignal): Promise<FoundPage> {
    let current = await generations.current();
    for (let attempt = 1; ; attempt += 1) {
      await pauseAtTimes();
      signal.throwIfAborted();
      generations.ask(current);
      try {
        const { numbers, ...rest } = await choose(current, query, limitsOf(signal));
        signal.throwIfAborted();
        current.listings.trim();
        const listings = listFromMemory(current, numbers, query.hl);
        const missing = numbers.filter((number) => !listings.has(number));
        const askedAt = performance.now();
        if (missing.length > 0 || !generations.isTrusted(current)) {
          const records = await recordsOf(current, missing);
          if (!current.isLeaving) current.seenAt = askedAt;
          for (const number of missing)
            listings.set(number, makeListing(current, number, records.get(number), query.hl));
          current.records?.readAround(missing);
        }
        return { listings: numbers.flatMap((number) => listings.get(number) ?? []), ...rest };
      } catch (error) {
        if (!(error instanceof StaleDirectory) || attempt === attemptsMax) throw error;
      }
      current = await generations.after(current);
    }
  }

  /** A caller that asks one question after another would keep the process from all else while memory has the answers. */
  async function pauseAtTimes() {
    if (performance.now() - pausedAt < workMs) return;
    await setImmediate();
    pausedAt = performance.now();
  }

  async function open(): Promise<Index> {
    const seenAt = performance.now();
    const before = generations.shown();
    const { directory, changed, ...known } = await readLatestGeneration(db, {
      loadAreas,
      before: before?.generation,
    });
    const mayRead = () => !index.isLeaving;
    const index: Index = {
      generation: directory.generation,
      isLeaving: false,
      versionOf: directory.versionOf,
      places: createBlockIndex({ db, directory, cache, dictionary, blocksPerSearchMax, narrowFrom, hasRoom, mayRead }),
      readingsOf: createReadings(known.areas),
      choices: createChoices(),
      listings: createListings({
        bytesMax: () => memoryBytesMax * shares.listings + blockBytesMax() - memory.size().bytes,
      }),
      records:
        options.recordFile &&
        createRecordCache({
          generation: directory.generation,
          file: options.recordFile,
          read: (first, last) => readRange(db, first, last),
          bytesMax: memoryBytesMax * shares.records,
          mayRead: () => background?.aborted === false && !index.isLeaving,
        }),
      seenAt,
      follows: before && changed && { generation: before.generation, changed },
      ...known,
    };
    if (before?.records && changed) index.records?.inherit(before.records, changed);
    if (before && changed && before.areas === index.areas) {
      index.listings.inherit(before.listings, listingAsOf(changed, before.importTimes, index.importTimes));
    }
    return index;
  }

  async function fill(next: Index, before: Index, until: number) {
    const limits = background && { signal: background, until, hasRoom: cache.hasRoomAhead };
    if (limits) await next.places.prefetch(recentRanges(before), limits);
  }

  function onShown(index: Index, before: Index | undefined) {
    const recent = before ? recentRanges(before) : [];
    cache.takeOver();
    memory.retain((key, { version }) => index.versionOf(key) === version);
    prefetch(index.places, recent); // what there was no time for
  }

  function recentRanges({ places }: Index): CellRange[] {
    return places.rangesAt(listRecentCells(Infinity));
  }

  /** Opens the index, and goes on to read the blocks of recent searches until the signal is aborted. */
  async function warm(signal: AbortSignal) {
    background = signal;
    const { places } = await generations.current();
    void options.recentBlocks?.read().then((cells) => prefetch(places, places.rangesAt(cells)));
  }

  /** In the background: what fails here is read by the search that needs it. */
  function prefetch(places: PlaceIndex, ranges: readonly CellRange[]) {
    if (!background || ranges.length === 0) return;
    const until = performance.now() + prefetchMsMax;
    void places.prefetch(ranges, { signal: background, until, hasRoom }).catch(() => undefined);
  }

  function hasRoom(): boolean {
    return memory.size().bytes < blockBytesMax() * shares.prefetch;
  }

  function listRecentCells(limit: number): number[] {
    return memory
      .recentKeys()
      .filter((key) => key >= 0)
      .slice(0, limit);
  }

  async function choose(current: Index, query: SourceQuery, limits: Limits): Promise<Choice> {
    if (query.within) return chooseWithin(current, query, query.within, limits);
    return current.choices.find(query) ?? chooseBest(current, query, limits);
  }

  /** Everything that matches exactly inside the bounds: what is merely similar would differ from box to box. */
  async function chooseWithin(
    { places, readingsOf }: Index,
    { q, hl, page }: SourceQuery,
    bounds: Bounds,
    limits: Limits,
  ): Promise<Choice> {
    const readings = await withOutlines(readingsOf({ q, hl }));
    const tries = readings
      .filter(({ landmark }) => !landmark?.isPostcode)
      .flatMap((reading) => tryOut(reading, "exact", hl) ?? [])
      .map((each) => ({ ...each, regions: each.regions.slice(0, 1).map((region) => clipped(region, bounds)) }))
      .map((each) => places.look({ ...each, limit: countedMax, ...limits }));
    for (const each of tries) await each.searchNext();
    const hits = together(tries.map((each) => each.list()));
    const first = (page - 1) * listingsMax;
    return {
      numbers: hits.slice(first, first + listingsMax).map(({ number }) => number),
      isComplete: tries.every((each) => each.isComplete()),
      matching: hits.length,
    };
  }

  async function findArea(name: string, gl: string | undefined): Promise<NamedArea | undefined> {
    const { areas } = await generations.latest();
    const where = readArea(name, gl, areas);
    return where && namedAreaOf(where);
  }

  async function covers(query: SourceQuery, signal: AbortSignal): Promise<boolean> {
    const current = await generations.latest();
    const limits = limitsOf(signal);
    return isAnswerable(current.readingsOf(query), {
      coverage: current.coverage,
      locate: (landmark) => locate(current, landmark, limits),
      hasAny: (reading, leniency) => hasAny(current, reading, { leniency, hl: query.hl }, limits),
    });
  }

  async function hasAny(
    { places }: Index,
    reading: Reading,
    { leniency, hl }: { leniency: Leniency; hl: string },
    limits: Limits,
  ): Promise<boolean> {
    for (const each of (await withOutlines([reading])).flatMap((one) => tryOut(one, leniency, hl) ?? [])) {
      const looking = places.look({ ...each, limit: 1, ...limits });
      while (looking.count() === 0 && looking.hasNext()) await looking.searchNext();
      if (looking.count() > 0) return true;
    }
    return false;
  }

  async function chooseBest(current: Index, query: SourceQuery, limits: Limits): Promise<Choice> {
    const { places, readingsOf, coverage } = current;
    const located = await atLandmarks(readingsOf(query), (landmark) => locate(current, landmark, limits));
    const isThere = (reading: Reading) => hasAny(current, reading, { leniency: "exact", hl: query.hl }, limits);
    const readings = await withOutlines(await atNamesakes(located, coverage, isThere));
    for (const reading of readings) reading.isCovered = coverage.covers(reading.where);
    const wanted = query.page * listingsMax;
    const isOpenNow = readings.some(({ question }) => question.attributes.some(({ id }) => id === "@open_now"));
    const kept = isOpenNow ? Math.max(wanted, openNowMax) : wanted;
    const look = (each: Try) => places.look({ ...each, limit: kept, ...limits });
    const { found, tried } = await searchReadings(readings, query.hl, look);
    const hits = together(found.map((each) => each.list())).map(({ number }) => number);
    const ordered = isOpenNow ? await openFirst(current, hits.slice(0, kept)) : hits;
    const numbers = ordered.slice(wanted - listingsMax, wanted);
    const isComplete = tried.every((each) => each.isComplete());
    // Who is open changes by the minute, and a search that was cut short may get farther the next time.
    if (isOpenNow || !isComplete) return { numbers, isComplete };
    return current.choices.keep(query, { numbers, isComplete });
  }

  /** Without a pause where no reading has an outline, as most have none. */
  async function withOutlines(readings: readonly Reading[]): Promise<OutlinedReading[]> {
    const outlined: OutlinedReading[] = [];
    for (const reading of readings) {
      const hasOutline = reading.where.kind === "box" && reading.where.shapeKey !== undefined;
      outlined.push({ ...reading, contains: hasOutline ? await shapes.outlineOf(reading.where) : null });
    }
    return outlined;
  }

  async function locate(current: Index, landmark: Landmark, limits: Limits) {
    const numbers = await findLandmark(current.places, landmark, limits);
    const records = numbers.length > 0 ? await recordsOf(current, numbers) : undefined;
    return middleAround(numbers.flatMap((number) => records?.get(number)?.[0]?.record ?? []));
  }

  /** The same places: those that are open, those whose hours nobody knows, those that are closed. */
  async function openFirst(current: Index, numbers: readonly number[]): Promise<number[]> {
    const records = await recordsOf(current, numbers);
    const moment = now();
    const groups = Map.groupBy(numbers, (number) => {
      const states = (records.get(number) ?? []).map(({ record }) => isOpenAt(record, moment));
      return states.find((state) => state !== undefined);
    });
    return [true, undefined, false].flatMap((state) => groups.get(state) ?? []);
  }

  /**
   * Never of two generations: the numbers of one may be other places in the next. One that is leaving also reads those
   * that are the same in the generation that follows.
   */
  async function recordsOf(current: Index, numbers: readonly number[]) {
    if (current.isLeaving && !generations.isTrusted(current)) throw new StaleDirectory();
    const found = await readRecords(numbers);
    if (found.generation === current.generation) return found.records;
    const next = current === generations.shown() ? await generations.after(current) : generations.opened();
    const isNext = next?.generation === found.generation && generations.isTrusted(current);
    if (isNext && isCommon(next.follows, current.generation, numbers)) return found.records;
    throw new StaleDirectory();
  }

  /** What blocks and postings may take together. */
  function blockBytesMax(): number {
    const { areaBytes = 0, records } = generations.shown() ?? {};
    return memoryBytesMax * (1 - shares.listings) - areaBytes - (records?.bytes() ?? 0) - vocabulary.size();
  }

  function memoryBytes(): number {
    const index = generations.shown();
    const own = index ? index.areaBytes + index.listings.bytes() + (index.records?.bytes() ?? 0) : 0;
    return memory.size().bytes + cache.aheadBytes() + own + vocabulary.size();
  }

  function limitsOf(signal: AbortSignal): Limits {
    return { signal, until: performance.now() + searchMsMax };
  }

  return {
    find,
    findArea,
    covers,
    warm,
    hasPlaces: () => hasBlocks(db),
    memoryBytes,
    generation: () => generations.shown()?.generation,
  };
}

/** How long a search may take: until its caller leaves, or with what it has found by a moment. */
type Limits = { signal: AbortSignal; until: number };
