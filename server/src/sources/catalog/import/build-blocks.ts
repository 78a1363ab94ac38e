import { asBinary, takeIntegers } from "../../../platform/postgres/binary-rows.ts";
import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../../platform/postgres/sql.ts";
import { runInOrder } from "../../../data-sets/2-read/index.ts";
import { hasWithin, type Leaf, partition, rangesBetween, blockPlacesMax } from "../../../geography/cell-ranges.ts";
import { discardIndex, type Next } from "../../../data-sets/next-generation/generation.ts";
import type { LeafBlock } from "./pack-leaf.ts";
import { openPacking } from "./packing.ts";
import { readSearched } from "./read-searched.ts";
import type { SearchedColumns } from "./searched-columns.ts";
import {
  createWordWriter,
  groupPlacesMax,
  isSameRange,
  keyOf,
  listGroups,
  listPlacesOf,
  listWritten,
  type Regrouping,
  regroup,
  type StoredGroup,
} from "./build-words.ts";

type Block = Leaf & { places: number };

/** Cells in which records changed, and those of the businesses that merging changed. */
export type ChangedCells = { changed: readonly number[]; merged: readonly number[] };
/**
 * Writes the next generation's blocks where places changed, and what the dictionary says of them; resolves to how
 * many blocks. A range of cells that shares a dictionary is there as a whole or not at all.
 */
export async function rebuildBlocks(
  db: BulkConnection,
  { generation, lastNumber }: Next,
  { changed, merged }: ChangedCells,
  progress: (done: number, total: number) => void | Promise<void>,
): Promise<number> {
  const sorted = Int32Array.from([...changed, ...merged]).sort();
  const isFirst = lastNumber === 0;
  // No record of a first import can have a change beside it.
  const records = isFirst ? sql`catalog_records` : sql`catalog_next_records`;
  const known = await listBlocks(db, generation);
  const untouched = known.filter((block) => isWhole(block) && !hasWithin(sorted, block));
  const counted = await countCells(
    db,
    isFirst ? sql`catalog_records` : recordsWithin(rangesBetween(untouched, sorted)),
  );
  // A block without a change still counts what its row says, and stays whole: it holds no more than it did.
  const counts = [...untouched.map(({ first, places }) => [first, places] as const), ...counted].sort(
    ([one], [other]) => one - other,
  );
  const leaves = partition(counts);
  const ranges = regroup(await listGroups(db, generation), partition(counts, groupPlacesMax), leaves);
  const written = await continueIndex(db, generation, ranges);

  const byFirst = new Map(known.map((block) => [block.first, block]));
  const wanted = new Set(leaves.map(({ first }) => first));
  const plans = ranges.map((range): Plan => {
    const isRegrouped = !isSameRange(range);
    const isStale = (leaf: Leaf) =>
      isRegrouped || byFirst.get(leaf.first)?.last !== leaf.last || hasWithin(sorted, leaf);
    return {
      range,
      stale: leaves.filter((leaf) => leaf.first >= range.first && leaf.last <= range.last && isStale(leaf)),
      gone: range.before.flatMap(({ blocks }) => blocks.filter((first) => !wanted.has(first))),
    };
  });

  // The lookup takes half as long as reading the block, and a first import has followers only where it merged some.
  const mayFollow = !isFirst || merged.length > 0;
  const total = plans.reduce((sum, { stale }) => sum + stale.length, 0);
  const words = createWordWriter(db, generation, { isFirst });
  const isWritten = ({ range }: Plan) => groupsOf(range).every((group) => written.has(keyOf(group)));
  const left = plans.filter((plan) => plan.stale.length + plan.gone.length > 0 && !isWritten(plan));
  const blocksLeft = left.reduce((sum, { stale }) => sum + stale.length, 0);
  let done = total - blocksLeft;
  await deleteLeft(db, generation, left);
  const packing = openPacking(blocksLeft);
  const run = async (leaf: Leaf) => {
    const block = await packing.pack(await readLeaf(db, records, leaf, mayFollow));
    await writeBlock(db, generation, leaf, block);
    return { findings: undefined, output: block };
  };
  // While some blocks are packed, the database reads the places of the next and stores those before, and while the
  // dictionary of a range is written, those of the range after it.
  const stale = left.flatMap((plan) => plan.stale);
  const blocks = runInOrder(stale, { run, tasksMax: packing.blocksAtOnce });
  try {
    for (const plan of left) {
      const replaced = [...plan.gone, ...plan.stale.map(({ first }) => first)];
      const removedPlaces = isSameRange(plan.range) ? await listPlacesOf(db, generation, replaced) : new Set<number>();
      const dictionary = await words.open(plan.range, { rewritten: new Set(replaced), removedPlaces });
      for (const { first } of plan.stale) {
        const next = await blocks.next();
        if (next.done) throw new Error("A block was not written.");
        dictionary.add(first, next.value.output);
        done += 1;
        await progress(done, total);
      }
      await db.execute("begin");
      await dictionary.write();
      await db.query(sql`
        update catalog_blocks
        set replaced_in = ${generation}
        where version < ${generation} and first_cell = any(${replaced}::integer[])
      `);
      await db.execute("commit");
      await words.writeNew({ isLast: false });
    }
  } finally {
    await blocks.return();
    await packing.close();
  }
  // Also what an import that was interrupted has noted.
  await words.writeNew({ isLast: true });
  // Blocks from before there was a dictionary are in no group.
  await db.query(sql`
    update catalog_blocks
    set replaced_in = ${generation}
    where version < ${generation} and replaced_in is null and first_cell <> all(${[...wanted]}::integer[])
  `);
  return total;
}

/** The blocks of a range that are written again, and the first cells of those that leave. */
type Plan = { range: Regrouping; stale: Leaf[]; gone: number[] };

/** Blocks that an import wrote before it was interrupted in one of these ranges. */
async function deleteLeft(db: BulkConnection, generation: number, plans: readonly Plan[]): Promise<void> {
  await db.query(sql`
    delete from catalog_blocks b
    using unnest(
      ${plans.map(({ range }) => range.first)}::integer[],
      ${plans.map(({ range }) => range.last)}::integer[]
    ) as t (first_cell, last_cell)
    where b.version = ${generation} and b.first_cell between t.first_cell and t.last_cell
  `);
}

/** The keys of the groups that an interrupted import has written, if it wrote what is to be written now. */
async function continueIndex(db: BulkConnection, generation: number, ranges: readonly Regrouping[]) {
  const written = await listWritten(db, generation);
  const planned = new Set(ranges.flatMap(groupsOf).map(keyOf));
  if ([...written].every((key) => planned.has(key))) return written;
  await discardIndex(db, generation);
  return new Set<string>();
}

function groupsOf({ before, after }: Regrouping): StoredGroup[] {
  return [...before, ...after];
}

/** False for a block from a time when blocks were larger: it is counted and split again. */
function isWhole({ first, last, places }: Block): boolean {
  return places <= blockPlacesMax || first === last;
}

async function writeBlock(
  db: BulkConnection,
  generation: number,
  leaf: Leaf,
  { places, countries, bounds, bytes }: LeafBlock,
): Promise<void> {
  await db.query(sql`
    insert into catalog_blocks (first_cell, last_cell, version, places, countries, bounds, bytes)
    values (
      ${leaf.first}, ${leaf.last}, ${generation}, ${places}, ${countries}, ${bounds}::integer[],
      ${Buffer.from(bytes.buffer)}
    )
  `);
}

async function readLeaf(
  db: BulkConnection,
  records: Sql,
  { first, last }: Leaf,
  mayFollow: boolean,
): Promise<SearchedColumns[]> {
  const leaders = await readSearched(
    db,
    records,
    sql`cell between ${first} and ${last} and closed_at is null and not superseded and place = number`,
  );
  if (!leaders?.numbers) return [];
  if (!mayFollow) return [leaders];
  const numbers = [...takeIntegers(leaders.numbers.slice())];
  const followers = await readSearched(
    db,
    records,
    sql`place = any(${numbers}::integer[]) and place <> number and closed_at is null and not superseded`,
  );
  return followers?.numbers ? [leaders, followers] : [leaders];
}

/** The cell of every place, as the server keeps it, is read faster than the server groups them. */
async function countCells(db: BulkConnection, records: Sql): Promise<[number, number][]> {
  const statement = sql`
    select string_agg(int4send(cell), ''::bytea)
    from ${records}
    where closed_at is null and not superseded and place = number
  `;
  const { rows } = await db.query<{ cells: Uint8Array<ArrayBuffer> | null }>(asBinary(statement, { cells: "bytea" }));
  const counts: [number, number][] = [];
  for (const cell of takeIntegers(rows[0]?.cells ?? null).sort()) {
    const last = counts.at(-1);
    if (last?.[0] === cell) last[1] += 1;
    else counts.push([cell, 1]);
  }
  return counts;
}

/** Each range is a subquery of its own, because the planner would answer a join on `between` by reading everything. */
function recordsWithin(ranges: readonly Leaf[]): Sql {
  return sql`
    unnest(
      ${ranges.map(({ first }) => first)}::integer[],
      ${ranges.map(({ last }) => last)}::integer[]
    ) as t (first_cell, last_cell)
    cross join lateral (
      select cell, number, place, superseded, closed_at
      from catalog_next_records
      where cell between t.first_cell and t.last_cell and closed_at is null and not superseded
      offset 0
    ) found
  `;
}

/** The blocks that searches read. */
async function listBlocks(db: BulkConnection, generation: number): Promise<Block[]> {
  const { rows } = await db.query<Block>(sql`
    select first_cell as first, last_cell as last, places
    from catalog_blocks
    where version < ${generation}
    order by first_cell
  `);
  return rows;
}
