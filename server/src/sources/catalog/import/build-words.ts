import { asBinary } from "../../../platform/postgres/binary-rows.ts";
import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { copyText } from "../../../platform/postgres/copy-text.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { runInOrder } from "../../../data-sets/2-read/index.ts";
import { decodeBlock } from "../search/block.ts";
import { categoryMark } from "../search/dictionary/buckets.ts";
import { createPostings, type GroupPostings } from "../search/dictionary/create-postings.ts";
import { decodePostings, type Postings, wordAt } from "../search/dictionary/postings.ts";
import type { Leaf } from "../../../geography/cell-ranges.ts";
import type { LeafBlock } from "./pack-leaf.ts";
import { addBlock, addKept } from "../search/dictionary/collect-words.ts";

/** How many places share a dictionary: smaller groups are rewritten faster, larger ones mean fewer rows for a search. */
export const groupPlacesMax = 262_144;

export type StoredGroup = Leaf & { blocks: readonly number[] };

/** Old and new groups over one range of cells: the same group before and after, or one divided, or some united. */
export type Regrouping = Leaf & { before: StoredGroup[]; after: StoredGroup[] };

export function isSameRange({ before, after }: Pick<Regrouping, "before" | "after">): boolean {
  const [old, fresh] = [before[0], after[0]];
  return before.length === 1 && after.length === 1 && old?.first === fresh?.first && old?.last === fresh?.last;
}

/** Lines the groups up; a quarter of the earth holds or lies in another, or they share nothing. */
export function regroup(before: readonly StoredGroup[], after: readonly Leaf[], leaves: readonly Leaf[]): Regrouping[] {
  const all = [
    ...before.map((group) => ({ group, isNew: false })),
    ...after.map((leaf) => ({
      group: { ...leaf, blocks: leaves.filter((each) => isWithin(each, leaf)).map(({ first }) => first) },
      isNew: true,
    })),
  ].sort((a, b) => a.group.first - b.group.first || b.group.last - a.group.last);
  const ranges: Regrouping[] = [];
  for (const { group, isNew } of all) {
    let range = ranges.at(-1);
    if (!range || group.first > range.last) {
      range = { first: group.first, last: group.last, before: [], after: [] };
      ranges.push(range);
    }
    (isNew ? range.after : range.before).push(group);
  }
  return ranges;
}

/** Writes the dictionaries of the blocks that the import rewrites. */
export function createWordWriter(db: BulkConnection, generation: number, { isFirst }: { isFirst: boolean }) {
  const changes = new Map<string, number>();
  /** Notes since new words were last written, and those that were left then. */
  let [freshNotes, keptNotes] = [0, 0];

  /**
   * Replaces the groups of a range. In one that stays the same range, blocks that are not written again keep
   * the words they had, without the places that the others held; elsewhere every block is written.
   */
  async function open(
    range: Regrouping,
    { rewritten, removedPlaces }: { rewritten: ReadonlySet<number>; removedPlaces: ReadonlySet<number> },
  ) {
    const groups = range.after.map((group) => ({ ...group, postings: createPostings(group.blocks.length) }));
    for (const old of range.before) {
      const [same] = isSameRange(range) ? groups : [];
      const positions = new Map(same?.blocks.map((first, position) => [first, position]));
      const kept = old.blocks.map((first) => (rewritten.has(first) ? undefined : positions.get(first)));
      for (const row of await readWords(db, old, generation)) {
        for (let index = 0; index < row.count; index += 1) count(wordAt(row, index), -1);
        if (same) addKept(same.postings, row, { kept, removedPlaces });
      }
    }

    return {
      /** Adds a block; those of a group come in their order. */
      add(first: number, { bytes, signatures, kinds }: LeafBlock) {
        const block = decodeBlock(bytes);
        for (const { blocks, postings } of groups) {
          const position = blocks.indexOf(first);
          if (position >= 0) addBlock(postings, position, block, { signatures, kinds });
        }
      },
      async write(): Promise<void> {
        await replace(range.before, groups);
        await flush();
      },
    };
  }

  async function replace(before: readonly StoredGroup[], after: readonly WrittenGroup[]): Promise<void> {
    const old = before.map(({ first }) => first);
    await db.query(sql`
      update catalog_word_groups
      set replaced_in = ${generation}
      where version < ${generation} and first_cell = any(${old}::integer[])
    `);
    for (const { first, last, blocks, postings } of after) {
      for (const word of postings.words()) count(word, 1);
      await db.query(sql`
        insert into catalog_word_groups (first_cell, last_cell, version, blocks)
        values (${first}, ${last}, ${generation}, ${blocks}::integer[])
      `);
      const run = async (rows: Rows) => ({ findings: undefined, output: await insertPostings(first, rows) });
      // While the database stores some rows, the next are packed.
      for await (const _ of runInOrder(batchesOf(postings.encode()), { run, tasksMax: 2 }));
    }
  }

  /** As one value of which each row takes its part: the driver writes an array of bytes as a text of twice the length. */
  async function insertPostings(group: number, rows: Rows): Promise<void> {
    const lengths = rows.map(([, bytes]) => bytes.length);
    let end = 1;
    await db.query(sql`
      insert into catalog_word_postings (bucket, group_cell, version, bytes)
      select bucket, ${group}, ${generation}, substring(${Buffer.concat(rows.map(([, bytes]) => bytes))}::bytea, start, length)
      from unnest(
        ${rows.map(([bucket]) => bucket)}::smallint[],
        ${lengths.map((length) => (end += length) - length)}::integer[],
        ${lengths}::integer[]
      ) as written (bucket, start, length)
    `);
  }

  function count(word: string, by: number) {
    if (!word.startsWith(categoryMark)) changes.set(word, (changes.get(word) ?? 0) + by);
  }

  /** Notes by how many groups more or less hold each word. */
  async function flush(): Promise<void> {
    const changed = [...changes].filter(([, by]) => by !== 0);
    changes.clear();
    async function* rows() {
      for (const [word, by] of changed) yield [generation, word.length, word, by];
    }
    freshNotes += await db.copy("catalog_word_changes (generation, length, word, groups)", copyText(rows()));
  }

  /**
   * Writes the words that are new, once for many groups: changing a word's row for each of its groups took the server
   * 25 µs. Searches read the other words, so those are counted after the switch; notes of them are gone through again
   * only when as many have come.
   */
  async function writeNew({ isLast }: { isLast: boolean }): Promise<void> {
    if (!isLast && freshNotes < Math.max(notesAtOnce, keptNotes)) return;
    const isDone = isFirst
      ? sql`true`
      : sql`not exists (
          select
          from sums
          where sums.version < ${generation} and sums.length = noted.length and sums.word = noted.word
        )`;
    const { rowCount: deleted } = await db.query(sql`
      with sums as materialized (
        select noted.length, noted.word, noted.groups, known.version
        from (
          select length, word, sum(groups)::integer as groups
          from catalog_word_changes
          group by length, word
        ) noted
        left join catalog_words known using (length, word)
      ),
      added as (
        insert into catalog_words (length, word, groups, version)
        select length, word, groups, ${generation}
        from sums
        where version is null and groups > 0
        order by length, word
      ),
      counted as (
        update catalog_words known
        set groups = known.groups + sums.groups
        from sums
        where sums.version = ${generation} and known.length = sums.length and known.word = sums.word
      )
      delete from catalog_word_changes noted
      where ${isDone}
    `);
    keptNotes += freshNotes - deleted;
    freshNotes = 0;
  }

  return { open, writeNew };
}

type WrittenGroup = StoredGroup & { postings: GroupPostings };

type Rows = [bucket: number, bytes: Buffer][];

const notesAtOnce = 500_000;
const bytesAtOnce = 1 << 20;

function* batchesOf(rows: Iterable<Rows[number]>): Generator<Rows, void, undefined> {
  let batch: Rows = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += row[1].length;
    if (bytes < bytesAtOnce) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** The groups that searches read. */
export async function listGroups(db: BulkConnection, generation: number): Promise<StoredGroup[]> {
  const { rows } = await db.query<StoredGroup>(sql`
    select first_cell as first, last_cell as last, blocks
    from catalog_word_groups
    where version < ${generation}
    order by first_cell
  `);
  return rows;
}

/** The keys of the groups that an interrupted import has written for the next generation, and of those it replaced. */
export async function listWritten(db: BulkConnection, generation: number): Promise<Set<string>> {
  const { rows } = await db.query<StoredGroup>(sql`
    select first_cell as first, last_cell as last, blocks
    from catalog_word_groups
    where version = ${generation} or replaced_in = ${generation}
  `);
  return new Set(rows.map(keyOf));
}

export function keyOf({ first, last, blocks }: StoredGroup): string {
  return [first, last, ...blocks].join(" ");
}

/** The places that the blocks held until now. */
export async function listPlacesOf(
  db: BulkConnection,
  generation: number,
  firstCells: readonly number[],
): Promise<Set<number>> {
  const numbers = new Set<number>();
  for (const first of firstCells) {
    const statement = sql`
      select bytes
      from catalog_blocks
      where first_cell = ${first} and version < ${generation}
    `;
    const { rows } = await db.query<{ bytes: Uint8Array }>(asBinary(statement, { bytes: "bytea" }));
    for (const { bytes } of rows) for (const number of decodeBlock(bytes).numbers) numbers.add(number);
  }
  return numbers;
}

async function readWords(db: BulkConnection, { first }: StoredGroup, generation: number): Promise<Postings[]> {
  const statement = sql`
    select bytes
    from catalog_word_postings
    where group_cell = ${first} and version < ${generation}
    order by bucket
  `;
  const { rows } = await db.query<{ bytes: Uint8Array }>(asBinary(statement, { bytes: "bytea" }));
  return rows.map(({ bytes }) => decodePostings(bytes));
}

function isWithin(inner: Leaf, outer: Leaf): boolean {
  return inner.first >= outer.first && inner.last <= outer.last;
}
