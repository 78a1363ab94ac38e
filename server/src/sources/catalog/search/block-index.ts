import type { Queryable } from "../../../platform/postgres/database.ts";
import { type Block, decodeBlock } from "./block.ts";
import { encodeBlock } from "./pack-block.ts";
import { readBlockPlaces } from "./block-places.ts";
import { type createBlockCache, type Prefetch, StaleDirectory } from "./block-cache.ts";
import type { createDictionary } from "./dictionary/lookup.ts";
import { type BlockEntry, type Directory, inSearchOrder } from "./directory.ts";
import type { CellRange, Looking, Lookup, PlaceIndex } from "./place-index.ts";
import { type BlockSearch, type Candidate, canMatter, offerInside, searchBlock, textBoundOf } from "./search-block.ts";
import { createTop, type Hit } from "./top.ts";

type BlockIndexOptions = {
  db: Queryable;
  directory: Directory;
  cache: ReturnType<typeof createBlockCache>;
  dictionary: ReturnType<typeof createDictionary>;
  /** A search over more reads only the blocks nearest to its center, or the fullest. */
  blocksPerSearchMax: number;
  /** A search over more looks its words up first. */
  narrowFrom: number;
  /** Whether blocks that are read push out no others. */
  hasRoom(): boolean;
  /** False once a later generation was seen: what is not in memory then makes a search stale. */
  mayRead(): boolean;
};

/** Blocks in memory are worth a question to the database only when they are so many times as many. */
const inMemoryFactor = 5;
/** How many candidates are compared with what their records say, at first and at most. */
const comparedFirst = 64;
const comparedMax = 1_024;

/** The index as blocks of neighboring places, searched in memory, with a dictionary of their words. */
export function createBlockIndex(options: BlockIndexOptions): PlaceIndex {
  const { db, directory, cache, dictionary, blocksPerSearchMax, narrowFrom, hasRoom, mayRead } = options;

  function look({ question, leniency, regions, limit, signal, until }: Lookup): Looking {
    const top = createTop(limit);
    /** How far each word is from those it was compared with. */
    const distances = question.words.map(() => new Map<string, number>());
    const widest = regions.at(-1);
    const text = textBoundOf(question);
    const isByWordsAlone = question.categories.length === 0 && leniency === "exact";
    /** Its words need not be there, so the dictionary tells only where there is the kind. */
    const isKind = question.categories.length > 0 && (question.restMask === 0 || leniency === "relaxed");
    /** What was found outside of the regions so far, and the blocks that were searched for it. */
    let outside: Candidate[] = [];
    const visited = new Set<number>();
    /** Places that may answer, with scores that may be too high, and those of them that were compared. */
    const uncertain: Block[] = [];
    const compared = new Set<number>();
    let step = 0;
    let isComplete = true;

    async function searchNext() {
      const region = regions[step];
      if (!region || !widest) return;
      step += 1;
      outside = offerInside(outside, region, top);
      const search = {
        question,
        region,
        outside: widest === region ? undefined : outside,
        widest,
        leniency,
        top,
        distances,
      };
      const touching = directory.blocksTouching(region, visited);
      const found = isWorthNarrowing(touching)
        ? await dictionary.narrow(touching, { question, leniency, generation: directory.generation, mayRead })
        : undefined;
      signal.throwIfAborted();
      const candidates = found?.candidates(listSeen());
      if (candidates?.isExact) searchBlock(candidates.block, wholeEarth, search);
      else if (candidates) uncertain.push(candidates.block);
      for (const block of uncertain) await compare(block, search);
      if (!candidates) await searchBlocks(touching, found?.blocks() ?? touching, search);
      else if (step < regions.length) markGroups(touching);
    }

    /** Whether looking the words up costs less than searching these blocks. */
    function isWorthNarrowing(entries: readonly BlockEntry[]): boolean {
      const isMany = entries.length > Math.min(narrowFrom, blocksPerSearchMax);
      // What is read while there is room serves the next search; after that it pushes out what others need.
      if (!isMany && (isKind || hasRoom())) return false;
      if (isMany && isByWordsAlone) return true;
      return entries.length > narrowFrom * inMemoryFactor || cache.countMissing(entries) > 0;
    }

    /** What was found so far; a search that goes on has found less than it keeps. */
    function listSeen(): Set<number> {
      return new Set([...top.list(), ...outside].map(({ number }) => number));
    }

    /** The candidates were those of all blocks of the groups. */
    function markGroups(entries: readonly BlockEntry[]) {
      for (const group of new Set(entries.map(({ words }) => words?.group))) {
        for (const firstCell of group?.blocks ?? []) visited.add(firstCell);
      }
    }

    /** The others have none of the words. */
    function markOthers(touching: readonly BlockEntry[], holders: readonly BlockEntry[]) {
      const cells = new Set(holders.map(({ firstCell }) => firstCell));
      for (const { firstCell } of touching) if (!cells.has(firstCell)) visited.add(firstCell);
    }

    /** Compares candidates with what their records say; mostly the best few settle it, and the others need no order. */
    async function compare(block: Block, search: BlockSearch) {
      for (const most of [comparedFirst + comparedMax, Infinity]) {
        const bounds = createTop(most);
        searchBlock(block, wholeEarth, { ...search, top: bounds, outside: undefined });
        const hits = bounds.list();
        if ((await compareHits(hits, search)) || hits.length < most) return;
      }
    }

    /** The best first; resolves to whether no other can make it to the top. */
    async function compareHits(listed: readonly Hit[], search: BlockSearch): Promise<boolean> {
      const hits = listed.filter(({ number }) => !compared.has(number));
      for (let at = 0, count = comparedFirst; at < hits.length; at += count, count = comparedMax) {
        const worst = top.worst();
        if (worst !== undefined && (hits[at]?.score ?? 0) < worst) return true;
        if (performance.now() > until) {
          isComplete = false;
          return true;
        }
        const numbers = hits.slice(at, at + count).map(({ number }) => number);
        if (!mayRead()) throw new StaleDirectory();
        const places = await readBlockPlaces(db, numbers, directory.generation);
        signal.throwIfAborted();
        if (!places) throw new StaleDirectory();
        for (const number of numbers) compared.add(number);
        searchBlock(decodeBlock(encodeBlock(places)), wholeEarth, { ...search, outside: undefined });
      }
      return false;
    }

    async function searchBlocks(touching: readonly BlockEntry[], blocks: readonly BlockEntry[], search: BlockSearch) {
      const { region } = search;
      const isWanted = ({ bounds }: BlockEntry) => canMatter(region, bounds, text, top);
      if (blocks !== touching) markOthers(touching, blocks);
      // The order decides which blocks are left out, and how soon nothing farther can matter.
      const isOrdered = region.center !== null || blocks.length > blocksPerSearchMax;
      const entries = isOrdered ? inSearchOrder(blocks, region) : blocks;
      const late = await cache.visit(entries.slice(0, blocksPerSearchMax), {
        signal,
        until,
        mayRead,
        isWanted,
        search(block, { bounds, firstCell }) {
          visited.add(firstCell);
          searchBlock(block, bounds, search);
        },
      });
      if (late.length > 0 || entries.slice(blocksPerSearchMax).some(isWanted)) isComplete = false;
    }

    return {
      searchNext,
      hasNext: () => step < regions.length,
      count: top.count,
      list: top.list,
      isComplete: () => isComplete,
    };
  }

  function rangesAt(cells: readonly number[]): CellRange[] {
    const blocks = new Set(cells.flatMap((cell) => directory.blockAt(cell) ?? []));
    return [...blocks].map(({ firstCell, lastCell }) => ({ first: firstCell, last: lastCell }));
  }

  function prefetch(ranges: readonly CellRange[], limits: Prefetch): Promise<void> {
    return cache.prefetch([...new Set(ranges.flatMap(directory.blocksWithin))], limits);
  }

  return { generation: directory.generation, look, hasPlacesAt: directory.hasPlacesAt, rangesAt, prefetch };
}

const wholeEarth = [-900_000_000, -1_800_000_000, 900_000_000, 1_800_000_000];
