import type { DatabaseSync } from "node:sqlite";
import { cellMax, cellRangesOf, tilesTouching } from "../geography/cells.ts";
import { type Box, boxesAround, distanceM, type Point } from "../geography/points.ts";
import { type Compiled, createCompiler, type MeetingList } from "./clauses.ts";
import { createJudge, highestRank, type Judge, type Lead } from "./judge.ts";
import { keyOf } from "./keys.ts";
import type { Found, Hit, Search, TilePlaces } from "./port.ts";

type Answers = Omit<Found, "generation">;
import { joined, type Range, within, without } from "./ranges.ts";
import { createReads, otherListsMax, type Row, SearchEnded } from "./reads.ts";
import { allPlaces, firstObject, placesPerCell, tileShift } from "./schema.ts";
import { nameKey } from "./terms.ts";
import { createTop, type Top } from "./top.ts";

/** Lists that lead with no more places together are read as a whole. */
const readWholeMax = 400;
/** A list with no more is read once for all rings. */
const keptMax = 128;
/** So many rows are kept of such lists. */
const keptRowsMax = 4_000;
/** From so many places that lead on they are compared with the list of another clause first. */
const comparedMin = 1_000;
/** The first ring is as wide as holds about so many of the leading clause. */
const firstRingPlaces = 64;
const ringMinM = 100;
/** How dense a list is around the center is taken from as far away. */
const densityRadiusM = 15_000;
/** By quality so many places of a list are read at a time. */
const rankedAtOnce = 128;
const fromBest = { lack: -1, place: 0 };
/** In a window with more tiles nobody counts. */
const tilesMax = 600;
/** So many rows of each list are read at a time on a walk. */
const walkedAtOnce = 512;
const everywhere: Range = [0, Number.MAX_SAFE_INTEGER];

/** What leads a search: a clause with its lists, the best first, or, as null, everything there is. */
type Leading = { clause: Compiled; list: MeetingList }[] | null;
/** Places of which each is judged: what leads to them, the lists of another clause that they must be in, and what was read. */
type Candidates = { leading: Leading; others: readonly number[]; kept: Map<number, readonly Row[]> };

/** Searches one file. `isOver` ends a search between two rows. */
export function createSearcher(db: DatabaseSync, isOver: () => boolean) {
  const compile = createCompiler(db);
  const reads = createReads(db, isOver);
  const findObject = db.prepare("select object from objects where id = ?");

  function listOfObject(id: string): number | undefined {
    const object = findObject.get(id)?.["object"];
    return typeof object === "number" ? firstObject + object : undefined;
  }

  function search(asked: Search): Answers {
    const clauses = asked.all.map(compile);
    if (clauses.some(isUnmet)) return { hits: [], isComplete: true };
    const judge = createJudge(asked, clauses, { ...reads, listOfObject });
    const pass = createPass(judge, asked.limit);
    try {
      // A whole name is worth more than being near.
      const names = asked.whole === null ? [] : readWholeNames(clauses, judge);
      for (const row of names) pass.offer(row, null);
      if (asked.base !== null) offerAnswers(asked, clauses, judge, pass);
      return { hits: pass.top.list(), isComplete: true };
    } catch (error) {
      if (error instanceof SearchEnded) return { hits: pass.top.list(), isComplete: false };
      throw error;
    }
  }

  function readWholeNames(clauses: readonly Compiled[], { needs }: Judge): Row[] {
    const words = clauses.flatMap(({ isWord, must, any }) => (isWord && must ? (any[0]?.text ?? []) : []));
    if (words.length === 0) return [];
    // Of one clause no list led here, so the lists of the place must say that it meets it.
    return reads.byKey(keyOf({ type: "name", text: nameKey(words) }), { ...needs, lists: true });
  }

  function offerAnswers(asked: Search, clauses: readonly Compiled[], judge: Judge, pass: Pass): void {
    const { order, window } = asked;
    const leads = leadsOf(asked, clauses);
    const leading = leadingOf(leads);
    const total = sizeOf(leading);
    if (leads?.some(({ keys }) => keys.length > 0)) return offerByKeys(leads, judge, pass);
    const candidates = { leading, others: othersFor(leads, clauses, total), kept: new Map() };
    if (total <= readWholeMax) return offerRanges(candidates, [everywhere], judge, pass);
    if (order.by === "nearness") return offerByRings(asked, order.center, candidates, judge, pass);
    const inWindow = countIn(leading, window.boxes);
    const isRanked = leading === null || leading.every(({ clause }) => clause.isKind);
    // The rarer what answers is among all of its kind, the longer the way to it by quality.
    if (isRanked && inWindow * inWindow > asked.limit * total) return offerByQuality(leading, judge, pass);
    offerRanges(candidates, rangesOf(window.boxes), judge, pass);
  }

  function offerByKeys(leads: readonly Compiled[], judge: Judge, pass: Pass): void {
    for (const clause of leads)
      for (const key of clause.keys)
        for (const row of reads.byKey(key, judge.needs)) pass.offer(row, { clause, grade: 1 });
  }

  /** Wider and wider, until nothing farther away can be better than the last of those found. Nothing is read twice. */
  function offerByRings(asked: Search, center: Point, candidates: Candidates, judge: Judge, pass: Pass): void {
    const { boxes } = asked.window;
    const { leading } = candidates;
    const farthest = Math.max(...boxes.flatMap((box) => cornersOf(box).map((corner) => away(center, corner))));
    keepSmall(candidates, judge);
    let read: Range[] = [];
    for (let radius = firstRadius(center, leading); ; radius *= 2) {
      const isLast = radius >= farthest / 2;
      const ring = rangesOf(isLast ? boxes : boxesAround(center, radius));
      offerRanges(candidates, without(ring, read), judge, pass);
      const worst = pass.top.worst();
      if (isLast || (worst !== undefined && worst >= judge.boundAt(radius))) return;
      read = joined([...read, ...ring]);
    }
  }

  /** A beginning has dozens of words with few places each: reading their lists takes less time than asking for them ring by ring. */
  function keepSmall({ leading, kept }: Candidates, { needs }: Judge): void {
    let rows = 0;
    for (const { list } of leading ?? []) {
      if (list.places > keptMax || (rows += list.places) > keptRowsMax) continue;
      kept.set(list.list, reads.byList(list.list, everywhere, needs));
    }
  }

  /** From what most is known of on, until nothing that follows can be better: of places worth the same the first win. */
  function offerByQuality(leading: Leading, judge: Judge, pass: Pass): void {
    const ways = leading?.map(({ clause, list }) => ({ list: list.list, lead: { clause, grade: list.grade } }));
    const walks = (ways ?? [{ list: allPlaces, lead: null }]).map((way) => ({
      ...way,
      after: fromBest,
      isDone: false,
    }));
    for (;;) {
      const [next] = walks.filter((each) => !each.isDone).sort((one, other) => one.after.lack - other.after.lack);
      if (!next) return;
      const worst = pass.top.worst();
      if (worst !== undefined && worst >= judge.boundFrom(highestRank - next.after.lack)) return;
      const rows = reads.byQuality(next.list, next.after, rankedAtOnce, judge.needs);
      pass.offerAll(rows, next.lead);
      const last = rows.at(-1);
      next.isDone = rows.length < rankedAtOnce || !last;
      if (last) next.after = { lack: highestRank - last[3], place: last[0] };
    }
  }

  function offerRanges(candidates: Candidates, ranges: readonly Range[], judge: Judge, pass: Pass): void {
    const { leading, others, kept } = candidates;
    const { needs } = judge;
    if (!leading) for (const range of ranges) pass.offerAll(reads.byFacts(range, needs), null);
    // The best first: a place counts by the list that leads to it first.
    for (const { clause, list } of leading ?? []) {
      const lead = { clause, grade: list.grade };
      const known = kept.get(list.list);
      if (known) {
        pass.offerAll(within(known, ranges), lead);
        continue;
      }
      for (const range of ranges) {
        const rows =
          others.length > 0 ? reads.byLists(list.list, range, others, needs) : reads.byList(list.list, range, needs);
        pass.offerAll(rows, lead);
      }
    }
  }

  /** The clause that fewest places meet; several where some of the words are enough; null where any place may answer. */
  function leadsOf({ window, least }: Search, clauses: readonly Compiled[]): readonly Compiled[] | null {
    const size = (clause: Compiled) => clause.keys.length + countIn(leadingOf([clause]), window.boxes);
    const [rarest] = rarestFirst(
      clauses.filter(({ must, hours }) => must && hours.length === 0),
      size,
    );
    if (rarest) return [rarest];
    const words = rarestFirst(
      clauses.filter(({ isWord }) => isWord),
      size,
    );
    // Who meets enough of the words meets one of these.
    return least > 0 ? words.slice(0, words.length - least + 1) : null;
  }

  /** About how many places that lead lie in the boxes. */
  function countIn(leading: Leading, boxes: readonly Box[]): number {
    const total = sizeOf(leading);
    if (total <= readWholeMax) return total;
    const tiles = new Set<number>();
    for (const box of boxes) {
      for (const tile of tilesTouching(box, tileShift)) if (tiles.add(tile).size > tilesMax) return total;
    }
    if (!leading) return reads.countTiles(allPlaces, [...tiles]);
    const counts = leading.map(({ list: { list, places } }) =>
      places <= readWholeMax ? places : reads.countTiles(list, [...tiles]),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  function firstRadius(center: Point, leading: Leading): number {
    const around = countIn(leading, boxesAround(center, densityRadiusM));
    const perSquareM = Math.max(around, 1) / (4 * densityRadiusM * densityRadiusM);
    return Math.max(ringMinM, Math.sqrt(firstRingPlaces / perSquareM) / 2);
  }

  /** The places that answer after one, in the order of their numbers. */
  function walk(asked: Search, after: number): Hit[] {
    const clauses = asked.all.map(compile);
    if (clauses.some(isUnmet)) return [];
    const judge = createJudge(asked, clauses, { ...reads, listOfObject });
    const leading = leadingOf(leadsOf(asked, clauses));
    const hits = new Map<number, Hit>();
    for (const [first, last] of rangesOf(asked.window.boxes)) {
      for (let from = Math.max(first, after + 1); from <= last;) {
        const parts = readNext(leading, [from, last], judge);
        // As far as every list was read.
        const read = parts.map(({ rows }) => (rows.length < walkedAtOnce ? last : (rows.at(-1)?.[0] ?? last)));
        const end = Math.min(last, ...read);
        for (const { rows, lead } of parts) {
          for (const row of rows) {
            const [place, latitudeE7, longitudeE7] = row;
            const score = place <= end && !hits.has(place) ? judge.scoreOf(row, lead) : undefined;
            if (score !== undefined)
              hits.set(place, { place, score, latitude: latitudeE7 / 1e7, longitude: longitudeE7 / 1e7 });
          }
        }
        if (hits.size >= asked.limit) return inOrder(hits).slice(0, asked.limit);
        from = end + 1;
      }
    }
    return inOrder(hits);
  }

  function readNext(leading: Leading, range: Range, { needs }: Judge): { rows: Row[]; lead: Lead }[] {
    if (!leading) return [{ rows: reads.nextOfFacts(range, walkedAtOnce, needs), lead: null }];
    return leading.map(({ clause, list }) => ({
      rows: reads.nextOfList(list.list, range, walkedAtOnce, needs),
      lead: { clause, grade: list.grade },
    }));
  }

  /** How many places lie in the tiles of this size, which is not below that of the table, that touch the boxes. */
  function density(boxes: readonly Box[], shift: number): TilePlaces[] {
    const ranges = rangesOf(boxes).map(([first, last]): Range => [tileOfPlace(first), tileOfPlace(last)]);
    const tiles = new Map<number, number>();
    for (const range of ranges) {
      for (const [tile, places] of reads.tiles(allPlaces, range, shift - tileShift)) tiles.set(tile, places);
    }
    return [...tiles];
  }

  return { search, walk, density };
}

function tileOfPlace(place: number): number {
  return Math.floor(place / (placesPerCell * 2 ** tileShift));
}

type Pass = ReturnType<typeof createPass>;

/** One way through candidates, each of which counts once: where several lists lead to it, by the best. */
function createPass(judge: Judge, limit: number) {
  const top: Top = createTop(limit);
  const seen = new Set<number>();

  function offer(row: Row, lead: Lead): void {
    const [place, latitudeE7, longitudeE7] = row;
    if (seen.has(place)) return;
    const score = judge.scoreOf(row, lead);
    if (score === undefined) return;
    seen.add(place);
    const worst = top.worst();
    if (worst !== undefined && score < worst) return;
    top.offer({ place, score, latitude: latitudeE7 / 1e7, longitude: longitudeE7 / 1e7 });
  }

  function offerAll(rows: readonly Row[], lead: Lead): void {
    for (const row of rows) offer(row, lead);
  }

  return { top, offer, offerAll };
}

function isUnmet({ must, lists, keys, hours }: Compiled): boolean {
  return must && lists.length + keys.length + hours.length === 0;
}

/** The lists of the rarest clause besides the one that leads, where they can be compared with many places at once. */
function othersFor(leads: readonly Compiled[] | null, clauses: readonly Compiled[], total: number): number[] {
  if (leads?.length !== 1 || total < comparedMin) return [];
  const comparable = clauses.filter(
    ({ must, lists, keys, hours }) => must && lists.length <= otherListsMax && keys.length + hours.length === 0,
  );
  const [rarest] = rarestFirst(
    comparable.filter((clause) => clause !== leads[0]),
    (clause) => sizeOf(leadingOf([clause])),
  );
  return rarest?.lists.map(({ list }) => list) ?? [];
}

function leadingOf(leads: readonly Compiled[] | null): Leading {
  if (!leads) return null;
  const all = leads.flatMap((clause) => clause.lists.map((list) => ({ clause, list })));
  return all.sort((one, other) => other.list.grade - one.list.grade);
}

function sizeOf(leading: Leading): number {
  return leading?.reduce((sum, { list }) => sum + list.places, 0) ?? Infinity;
}

function rarestFirst(clauses: readonly Compiled[], size: (clause: Compiled) => number): Compiled[] {
  if (clauses.length < 2) return [...clauses];
  const sized = clauses.map((clause) => ({ clause, size: size(clause) }));
  return sized.sort((one, other) => one.size - other.size).map(({ clause }) => clause);
}

function inOrder(hits: ReadonlyMap<number, Hit>): Hit[] {
  return [...hits.values()].sort((one, other) => one.place - other.place);
}

/** The ranges of places that hold the boxes. */
function rangesOf(boxes: readonly Box[]): Range[] {
  const cells = boxes.flatMap((box): (readonly [number, number])[] =>
    isEarth(box) ? [[0, cellMax]] : cellRangesOf(box),
  );
  const ranges = cells.map(([first, last]): Range => [first * placesPerCell, (last + 1) * placesPerCell - 1]);
  return joined(ranges);
}

function isEarth([south, west, north, east]: Box): boolean {
  return south <= -90 && west <= -180 && north >= 90 && east >= 180;
}

function cornersOf([south, west, north, east]: Box): Point[] {
  return [south, north].flatMap((latitude) => [west, east].map((longitude) => ({ latitude, longitude })));
}

function away(from: Point, to: Point): number {
  return distanceM(from.latitude, from.longitude, to.latitude, to.longitude);
}
