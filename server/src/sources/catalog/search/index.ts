import type { Queryable } from "../../../platform/postgres/database.ts";
import type { Point } from "../../geo.ts";
import type { Contains } from "../../shape.ts";
import { otherIds, type Place } from "../../place.ts";
import { type Bounds, listingsMax, type NamedArea, pagesMax, type SourceQuery } from "../../source.ts";
import { mergeRecords } from "../../open-data/merge.ts";
import { isOpenAt } from "../../open-data/open-now.ts";
import { renderPlace, withUnavailableMedia } from "../../open-data/render.ts";
import { type Areas, createAreas } from "./areas.ts";
import { type BlockReadCount, createBlockCache, StaleDirectory } from "./block-cache.ts";
import { countryNumber } from "./block.ts";
import { openGazetteer } from "./gazetteer.ts";
import { type Coverage, createCoverage } from "./coverage.ts";
import { createListings, type Listings } from "./listings.ts";
import { createPlaceReader } from "./place-reader.ts";
import { correctKind, type Question } from "../../query/question.ts";
import { readArea, type Reading } from "./read-query.ts";
import { createReadings } from "./recent-readings.ts";
import { clipped, distanceToBounds, type Region, regionsOf, touches } from "./region.ts";
import {
  type Candidate,
  canMatter,
  type Leniency,
  offerInside,
  outsidePenalty,
  searchBlock,
  textBoundOf,
} from "./search-block.ts";
import { createShapes } from "./shapes.ts";
import {
  type BlockEntry,
  type Directory,
  type FoundRecord,
  hasBlocks,
  readAreas,
  readDirectory,
  readDataSets,
} from "./store.ts";
import { createTop, together, type Top } from "./top.ts";

type SearchOptions = {
  db: Queryable;
  /** The memory for blocks that were read. */
  cacheBytesMax: number;
  /** For so long a generation that was the latest is taken for the latest. */
  trustMs: number;
  /** A search over more reads only the blocks nearest to its center, or the fullest. */
  blocksPerSearchMax?: number;
  /** What "open now" goes by. */
  now?: () => Date;
  onBlockRead?: BlockReadCount;
};

/** A page, and whether every place that could be on it was looked at. */
type FoundPage = { listings: Place[]; isComplete: boolean; matching?: number };

/** What is known of one generation. */
type Index = {
  directory: Directory;
  areas: Areas;
  readingsOf: ReturnType<typeof createReadings>;
  coverage: Coverage;
  importTimes: ReadonlyMap<number, Date>;
  listings: Listings;
  /** When it was last seen to be the latest, by the process's own clock. */
  seenAt: number;
};

const areasMax = 250_000;
/** So many of the best are looked at for who is open now: all that ten pages can show. */
const openNowMax = pagesMax * listingsMax;
/** How far matches within bounds are counted: one more than all pages hold shows that there are more. */
const countedMax = pagesMax * listingsMax + 1;
const attemptsMax = 4;

/**
 * Searches the blocks in memory and reads only the records of the page it answers, as far as their
 * listings were not made before. That read also tells whether an import committed meanwhile, in this
 * process or another; if so, the search is done again on the new blocks. Where there is nothing to
 * read, it is asked from time to time.
 */
export function createIndexSearch(options: SearchOptions) {
  const { db, cacheBytesMax, trustMs, blocksPerSearchMax = 1_024, now = () => new Date() } = options;
  const cache = createBlockCache({ db, bytesMax: cacheBytesMax, onRead: options.onBlockRead });
  const readRecords = createPlaceReader(db);
  const shapes = createShapes(db);
  let index: Index | undefined;
  let opening: Promise<Index> | undefined;

  async function find(query: SourceQuery, signal: AbortSignal): Promise<FoundPage> {
    const page = await findPage(query, signal);
    return query.extra ? { ...page, listings: page.listings.map(withUnavailableMedia) } : page;
  }

  async function findPage(query: SourceQuery, signal: AbortSignal): Promise<FoundPage> {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const current = index ?? (await open());
      try {
        const { numbers, ...rest } = await choose(current, query, signal);
        signal.throwIfAborted();
        const known = numbers.map((number) => current.listings.find(number, query.hl));
        const unknown = numbers.filter((_, at) => !known[at]);
        const askedAt = performance.now();
        if (unknown.length === 0 && askedAt - current.seenAt < trustMs) {
          return { listings: known as Place[], ...rest };
        }
        const { generation, records } = await readRecords(unknown);
        if (generation === current.directory.generation || attempt === attemptsMax) {
          current.seenAt = askedAt;
          const listingOf = (number: number, at: number) =>
            known[at] ?? makeListing(current, number, records, query.hl) ?? [];
          return { listings: numbers.flatMap(listingOf), ...rest };
        }
      } catch (error) {
        if (!(error instanceof StaleDirectory) || attempt === attemptsMax) throw error;
      }
      if (index === current) index = undefined;
    }
  }

  function open(): Promise<Index> {
    opening ??= read().finally(() => (opening = undefined));
    return opening;
  }

  async function read(): Promise<Index> {
    const seenAt = performance.now();
    const directory = await readDirectory(db);
    const areas = createAreas(await readAreas(db, areasMax), await openGazetteer(), (point) =>
      hasPlacesAt(directory, point),
    );
    const dataSets = await readDataSets(db);
    const importTimes = new Map(dataSets.map(({ id, importedAt }) => [id, importedAt]));
    const coverage = createCoverage(dataSets.map((each) => each.coverage));
    cache.forgetOthers(directory.blocks);
    index = {
      directory,
      areas,
      readingsOf: createReadings(areas),
      coverage,
      importTimes,
      listings: createListings(),
      seenAt,
    };
    return index;
  }

  function choose(current: Index, query: SourceQuery, signal: AbortSignal): Promise<Choice> {
    return query.within ? chooseWithin(current, query, query.within, signal) : chooseBest(current, query, signal);
  }

  /** Everything that matches exactly inside the bounds: what is merely similar would differ from box to box. */
  async function chooseWithin(
    { directory, readingsOf }: Index,
    { q, hl, page }: SourceQuery,
    bounds: Bounds,
    signal: AbortSignal,
  ): Promise<Choice> {
    const readings = await withOutlines(readingsOf({ q, hl }));
    const tries = readings.flatMap((reading) => tryOut(reading, "exact", hl, countedMax) ?? []);
    for (const each of tries) {
      each.regions = each.regions.slice(0, 1).map((region) => clipped(region, bounds));
      await searchNext(directory, each, signal);
    }
    const hits = together(tries.map(({ top }) => top.list()));
    const first = (page - 1) * listingsMax;
    return {
      numbers: hits.slice(first, first + listingsMax).map(({ number }) => number),
      isComplete: tries.every(({ isComplete }) => isComplete),
      matching: hits.length,
    };
  }

  async function findArea(name: string, gl: string | undefined): Promise<NamedArea | undefined> {
    const { areas } = index ?? (await open());
    const where = readArea(name, gl, areas);
    if (where?.kind === "box") return { kind: "box", box: where.box };
    if (where?.kind === "circle") return { kind: "circle", center: where.center, radiusM: where.radiusM };
    return undefined;
  }

  /**
   * Whether the catalog has data of where the question is about. What may be a name and not a far town
   * after all is looked up: "Hotel Paris" may stand in Vaduz.
   */
  async function covers(query: SourceQuery, signal: AbortSignal): Promise<boolean> {
    const { directory, readingsOf, coverage } = index ?? (await open());
    const readings = readingsOf(query);
    if (readings.length === 0 || readings.some(({ where, isAside }) => !isAside && coverage.covers(where))) return true;
    const asides = readings.filter(({ isAside, where }) => isAside && coverage.covers(where));
    for (const each of (await withOutlines(asides)).flatMap((aside) => tryOut(aside, "exact", query.hl, 1) ?? [])) {
      await searchNext(directory, each, signal);
      if (each.top.count() > 0) return true;
    }
    return false;
  }

  async function chooseBest(current: Index, query: SourceQuery, signal: AbortSignal): Promise<Choice> {
    const { directory, readingsOf, coverage } = current;
    const readings = (await withOutlines(readingsOf(query))).map((reading) => ({
      ...reading,
      // What lies around an area without data is another area.
      mayWiden: reading.mayWiden && coverage.covers(reading.where),
    }));
    const wanted = query.page * listingsMax;
    const isOpenNow = readings.some(({ question }) => question.attributes.some(({ id }) => id === "@open_now"));
    const kept = isOpenNow ? Math.max(wanted, openNowMax) : wanted;
    const tried: Try[] = [];
    let found: readonly Try[] = [];
    for (const leniency of leniencies) {
      found = readings.flatMap((reading) => tryOut(reading, leniency, query.hl, kept) ?? []);
      tried.push(...found);
      for (const each of found) await searchNext(directory, each, signal);
      // What is spelled right but lies farther away counts for less than a typo near by.
      if (leniency === "exact" && isNothing(found)) continue;
      for (const each of found) await widen(directory, each, signal);
      if (!isNothing(found)) break;
    }
    const hits = together(found.map(({ top }) => top.list())).map(({ number }) => number);
    const ordered = isOpenNow ? await openFirst(hits.slice(0, kept)) : hits;
    return {
      numbers: ordered.slice(wanted - listingsMax, wanted),
      isComplete: tried.every(({ isComplete }) => isComplete),
    };
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

  /** The same places: those that are open, those whose hours nobody knows, those that are closed. */
  async function openFirst(numbers: readonly number[]): Promise<number[]> {
    const { records } = await readRecords(numbers);
    const moment = now();
    const groups = Map.groupBy(numbers, (number) => {
      const states = (records.get(number) ?? []).map(({ record }) => isOpenAt(record, moment));
      return states.find((state) => state !== undefined);
    });
    return [true, undefined, false].flatMap((state) => groups.get(state) ?? []);
  }

  /**
   * Looks farther, step by step, while less than a page was found; that does not hang on the page
   * asked for. What was only guessed at is not looked for any farther once there is something.
   */
  async function widen(directory: Directory, attempt: Try, signal: AbortSignal) {
    const isSure = attempt.leniency === "exact" || attempt.leniency === "relaxed" || attempt.question.isKind;
    const enough = isSure ? listingsMax : 1;
    while (attempt.top.count() < enough && attempt.regions.length > 0) {
      await searchNext(directory, attempt, signal);
    }
  }

  async function searchNext(directory: Directory, attempt: Try, signal: AbortSignal) {
    const { question, leniency, top, distances, visited } = attempt;
    const region = attempt.regions.shift();
    if (!region) return;
    attempt.outside = offerInside(attempt.outside, region, top);
    const widest = attempt.regions.at(-1) ?? region;
    const outside = widest === region ? undefined : attempt.outside;
    const text = textBoundOf(question);
    const isWanted = ({ bounds }: BlockEntry) => canMatter(region, bounds, text, top);
    const entries = blocksOf(directory, region, visited, blocksPerSearchMax);
    await cache.visit(entries.slice(0, blocksPerSearchMax), signal, isWanted, (block, { bounds, firstCell }) => {
      visited.add(firstCell);
      searchBlock(block, bounds, { question, region, outside, widest, leniency, top, distances });
    });
    if (entries.length > blocksPerSearchMax && entries.slice(blocksPerSearchMax).some(isWanted)) {
      attempt.isComplete = false;
    }
  }

  return {
    find,
    findArea,
    covers,
    open,
    hasPlaces: () => hasBlocks(db),
    cacheSize: cache.size,
    generation: () => index?.directory.generation,
  };
}

/** The numbers of the places on a page, best first, and whether no block that could matter was left out. */
type Choice = { numbers: number[]; isComplete: boolean; matching?: number };

/** A reading on its way through ever wider regions. */
type Try = {
  question: Question;
  leniency: Leniency;
  top: Top;
  /** How far each word is from those it was compared with. */
  distances: Map<string, number>[];
  regions: Region[];
  /** What was found outside of the regions so far, and the blocks that were searched for it. */
  outside: Candidate[];
  visited: Set<number>;
  isComplete: boolean;
};

type OutlinedReading = Reading & { contains: Contains | null };

/** From the strictest on; the next is tried when one finds nothing. */
const leniencies: readonly Leniency[] = ["exact", "typos", "relaxed", "partial"];

/** A reading to search with so much leniency; undefined when it would find what a stricter one found. */
function tryOut(reading: OutlinedReading, leniency: Leniency, hl: string, limit: number): Try | undefined {
  const { question: read, where, contains, mayWiden, mayRelax } = reading;
  if (leniency === "exact" && reading.isCorrected) return undefined;
  if (leniency === "relaxed" && (!mayRelax || read.categories.length === 0 || read.isKind)) return undefined;
  if (leniency === "partial" && read.words.length < 2) return undefined;
  const question = leniency === "typos" ? correctKind(read, hl) : read;
  const regions = regionsOf(where, contains, outsidePenalty(question));
  return {
    question,
    leniency,
    top: createTop(limit),
    distances: question.words.map(() => new Map<string, number>()),
    regions: mayWiden ? regions : regions.slice(0, 1),
    outside: [],
    visited: new Set(),
    isComplete: true,
  };
}

function isNothing(tries: readonly Try[]): boolean {
  return tries.every(({ top }) => top.count() === 0);
}

/** Whether the point lies among the places of some block. */
function hasPlacesAt({ blocks }: Directory, { latitude, longitude }: Point): boolean {
  const [north, east] = [latitude * 1e7, longitude * 1e7];
  return blocks.some(({ bounds: [minNorth = 0, minEast = 0, maxNorth = 0, maxEast = 0] }) => {
    return north >= minNorth && north <= maxNorth && east >= minEast && east <= maxEast;
  });
}

/** The blocks that may hold a place of the region, nearest or fullest first; those that were searched before are left out. */
function blocksOf(
  { blocks }: Directory,
  region: Region,
  visited: ReadonlySet<number>,
  searchedMax: number,
): BlockEntry[] {
  const { country } = region;
  const chosen = blocks.filter(
    ({ bounds, countries, firstCell }) =>
      touches(region, bounds) &&
      (country === 0 || countries.some((code) => countryNumber(code) === country)) &&
      !visited.has(firstCell),
  );
  if (!region.center && chosen.length <= searchedMax) return chosen;
  return chosen
    .map((entry) => ({ entry, away: distanceToBounds(region, entry.bounds) }))
    .sort((a, b) => a.away - b.away || b.entry.places - a.entry.places || a.entry.firstCell - b.entry.firstCell)
    .map(({ entry }) => entry);
}

/** Undefined for a place that was closed after it was found. */
function makeListing(
  { listings, areas, importTimes }: Index,
  number: number,
  records: ReadonlyMap<number, FoundRecord[]>,
  hl: string,
): Place | undefined {
  const [lead, ...others] = records.get(number) ?? [];
  const observedAt = lead && importTimes.get(lead.dataSetId);
  if (!observedAt) return undefined;
  // The record that was there first gives the place its id; OpenStreetMap's says what it is like.
  const [main = lead, ...rest] = [lead, ...others].sort((a, b) => Number(isOsm(b)) - Number(isOsm(a)));
  const record = mergeRecords([main.record, ...rest.map((other) => other.record)]);
  const within = { ...areas.addressAt(record, lead.areas, lead.countryCode), countryCode: lead.countryCode };
  const listing = renderPlace(record, { hl, observedAt, within });
  if (others.length > 0) {
    listing.placeId = lead.record.sourceId;
    listing[otherIds] = others.map((other) => other.record.sourceId);
  }
  listings.keep(number, hl, listing);
  return listing;
}

function isOsm({ record }: FoundRecord): boolean {
  return record.sourceId.startsWith("osm:");
}
