import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import { openGazetteer } from "../../../gazetteer/gazetteer.ts";
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
import { answer, type Answer } from "../../../query/answer.ts";
import { areaNamed } from "../../../query/area-named.ts";
import { correct, isCovered, read, type Reading, type ReaderOptions } from "../../../query/read.ts";
import type { Ask } from "../../../query/search-region.ts";
import type { Interpretation } from "../../../query/spans.ts";
import { answerWithin, type Walk, walksWithin } from "../../../query/within.ts";
import { type Ranked, rankedOf, readingOf, sentenceOf, type Trace } from "../../../query/trace.ts";
import { type Bounds, listingsMax, type NamedArea, pagesMax, type SourceQuery } from "../../source.ts";
import { townReachM } from "./coverage.ts";
import { liesInside } from "./inside.ts";
import { listingOf, recordsOf } from "./make-listing.ts";
import { hasPlaces } from "./store.ts";
import { readMark, walkOn, writeMark } from "./walk.ts";
import { createSurroundings, type Surroundings } from "./surroundings.ts";

type SearchOptions = {
  db: Reads;
  index: PlaceIndex;
  /** A search that takes longer answers with what it has found. */
  searchMsMax?: number;
  /** What "open now" goes by. */
  now?: () => Date;
};

/** A page, and whether every place that could be on it was looked at. */
type FoundPage = { listings: Place[]; isComplete: boolean; matching?: number; next?: string | null; reading?: string };
/** The numbers of the places on a page, best first. */
type Choice = {
  numbers: readonly number[];
  isComplete: boolean;
  matching?: number;
  next?: string | null;
  /** How the question was read, on one line. */
  reading?: string;
};

/** One generation, as a question sees it. */
type View = Surroundings & {
  reader: ReaderOptions;
  ask: Ask;
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

/** A question on its way through the reader and the index. */
export type Explained = Trace & { first: readonly Ranked[] };

/** Nothing was imported yet. */
export class NoPlaces extends Error {}

/** The catalog is the sample, and the question is about another place. */
export class OutsideSample extends Error {}

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
        return await work(await viewOf(await surroundings.of(generation), limits));
      } catch (error) {
        if (!(error instanceof OtherGeneration) || attempt === attemptsMax) throw error;
        generation = error.generation;
      }
    }
  }

  async function viewOf(of: Surroundings, limits: Limits): Promise<View> {
    const same = <Answered extends { generation: number }>(answered: Answered): Answered => {
      limits.signal.throwIfAborted();
      if (answered.generation !== of.generation) throw new OtherGeneration(answered.generation);
      return answered;
    };
    return {
      ...of,
      reader: {
        gazetteer: await openGazetteer(),
        covers: (where) => isWithin(of, where),
        lookup: async (phrases, edits) => same(await index.lookup(phrases, edits, limits)).names,
      },
      ask: async (search) => same(await index.search(search, limits)),
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
    const { numbers, ...rest } = query.within
      ? await chooseWithin(view, query, query.within)
      : await chooseBest(view, query);
    const records = await view.records(numbers);
    const listings = numbers.flatMap((number) => {
      const found = records.get(number);
      return found ? (listingOf(found, query.hl, view) ?? []) : [];
    });
    return { listings, ...rest };
  }

  async function chooseBest(view: View, query: SourceQuery): Promise<Choice> {
    const wanted = query.page * listingsMax;
    const { reading, answered } = await answerTo(view, query, wanted);
    const numbers = answered.hits.map(({ place }) => place);
    const isOpenWanted = isOpenNow(readingOf({ reading, answered }));
    const ordered = isOpenWanted ? await openFirst(view, numbers) : numbers;
    return {
      numbers: ordered.slice(wanted - listingsMax, wanted),
      isComplete: answered.isComplete,
      reading: sentenceOf({ reading, answered }),
    };
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

  /** How a question is read, what is searched for it, and what that finds first. */
  async function explain(query: SourceQuery, signal: AbortSignal): Promise<Explained> {
    return onOneGeneration(signal, async (view) => {
      const { reading, answered } = await answerTo(view, query, listingsMax);
      const records = await view.records(answered.hits.map(({ place }) => place));
      const nameOf = (place: number) => leadOf(records.get(place))?.record.name ?? "";
      return { reading, answered, first: rankedOf(answered.hits, nameOf) };
    });
  }

  async function findArea(q: string, { hl, gl }: { hl: string; gl?: string }): Promise<NamedArea | undefined> {
    return onOneGeneration(new AbortController().signal, async ({ reader }) => {
      const asked = { q, hl, ...(gl === undefined ? {} : { gl }) };
      const reading = await read(asked, reader);
      return areaNamed(reading) ?? (reading.isCorrected ? undefined : areaNamed(await correct(reading, reader)));
    });
  }

  async function covers(query: SourceQuery, signal: AbortSignal): Promise<boolean> {
    return onOneGeneration(signal, async (view) => serves(view, await read(query, view.reader)));
  }

  /** Reads what the first search would otherwise wait for. */
  async function warm(signal: AbortSignal): Promise<void> {
    await onOneGeneration(signal, async () => undefined);
  }

  return {
    find,
    findArea,
    explain,
    covers,
    warm,
    hasPlaces: () => hasPlaces(db),
    isSample: () => (surroundings.latest()?.sampleOf ?? null) !== null,
  };
}

/** Everything that matches exactly inside the bounds: what is merely similar would differ from box to box. */
async function chooseWithin(view: View, { q, hl, page }: SourceQuery, bounds: Bounds): Promise<Choice> {
  const { area, after } = bounds;
  // Its places would be none.
  if (area !== undefined && !view.addresses.knows(area)) throw new Error(`The catalog has no area ${area} any more.`);
  const asked = await read({ q, hl }, view.reader);
  const { interpretations } = asked;
  if (area !== undefined && after !== undefined) {
    const walked = await walkThrough(view, walksWithin(interpretations, bounds), after);
    return { ...walked, reading: likeliest(asked) };
  }
  const { hits, isComplete } = await answerWithin(interpretations, bounds, { ask: view.ask, limit: countedMax });
  const first = (page - 1) * listingsMax;
  const numbers = hits.slice(first, first + listingsMax).map(({ place }) => place);
  return { numbers, isComplete, matching: hits.length, reading: likeliest(asked) };
}

/** Within bounds only the likeliest readings are searched. */
function likeliest(reading: Reading): string {
  return sentenceOf({ reading, answered: { hits: [], isComplete: true, probes: [] } });
}

/** The next page of an area, from a mark on. */
async function walkThrough(view: View, walks: readonly Walk[], after: string | null): Promise<Choice> {
  const mark = readMark(after);
  if (mark.generation > view.generation) throw new IndexBehind();
  const { places, last } = await walkOn(view.walk, walks, { after: mark.place, limit: listingsMax });
  const next = last === null ? null : writeMark({ generation: view.generation, place: last });
  return { numbers: places, isComplete: true, next };
}

/** What was typed is read once more, as mistyped, where nothing is found. */
async function answerTo(
  view: View,
  query: SourceQuery,
  wanted: number,
): Promise<{ reading: Reading; answered: Answer }> {
  const reading = await read(query, view.reader);
  if (view.sampleOf !== null && !serves(view, reading)) throw new OutsideSample();
  const ask = (by: Reading, before: Answer["probes"]) => {
    const limit = by.interpretations.some(isOpenNow) ? Math.max(wanted, openNowMax) : wanted;
    return answer(by.interpretations, { view: by.view, limit, ask: view.ask, before });
  };
  const answered = await ask(reading, []);
  if (answered.hits.length > 0 || reading.isCorrected) return { reading, answered };
  const corrected = await correct(reading, view.reader);
  return { reading: corrected, answered: await ask(corrected, answered.probes) };
}

/** Whether the catalog has data of the where of a question; of the sample, whether all of it lies inside. */
function serves({ sampleOf }: View, reading: Reading): boolean {
  return sampleOf === null ? isCovered(reading) : liesInside(reading, sampleOf);
}

function leadOf(found: FoundPlace | undefined) {
  return found && recordsOf(found)[0];
}

function isOpenNow(meant: Interpretation | undefined): boolean {
  return meant?.attributes.includes("@open_now") === true;
}

function isWithin({ coverage }: Surroundings, where: Parameters<ReaderOptions["covers"]>[0]): boolean {
  if ("country" in where) return coverage.coversCountry(where.country);
  if ("view" in where) return coverage.coversPoint(where.view, { of: "view" });
  const { point, reachM, of } = where;
  return coverage.coversPoint(point, { ...(of === null ? {} : { of }), reachM: townReachM(reachM) });
}
