import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import type { Place } from "../../../places/place.ts";
import { isOpenAt } from "../../../places/render/open-now.ts";
import { withUnavailableMedia } from "../../../places/render/render.ts";
import {
  type FoundPlace,
  type Hit,
  type Limits,
  now as sharedNow,
  type PlaceIndex,
  type Search,
} from "../../../place-index/port.ts";
import { type Bounds, listingsMax, type NamedArea, pagesMax, type SourceQuery } from "../../source.ts";
import { isAnswerable } from "./answerable.ts";
import { atLandmarks, findLandmark, type Landmark, middleAround } from "./landmarks.ts";
import { createLook, walksOf } from "./look.ts";
import { type Leniency, type Look, together } from "./looking.ts";
import { listingOf, recordsOf } from "./make-listing.ts";
import { atNamesakes } from "./namesakes.ts";
import { readArea, type Reading, readQuery } from "./read-query.ts";
import { clipped, namedAreaOf } from "./region.ts";
import { createShapes } from "./shapes.ts";
import { hasPlaces } from "./store.ts";
import { createSurroundings, type Surroundings } from "./surroundings.ts";
import { type OutlinedReading, searchReadings, type Try, tryOut } from "./tries.ts";
import { readMark, walkOn, writeMark } from "./walk.ts";

type SearchOptions = {
  db: Reads;
  index: PlaceIndex;
  /** A search that takes longer answers with what it has found. */
  searchMsMax?: number;
  /** What "open now" goes by. */
  now?: () => Date;
};

/** A page, and whether every place that could be on it was looked at. */
type FoundPage = { listings: Place[]; isComplete: boolean; matching?: number; next?: string | null };
/** The numbers of the places on a page, best first. */
type Choice = { numbers: readonly number[]; isComplete: boolean; matching?: number; next?: string | null };

/** One generation, as a question sees it. */
type View = Surroundings & {
  look: Look;
  walk(search: Search, after: number): Promise<readonly Hit[]>;
  records(numbers: readonly number[]): Promise<ReadonlyMap<number, FoundPlace>>;
};

/** How far matches within bounds are counted: one more than all pages hold shows that there are more. */
const countedMax = pagesMax * listingsMax + 1;
/** So many of the best are looked at for who is open now: all that ten pages can show. */
const openNowMax = pagesMax * listingsMax;
const attemptsMax = 4;
/** The first search may come while the index is opened. */
const firstMs = 10_000;

/** Nothing was imported yet. */
export class NoPlaces extends Error {}

/** Another machine has read a page of a later generation than this one has. */
export class IndexBehind extends Error {}

/** The index has gone on to this generation. */
class OtherGeneration extends Error {
  readonly generation: number;

  constructor(generation: number) {
    super("The place index has another generation.");
    this.generation = generation;
  }
}

/** Answers questions from the place index, each from one generation. */
export function createIndexSearch({ db, index, searchMsMax = 3_000, now = () => new Date() }: SearchOptions) {
  const surroundings = createSurroundings(db);
  const shapes = createShapes(db);

  /** Does the work again on the next generation where the index went on meanwhile. */
  async function onOneGeneration<T>(signal: AbortSignal, work: (view: View) => Promise<T>): Promise<T> {
    const known = surroundings.latest()?.generation;
    // Before its first import a catalog has no index to wait for.
    if (known === undefined && !(await hasPlaces(db))) throw new NoPlaces();
    let generation = known ?? (await index.generation({ signal, until: sharedNow() + firstMs }));
    await surroundings.of(generation);
    const limits = { signal, until: sharedNow() + searchMsMax };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(viewOf(await surroundings.of(generation), limits));
      } catch (error) {
        if (!(error instanceof OtherGeneration) || attempt === attemptsMax) throw error;
        generation = error.generation;
      }
    }
  }

  function viewOf(of: Surroundings, limits: Limits): View {
    const same = <Answer extends { generation: number }>(answer: Answer): Answer => {
      limits.signal.throwIfAborted();
      if (answer.generation !== of.generation) throw new OtherGeneration(answer.generation);
      return answer;
    };
    return {
      ...of,
      look: createLook(async (search) => same(await index.search(search, limits))),
      walk: async (search, after) => same(await index.walk(search, after, limits)).hits,
      async records(numbers) {
        if (numbers.length === 0) return new Map();
        const { places } = same(await index.records(numbers, limits));
        return new Map(places.map((place) => [place.place, place]));
      },
    };
  }

  async function find(query: SourceQuery, signal: AbortSignal): Promise<FoundPage> {
    const page = await onOneGeneration(signal, (view) => findPage(view, query));
    return query.extra ? { ...page, listings: page.listings.map(withUnavailableMedia) } : page;
  }

  async function findPage(view: View, query: SourceQuery): Promise<FoundPage> {
    const { within } = query;
    const { numbers, ...rest } = within ? await chooseInside(view, query, within) : await chooseBest(view, query);
    const records = await view.records(numbers);
    const listings = numbers.flatMap((number) => {
      const found = records.get(number);
      return found ? (listingOf(found, query.hl, view) ?? []) : [];
    });
    return { listings, ...rest };
  }

  /** Everything that matches exactly inside the bounds: what is merely similar would differ from box to box. */
  async function chooseInside(view: View, { q, hl, page }: SourceQuery, bounds: Bounds): Promise<Choice> {
    const { area, after } = bounds;
    // Its places would be none.
    if (area !== undefined && !view.areas.knows(area)) throw new Error(`The catalog has no area ${area} any more.`);
    const readings = await withOutlines(readQuery({ q, hl }, view.areas));
    const tries = readings
      .filter(({ landmark }) => !landmark?.isPostcode)
      .flatMap((reading) => tryOut(reading, "exact", hl) ?? [])
      .map((each) => ({ ...each, regions: each.regions.slice(0, 1).map((region) => clipped(region, bounds)) }));
    if (area !== undefined && after !== undefined) return walkThrough(view, tries, after);
    return countAll(view, tries, page);
  }

  async function findArea(name: string, gl: string | undefined): Promise<NamedArea | undefined> {
    return onOneGeneration(new AbortController().signal, async ({ areas }) => {
      const where = readArea(name, gl, areas);
      return where && namedAreaOf(where);
    });
  }

  async function covers(query: SourceQuery, signal: AbortSignal): Promise<boolean> {
    return onOneGeneration(signal, (view) =>
      isAnswerable(readQuery(query, view.areas), {
        coverage: view.coverage,
        locate: (landmark) => locate(view, landmark),
        hasAny: (reading, leniency) => hasAny(view, reading, { leniency, hl: query.hl }),
      }),
    );
  }

  async function hasAny(
    { look }: View,
    reading: Reading,
    { leniency, hl }: { leniency: Leniency; hl: string },
  ): Promise<boolean> {
    for (const each of (await withOutlines([reading])).flatMap((one) => tryOut(one, leniency, hl) ?? [])) {
      const looking = look({ ...each, limit: 1 });
      while (looking.count() === 0 && looking.hasNext()) await looking.searchNext();
      if (looking.count() > 0) return true;
    }
    return false;
  }

  async function chooseBest(view: View, query: SourceQuery): Promise<Choice> {
    const { coverage, areas } = view;
    const located = await atLandmarks(readQuery(query, areas), (landmark) => locate(view, landmark));
    const isThere = (reading: Reading) => hasAny(view, reading, { leniency: "exact", hl: query.hl });
    const readings = await withOutlines(await atNamesakes(located, coverage, isThere));
    for (const reading of readings) reading.isCovered = coverage.covers(reading.where);
    const wanted = query.page * listingsMax;
    const isOpenNow = readings.some(({ question }) => question.attributes.some(({ id }) => id === "@open_now"));
    const kept = isOpenNow ? Math.max(wanted, openNowMax) : wanted;
    const { found, tried } = await searchReadings(readings, query.hl, (each: Try) =>
      view.look({ ...each, limit: kept }),
    );
    const hits = together(found.map((each) => each.list())).map(({ number }) => number);
    const ordered = isOpenNow ? await openFirst(view, hits.slice(0, kept)) : hits;
    return {
      numbers: ordered.slice(wanted - listingsMax, wanted),
      isComplete: tried.every((each) => each.isComplete()),
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
  async function openFirst(view: View, numbers: readonly number[]): Promise<number[]> {
    const records = await view.records(numbers);
    const moment = now();
    const groups = Map.groupBy(numbers, (number) => {
      const found = records.get(number);
      const states = (found ? recordsOf(found) : []).map(({ record }) => isOpenAt(record, moment));
      return states.find((state) => state !== undefined);
    });
    return [true, undefined, false].flatMap((state) => groups.get(state) ?? []);
  }

  /** Reads what the first search would otherwise wait for. */
  async function warm(signal: AbortSignal): Promise<void> {
    await onOneGeneration(signal, async () => undefined);
  }

  return { find, findArea, covers, warm, hasPlaces: () => hasPlaces(db) };
}

/** The next page of an area, from a mark on. */
async function walkThrough(view: View, tries: readonly Try[], after: string | null): Promise<Choice> {
  const mark = readMark(after);
  if (mark.generation > view.generation) throw new IndexBehind();
  const from = { after: mark.place, limit: listingsMax };
  const { places, last } = await walkOn(view.walk, tries.flatMap(walksOf), from);
  const next = last === null ? null : writeMark({ generation: view.generation, place: last });
  return { numbers: places, isComplete: true, next };
}

/** A page of all that match, and how many they are. */
async function countAll({ look }: View, all: readonly Try[], page: number): Promise<Choice> {
  const tries = all.map((each) => look({ ...each, limit: countedMax }));
  for (const each of tries) await each.searchNext();
  const hits = together(tries.map((each) => each.list()));
  const first = (page - 1) * listingsMax;
  return {
    numbers: hits.slice(first, first + listingsMax).map(({ number }) => number),
    isComplete: tries.every((each) => each.isComplete()),
    matching: hits.length,
  };
}

async function locate(view: View, landmark: Landmark) {
  const numbers = await findLandmark(view.look, landmark);
  const records = await view.records(numbers);
  return middleAround(numbers.flatMap((number) => leadOf(records.get(number))?.record ?? []));
}

function leadOf(found: FoundPlace | undefined) {
  return found && recordsOf(found)[0];
}
