import assert from "node:assert/strict";
import { test } from "node:test";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { encodeBlock } from "./pack-block.ts";
import { createBlockCache, type Kept, StaleDirectory } from "./block-cache.ts";
import { createByteCache } from "./byte-cache.ts";
import type { BlockEntry } from "./directory.ts";

const entries = Array.from({ length: 100 }, (_, firstCell): BlockEntry => ({
  firstCell,
  lastCell: firstCell,
  version: 1,
  places: 0,
  countries: [],
  bounds: [0, 0, 0, 0],
  words: undefined,
}));

/** Answers every read with empty blocks. */
const db: Queryable = {
  async query<Row>({ values }: { values: readonly unknown[] }) {
    const rows = (values[0] as number[]).map((cell) => ({ first_cell: cell, version: 1, bytes: encodeBlock([]) }));
    return { rows: rows as Row[], rowCount: rows.length };
  },
};

test("a search over many blocks stops when its time is over and says which blocks it left out", async () => {
  const cache = createBlockCache({ db, kept: createByteCache<Kept>(() => Infinity) });
  const { signal } = new AbortController();
  const visited: number[] = [];
  const visit = (some: readonly BlockEntry[], until: number) =>
    cache.visit(some, {
      signal,
      until,
      mayRead: () => true,
      isWanted: ({ firstCell }) => firstCell !== 99,
      search: (_, { firstCell }) => void visited.push(firstCell),
    });

  const late = await visit(entries, performance.now() - 1);
  assert.ok(visited.length > 0, "some are always searched");
  assert.deepEqual(
    [...visited, ...late.map(({ firstCell }) => firstCell)],
    entries.slice(0, 99).map(({ firstCell }) => firstCell),
  );
  assert.ok(late.length > 0);

  assert.deepEqual(
    await visit(entries.slice(0, 64), performance.now() - 1),
    [],
    "a search near a point is never cut off",
  );
  assert.deepEqual(await visit(entries, Infinity), []);
});

test("blocks that do not fit into memory together are searched nevertheless", async () => {
  const cache = createBlockCache({ db, kept: createByteCache<Kept>(() => 0) });
  const { signal } = new AbortController();
  let visited = 0;

  await cache.visit(entries, {
    signal,
    until: Infinity,
    mayRead: () => true,
    isWanted: () => true,
    search: () => void (visited += 1),
  });

  assert.equal(visited, entries.length);
});

test("a visit that may not read is stale from the first block that is not in memory on", async () => {
  const cache = createBlockCache({ db, kept: createByteCache<Kept>(() => Infinity) });
  const { signal } = new AbortController();
  const visit = (some: readonly BlockEntry[], mayRead: boolean) =>
    cache.visit(some, {
      signal,
      until: Infinity,
      mayRead: () => mayRead,
      isWanted: () => true,
      search: () => undefined,
    });

  await visit(entries.slice(0, 2), true);
  assert.deepEqual(await visit(entries.slice(0, 2), false), []);
  await assert.rejects(visit(entries.slice(0, 3), false), StaleDirectory);
  const changed = entries.slice(0, 2).map((entry) => ({ ...entry, version: 2 }));
  assert.equal(cache.countMissing(changed), 2, "a block of another version is not the one that is wanted");
});
