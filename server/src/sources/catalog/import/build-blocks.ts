import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { type BlockPlace, encodeBlock } from "../search/block.ts";
import { cellMax } from "../cells.ts";

/**
 * How many places a block holds at most, unless one cell alone holds more. Smaller blocks are
 * read faster; larger ones mean fewer dictionaries to look a word up in.
 */
export const blockPlacesMax = 8_192;

type Leaf = { first: number; last: number };
type Block = Leaf & { places: number };

/** Rewrites the blocks whose places changed; resolves to how many. */
export async function rebuildBlocks(
  db: BulkConnection,
  generation: number,
  changedCells: readonly number[],
  progress: (done: number, total: number) => void,
): Promise<number> {
  const sorted = Int32Array.from(changedCells).sort();
  const blocks = await listBlocks(db);
  const untouched = blocks.filter((block) => isWhole(block) && !hasWithin(sorted, block));
  const counted = await countCells(db, rangesBetween(untouched, sorted));
  // A block without a change still counts what its row says, and stays whole: it holds no more than it did.
  const counts = [...untouched.map(({ first, places }) => [first, places] as const), ...counted];
  const leaves = partition(counts.sort(([one], [other]) => one - other));
  const kept = new Map(blocks.map((leaf) => [leaf.first, leaf]));
  const stale = leaves.filter((leaf) => kept.get(leaf.first)?.last !== leaf.last || hasWithin(sorted, leaf));

  const wanted = new Set(leaves.map(({ first }) => first));
  const gone = [...kept.keys()].filter((first) => !wanted.has(first));
  const replaced = [...gone, ...stale.map(({ first }) => first)];
  await db.query(sql`delete from catalog_blocks where first_cell = any(${replaced}::integer[])`);
  let done = 0;
  for (const leaf of stale) {
    await writeBlock(db, generation, leaf);
    done += 1;
    progress(done, stale.length);
  }
  return stale.length;
}

/** False for a block from a time when blocks were larger: it is counted and split again. */
function isWhole({ first, last, places }: Block): boolean {
  return places <= blockPlacesMax || first === last;
}

/** Splits the earth in four, and each part again, until no part holds more than a block may. */
export function partition(counts: readonly (readonly [cell: number, places: number])[]): Leaf[] {
  const leaves: Leaf[] = [];
  const divide = (first: number, last: number, from: number, to: number) => {
    if (from === to) return;
    let places = 0;
    for (let index = from; index < to; index += 1) places += counts[index]?.[1] ?? 0;
    if (places <= blockPlacesMax || first === last) {
      leaves.push({ first, last });
      return;
    }
    const quarter = (last - first + 1) / 4;
    let start = from;
    for (let part = 0; part < 4; part += 1) {
      const partLast = first + quarter * (part + 1) - 1;
      let end = start;
      while (end < to && (counts[end]?.[0] ?? 0) <= partLast) end += 1;
      divide(first + quarter * part, partLast, start, end);
      start = end;
    }
  };
  divide(0, cellMax, 0, counts.length);
  return leaves;
}

async function writeBlock(db: BulkConnection, generation: number, leaf: Leaf): Promise<void> {
  const places = await readLeaf(db, leaf);
  const bounds = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
  for (const { latitude, longitude } of places) {
    bounds[0] = Math.min(bounds[0], Math.floor(latitude * 1e7));
    bounds[1] = Math.min(bounds[1], Math.floor(longitude * 1e7));
    bounds[2] = Math.max(bounds[2], Math.ceil(latitude * 1e7));
    bounds[3] = Math.max(bounds[3], Math.ceil(longitude * 1e7));
  }
  const countries = [...new Set(places.map(({ countryCode }) => countryCode))].sort();
  await db.query(sql`
    insert into catalog_blocks (first_cell, last_cell, version, places, countries, bounds, bytes)
    values (
      ${leaf.first}, ${leaf.last}, ${generation}, ${places.length}, ${countries}, ${bounds}::integer[],
      ${encodeBlock(places)}
    )
  `);
}

type PlaceRow = {
  number: number;
  latitude: number;
  longitude: number;
  country_code: string;
  rank: number;
  name_words: string;
  other_words: string;
  categories: string[];
};

type FollowerRow = Pick<PlaceRow, "rank" | "categories"> & { place: number; words: string };

async function readLeaf(db: BulkConnection, { first, last }: Leaf): Promise<BlockPlace[]> {
  const { rows } = await db.query<PlaceRow>(sql`
    select number, latitude, longitude, country_code, rank, name_words, other_words, categories
    from catalog_records
    where cell between ${first} and ${last}
      and closed_at is null
      and not superseded
      and place = number
    order by number
  `);
  const { rows: followers } = await db.query<FollowerRow>(sql`
    select m.place, m.rank, m.categories, m.name_words || ' ' || m.other_words as words
    from catalog_records r
    join catalog_records m on m.place = r.number and m.number <> r.number
    where r.cell between ${first} and ${last}
      and r.closed_at is null
      and not r.superseded
      and m.closed_at is null
      and not m.superseded
    order by m.number
  `);
  const byPlace = Map.groupBy(followers, ({ place }) => place);
  return rows.map((row) => {
    const others = byPlace.get(row.number) ?? [];
    const rank = Math.max(row.rank, ...others.map((other) => other.rank)) + (others.length > 0 ? 20 : 0);
    return {
      number: row.number,
      latitude: row.latitude,
      longitude: row.longitude,
      countryCode: row.country_code,
      rank: Math.min(255, rank),
      nameWords: split(row.name_words),
      otherWords: [...split(row.other_words), ...others.flatMap(({ words }) => split(words))],
      categories: [...new Set([...row.categories, ...others.flatMap(({ categories }) => categories)])],
    };
  });
}

/** The ranges of cells around the untouched blocks, of those only the ones in which something changed. */
function rangesBetween(untouched: readonly Leaf[], changed: Int32Array): Leaf[] {
  const bounds = [-1, ...untouched.flatMap(({ first, last }) => [first, last]), cellMax + 1];
  const ranges: Leaf[] = [];
  for (let index = 0; index < bounds.length; index += 2) {
    const range = { first: (bounds[index] ?? 0) + 1, last: (bounds[index + 1] ?? 0) - 1 };
    if (hasWithin(changed, range)) ranges.push(range);
  }
  return ranges;
}

async function countCells(db: BulkConnection, ranges: readonly Leaf[]): Promise<[number, number][]> {
  const { rows } = await db.query<{ cells: number[] | null; counts: number[] | null }>(sql`
    select array_agg(counted.cell order by counted.cell) as cells,
      array_agg(counted.places order by counted.cell) as counts
    from unnest(
      ${ranges.map(({ first }) => first)}::integer[],
      ${ranges.map(({ last }) => last)}::integer[]
    ) as t (first_cell, last_cell)
    cross join lateral (
      select cell, count(*)::integer as places
      from catalog_records
      where cell between t.first_cell and t.last_cell
        and closed_at is null
        and not superseded
        and place = number
      group by cell
    ) counted
  `);
  const { cells, counts } = rows[0] ?? { cells: [], counts: [] };
  return (cells ?? []).map((cell, index) => [cell, counts?.[index] ?? 0]);
}

async function listBlocks(db: BulkConnection): Promise<Block[]> {
  const { rows } = await db.query<Block>(sql`
    select first_cell as first, last_cell as last, places
    from catalog_blocks
    order by first_cell
  `);
  return rows;
}

function hasWithin(sorted: Int32Array, { first, last }: Leaf): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && (sorted[low] ?? 0) <= last;
}

function split(words: string): string[] {
  return words.split(" ").filter((word) => word !== "");
}
