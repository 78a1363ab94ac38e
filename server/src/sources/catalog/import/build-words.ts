import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { type BlockLists, type BlockPlace, countryNumber, decodeBlock, degreesE7 } from "../search/block.ts";
import { categoryMark, kindNumber, kindSign, wordSign } from "../search/dictionary/buckets.ts";
import {
  createPostings,
  decodePostings,
  listPostings,
  nameLengthMax,
  type PostedPlace,
  rareMax,
} from "../search/dictionary/postings.ts";
import type { Leaf } from "./build-blocks.ts";

/** How many places share a dictionary: smaller groups are rewritten faster, larger ones mean fewer rows for a search. */
export const groupPlacesMax = 262_144;

/** For each word of a block the places that have it; undefined for more than can be rare, and for categories. */
export type BlockWords = ReadonlyMap<string, readonly PostedPlace[] | undefined>;

export type StoredGroup = Leaf & { blocks: readonly number[] };

/** Old and new groups over one range of cells: the same group before and after, or one divided, or some united. */
export type Regrouping = Leaf & { before: StoredGroup[]; after: StoredGroup[] };

export function isSameRange({ before, after }: Pick<Regrouping, "before" | "after">): boolean {
  const [old, fresh] = [before[0], after[0]];
  return before.length === 1 && after.length === 1 && old?.first === fresh?.first && old?.last === fresh?.last;
}

/** What the places of a block are found by, as the dictionary knows them. */
export function wordsOfBlock(places: readonly BlockPlace[], lists: BlockLists): BlockWords {
  const signatures = signaturesOf(lists, places.length);
  // Twice, as a word of the name knows it and as another does.
  const posted = places.flatMap((place, position) => {
    const own = postedPlace(place, lists.nameLengths[position] ?? 0, signatures[position] ?? 0);
    return [{ ...own, isOwnName: false }, own];
  });
  const words = new Map<string, PostedPlace[] | undefined>();
  for (const [word, list] of lists.words) words.set(word, list.length > rareMax ? undefined : pick(posted, list));
  for (const id of lists.categories.keys()) words.set(categoryMark + id, undefined);
  return words;
}

function pick(posted: readonly PostedPlace[], list: readonly number[]): PostedPlace[] {
  const picked: PostedPlace[] = [];
  for (const posting of list) {
    const place = posted[posting];
    if (place) picked.push(place);
  }
  return picked;
}

/** By position: the signs of all words and categories. */
function signaturesOf({ words, categories }: BlockLists, size: number): Int32Array {
  const signatures = new Int32Array(size);
  const sign = (bits: number, list: readonly number[]) => {
    for (const posting of list) signatures[posting >>> 1] = (signatures[posting >>> 1] ?? 0) | bits;
  };
  for (const [word, list] of words) sign(wordSign(word, false), list);
  for (const [id, list] of categories) if (id.includes("/")) sign(kindSign(id), list);
  return signatures;
}

function postedPlace(place: BlockPlace, nameLength: number, signature: number): PostedPlace {
  return {
    number: place.number,
    latitude: degreesE7(place.latitude),
    longitude: degreesE7(place.longitude),
    country: countryNumber(place.countryCode),
    kind: kindNumber(place.categories[0] ?? ""),
    signature,
    rank: place.rank,
    nameLength: Math.min(nameLengthMax, nameLength),
    isOwnName: true,
  };
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
export function createWordWriter(db: BulkConnection, generation: number) {
  const changes = new Map<string, number>();

  /**
   * Replaces the groups of a range. In one that stays the same range, blocks that were not written again keep
   * the words they had, without the places that the others held; elsewhere every block is written.
   */
  async function write(
    { before, after }: Regrouping,
    written: ReadonlyMap<number, BlockWords>,
    removedPlaces: ReadonlySet<number>,
  ): Promise<void> {
    const old = await Promise.all(before.map((group) => readWords(db, group, generation)));
    for (const { word } of old.flat()) count(word, -1);
    const groups = after.map((group) => ({ ...group, postings: createPostings(group.blocks.length) }));
    for (const { blocks, postings } of groups) {
      const positions = new Map(blocks.map((first, position) => [first, position]));
      const kept = (before[0]?.blocks ?? []).map((first) => (written.has(first) ? undefined : positions.get(first)));
      for (const { word, blocks: holders, places } of isSameRange({ before, after }) ? old.flat() : []) {
        const staying = holders.flatMap((holder) => kept[holder] ?? []);
        if (staying.length === 0) continue;
        postings.add(
          word,
          staying,
          places?.filter(({ number }) => !removedPlaces.has(number)),
        );
      }
      blocks.forEach((first, position) => {
        for (const [word, numbers] of written.get(first) ?? []) postings.add(word, [position], numbers);
      });
    }
    await replace(before, groups);
    await flush();
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
      const rows = [...postings.encode()];
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        const some = rows.slice(at, at + rowsAtOnce);
        await db.query(sql`
          insert into catalog_word_postings (bucket, group_cell, version, bytes)
          select bucket, ${first}, ${generation}, bytes
          from unnest(
            ${some.map(([bucket]) => bucket)}::smallint[],
            ${some.map(([, bytes]) => bytes)}::bytea[]
          ) as written (bucket, bytes)
        `);
      }
    }
  }

  function count(word: string, by: number) {
    if (!word.startsWith(categoryMark)) changes.set(word, (changes.get(word) ?? 0) + by);
  }

  /**
   * Writes the words that are new, and by how many groups more or less hold the others: searches read those, so they
   * are counted after the switch.
   */
  async function flush(): Promise<void> {
    const changed = [...changes].filter(([, by]) => by !== 0);
    changes.clear();
    for (let at = 0; at < changed.length; at += wordsAtOnce) {
      const some = changed.slice(at, at + wordsAtOnce);
      await db.query(sql`
        with changed as (
          select length, word, groups
          from unnest(
            ${some.map(([word]) => word.length)}::smallint[],
            ${some.map(([word]) => word)}::text[],
            ${some.map(([, by]) => by)}::integer[]
          ) as changed (length, word, groups)
        ),
        counted as (
          insert into catalog_words as known (length, word, groups, version)
          select length, word, groups, ${generation}
          from changed
          where groups > 0
          on conflict (length, word) do update
          set groups = known.groups + excluded.groups
          where known.version = ${generation}
          returning length, word
        )
        insert into catalog_word_changes (generation, length, word, groups)
        select ${generation}, length, word, groups
        from changed
        where (length, word) not in (select length, word from counted)
      `);
    }
  }

  return { write };
}

type WrittenGroup = StoredGroup & { postings: ReturnType<typeof createPostings> };

const wordsAtOnce = 20_000;
const rowsAtOnce = 256;

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
    const { rows } = await db.query<{ bytes: Buffer }>(sql`
      select bytes
      from catalog_blocks
      where first_cell = ${first} and version < ${generation}
    `);
    for (const { bytes } of rows) for (const number of decodeBlock(bytes).numbers) numbers.add(number);
  }
  return numbers;
}

async function readWords(db: BulkConnection, { first }: StoredGroup, generation: number) {
  const { rows } = await db.query<{ bytes: Buffer }>(sql`
    select bytes
    from catalog_word_postings
    where group_cell = ${first} and version < ${generation}
  `);
  return rows.flatMap(({ bytes }) => [...listPostings(decodePostings(bytes))]);
}

function isWithin(inner: Leaf, outer: Leaf): boolean {
  return inner.first >= outer.first && inner.last <= outer.last;
}
