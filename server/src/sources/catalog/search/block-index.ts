import type { Queryable } from "../../../platform/postgres/database.ts";
import { decodeBlock, encodeBlock } from "./block.ts";
import { readBlockPlaces } from "./block-places.ts";
import { type createBlockCache, type Prefetch, StaleDirectory } from "./block-cache.ts";
import type { createDictionary } from "./dictionary/lookup.ts";
import { type BlockEntry, type Directory, inSearchOrder } from "./directory.ts";
import type { Looking, Lookup, PlaceIndex } from "./place-index.ts";
import { type Candidate, canMatter, offerInside, searchBlock, textBoundOf } from "./search-block.ts";
import { createTop } from "./top.ts";

type BlockIndexOptions = {
  db: Queryable;
  directory: Directory;
  cache: ReturnType<typeof createBlockCache>;
  dictionary: ReturnType<typeof createDictionary>;
  /** A search over more reads only the blocks nearest to its center, or the fullest. */
  blocksPerSearchMax: number;
  /** A search over more looks its words up first. */
  narrowFrom: number;
};

/** A block that is not in memory costs as much as so many places that are read by their numbers. */
const placesPerBlock = 64;
/** Blocks in memory are worth looking words up for only when they are so many times as many. */
const inMemoryFactor = 5;

/** The index as blocks of neighboring places, searched in memory, with a dictionary of their words. */
export function createBlockIndex(options: BlockIndexOptions): PlaceIndex {
  const { db, directory, cache, dictionary, blocksPerSearchMax, narrowFrom } = options;

  function look({ question, leniency, regions, limit, signal, until }: Lookup): Looking {
    const top = createTop(limit);
    /** How far each word is from those it was compared with. */
    const distances = question.words.map(() => new Map<string, number>());
    const widest = regions.at(-1);
    const text = textBoundOf(question);
    /** What was found outside of the regions so far, and the blocks that were searched for it. */
    let outside: Candidate[] = [];
    const visited = new Set<number>();
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
      const isWanted = ({ bounds }: BlockEntry) => canMatter(region, bounds, text, top);

      const touching = directory.blocksTouching(region, visited);
      const { blocks, places } = await narrowed(touching);
      const held = new Set(blocks.map(({ firstCell }) => firstCell));
      const isByPlace = places !== undefined && places.size <= cache.countMissing(blocks) * placesPerBlock;
      if (isByPlace) await searchPlaces(places, held, (block) => searchBlock(block, wholeEarth, search));
      for (const { firstCell } of touching) if (isByPlace || !held.has(firstCell)) visited.add(firstCell);
      if (isByPlace) return;
      // The order decides which blocks are left out, and how soon nothing farther can matter.
      const isOrdered = region.center !== null || blocks.length > blocksPerSearchMax;
      const entries = isOrdered ? inSearchOrder(blocks, region) : blocks;
      const late = await cache.visit(entries.slice(0, blocksPerSearchMax), {
        signal,
        until,
        isWanted,
        search(block, { bounds, firstCell }) {
          visited.add(firstCell);
          searchBlock(block, bounds, search);
        },
      });
      if (late.length > 0 || entries.slice(blocksPerSearchMax).some(isWanted)) isComplete = false;
    }

    async function narrowed(entries: BlockEntry[]) {
      const isBroad = entries.length > Math.min(narrowFrom, blocksPerSearchMax);
      // A few blocks in memory are searched in less time than their words are looked up.
      const isWorthIt = isBroad && (entries.length > narrowFrom * inMemoryFactor || cache.countMissing(entries) > 0);
      const found = isWorthIt && (await dictionary.narrow(entries, question, leniency, directory.generation));
      signal.throwIfAborted();
      return found || { blocks: entries, places: undefined };
    }

    return {
      searchNext,
      hasNext: () => step < regions.length,
      count: top.count,
      list: top.list,
      isComplete: () => isComplete,
    };
  }

  /** Makes a block of just these places, without those of other blocks than the given. */
  async function searchPlaces(
    numbers: ReadonlySet<number>,
    firstCells: ReadonlySet<number>,
    search: (block: ReturnType<typeof decodeBlock>) => void,
  ) {
    if (numbers.size === 0) return;
    const read = await readBlockPlaces(db, [...numbers], directory.generation);
    if (!read) throw new StaleDirectory();
    const places = read.filter(({ cell }) => {
      const entry = directory.blockAt(cell);
      return entry !== undefined && firstCells.has(entry.firstCell);
    });
    search(decodeBlock(encodeBlock(places)));
  }

  function prefetch(cells: readonly number[], limits: Prefetch): Promise<void> {
    return cache.prefetch([...new Set(cells.flatMap((cell) => directory.blockAt(cell) ?? []))], limits);
  }

  return { generation: directory.generation, look, hasPlacesAt: directory.hasPlacesAt, prefetch };
}

const wholeEarth = [-900_000_000, -1_800_000_000, 900_000_000, 1_800_000_000];
