import { boxesAround, type Point } from "../../../geography/points.ts";
import { countryNumber } from "./block.ts";
import { distanceToBounds, type Region, touches } from "./region.ts";
import { groupCellOf } from "./dictionary/buckets.ts";
import type { StoredBlock, StoredGroup } from "./store.ts";

/** What the directory says of a block, without what is in it. */
export type BlockEntry = {
  firstCell: number;
  lastCell: number;
  version: number;
  places: number;
  countries: readonly number[];
  bounds: readonly number[];
  /** Where the dictionary tells of its words; absent for a block that was written before there was one. */
  words: { group: WordGroup; position: number } | undefined;
};

/** A range of blocks that share a dictionary, by their first cells. */
export type WordGroup = { firstCell: number; version: number; blocks: readonly number[] };

/** Neighbors and what lies around all of them; a leaf holds blocks, the others hold nodes. */
type Node = { bounds: number[]; countries: Set<number>; children: readonly Node[]; blocks: readonly BlockEntry[] };

const fanout = 16;

/**
 * The blocks of one generation as a tree: blocks in the order of their cells are mostly neighbors, so sixteen
 * of them have narrow bounds together, and so have sixteen of those. A search touches only what its region does.
 */
export function createDirectory(generation: number, stored: readonly StoredBlock[], groups: readonly StoredGroup[]) {
  const wordsOf = new Map<number, BlockEntry["words"]>();
  for (const group of groups) {
    group.blocks.forEach((block, position) => wordsOf.set(block, { group, position }));
  }
  const blocks = stored.map((block): BlockEntry => ({
    ...block,
    countries: block.countries.map(countryNumber),
    words: wordsOf.get(block.firstCell),
  }));
  const versions = new Map(blocks.map(({ firstCell, version }) => [firstCell, version]));
  const groupVersions = new Map(groups.map(({ firstCell, version }) => [firstCell, version]));
  const root = treeOf(blocks);

  /** The blocks that may hold a place of the region and were not searched before, in the order of their cells. */
  function blocksTouching(region: Region, visited: ReadonlySet<number>): BlockEntry[] {
    const found: BlockEntry[] = [];
    const { country } = region;
    const descend = (node: Node) => {
      if (!touches(region, node.bounds) || (country !== 0 && !node.countries.has(country))) return;
      for (const child of node.children) descend(child);
      for (const entry of node.blocks) {
        if (visited.has(entry.firstCell) || !touches(region, entry.bounds)) continue;
        if (country === 0 || entry.countries.includes(country)) found.push(entry);
      }
    };
    descend(root);
    return found;
  }

  /** Whether the point, or what lies so far around it, is among the places of some block. */
  function hasPlacesAt(point: Point, reachM = 0): boolean {
    const boxes = boxesAround(point, reachM).map((box) => box.map((degrees) => degrees * 1e7));
    const isAmong = ({ bounds }: { bounds: readonly number[] }) => {
      const [minNorth = 0, minEast = 0, maxNorth = 0, maxEast = 0] = bounds;
      return boxes.some(
        ([south = 0, west = 0, north = 0, east = 0]) =>
          north >= minNorth && south <= maxNorth && east >= minEast && west <= maxEast,
      );
    };
    const descend = (node: Node): boolean =>
      isAmong(node) && (node.children.some(descend) || node.blocks.some(isAmong));
    return descend(root);
  }

  /** The block whose cells include this one. */
  function blockAt(cell: number): BlockEntry | undefined {
    const entry = blocks[countUpTo(cell) - 1];
    return entry && cell <= entry.lastCell ? entry : undefined;
  }

  /** The blocks that have a cell of the range. */
  function blocksWithin({ first, last }: { first: number; last: number }): BlockEntry[] {
    const at = blockAt(first);
    const later = blocks.slice(countUpTo(first), countUpTo(last));
    return at ? [at, ...later] : later;
  }

  /** How many blocks begin at this cell or before. */
  function countUpTo(cell: number): number {
    let low = 0;
    let high = blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((blocks[middle]?.firstCell ?? 0) <= cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The version of what a cache keeps under this key; undefined for what is no longer there. */
  function versionOf(key: number): number | undefined {
    return key >= 0 ? versions.get(key) : groupVersions.get(groupCellOf(key));
  }

  const changedBlocks = blocks.filter(({ version }) => version === generation).length;
  return { generation, changedBlocks, blocksTouching, hasPlacesAt, blockAt, blocksWithin, versionOf };
}

export type Directory = ReturnType<typeof createDirectory>;

/** Nearest first; the fullest first where there is no center. */
export function inSearchOrder(entries: readonly BlockEntry[], region: Region): BlockEntry[] {
  return entries
    .map((entry) => ({ entry, away: distanceToBounds(region, entry.bounds) }))
    .sort((a, b) => a.away - b.away || b.entry.places - a.entry.places || a.entry.firstCell - b.entry.firstCell)
    .map(({ entry }) => entry);
}

function treeOf(blocks: readonly BlockEntry[]): Node {
  let level = chunks(blocks).map((some) => around(some, [], some));
  while (level.length > 1) level = chunks(level).map((some) => around(some, some, []));
  return level[0] ?? { bounds: [Infinity, Infinity, -Infinity, -Infinity], countries: new Set(), children: [], blocks };
}

function around(
  parts: readonly { bounds: readonly number[]; countries: Iterable<number> }[],
  children: readonly Node[],
  blocks: readonly BlockEntry[],
): Node {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  const countries = new Set<number>();
  for (const part of parts) {
    const [south = 0, west = 0, north = 0, east = 0] = part.bounds;
    bounds[0] = Math.min(bounds[0] ?? south, south);
    bounds[1] = Math.min(bounds[1] ?? west, west);
    bounds[2] = Math.max(bounds[2] ?? north, north);
    bounds[3] = Math.max(bounds[3] ?? east, east);
    for (const country of part.countries) countries.add(country);
  }
  return { bounds, countries, children, blocks };
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / fanout) }, (_, index) =>
    items.slice(index * fanout, (index + 1) * fanout),
  );
}
