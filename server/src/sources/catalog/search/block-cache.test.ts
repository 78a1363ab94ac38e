import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../../platform/postgres/database.ts";
import type { Sql } from "../../../platform/postgres/sql.ts";
import { decodeBlock } from "./block.ts";
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

/** Answers every read with empty blocks of the version that is asked for. */
const db: Queryable = {
  async query<Row>({ values }: { values: readonly unknown[] }) {
    const [cells, versions] = values as [number[], number[]];
    const rows = cells.map((cell, index) => ({ first_cell: cell, version: versions[index], bytes: encodeBlock([]) }));
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

test("blocks are read ahead one by one, and a few at once where there is no time for that", async () => {
  const sizes: number[] = [];
  const slow: Queryable = {
    async query<Row>(statement: Sql) {
      const [cells] = statement.values as [number[]];
      sizes.push(cells.length);
      await sleep(20);
      return db.query<Row>(statement);
    },
  };
  const readAhead = async (withinMs: number) => {
    sizes.length = 0;
    const cache = createBlockCache({ db: slow, kept: createByteCache<Kept>(() => Infinity) });
    const { signal } = new AbortController();
    await cache.prefetch(entries.slice(0, 7), { signal, until: performance.now() + withinMs, hasRoom: () => true });
    return [...sizes];
  };

  assert.deepEqual(await readAhead(600_000), [1, 1, 1, 1, 1, 1, 1]);
  assert.deepEqual((await readAhead(100)).slice(0, 2), [1, 3]);
});

test("blocks of the next generation wait beside those that searches need, and take their place", async () => {
  const kept = createByteCache<Kept>(() => Infinity);
  const blockBytes = decodeBlock(encodeBlock([])).bytes;
  let shown = 1;
  const cache = createBlockCache({
    db,
    kept,
    isNeeded: (_, version) => version === shown,
    aheadBytesMax: blockBytes * 2,
  });
  const limits = { signal: new AbortController().signal, until: Infinity, hasRoom: () => true };
  const [before, next] = [1, 2].map((version) => entries.slice(0, 4).map((entry) => ({ ...entry, version })));
  assert.ok(before && next);
  await cache.prefetch(before, limits);

  await cache.prefetch(next.slice(0, 2), limits);
  assert.equal(cache.countMissing([...before, ...next.slice(0, 2)]), 0, "both are there");
  assert.equal(cache.aheadBytes(), blockBytes * 2);
  assert.equal(cache.hasRoomAhead(), false);
  await cache.prefetch(next.slice(2), limits);
  assert.deepEqual(
    [cache.countMissing(before), cache.countMissing(next)],
    [2, 0],
    "without room they replace the others",
  );

  shown = 2;
  cache.takeOver();
  assert.deepEqual([cache.countMissing(before), cache.countMissing(next)], [4, 0]);
  assert.equal(cache.aheadBytes(), 0);
  assert.equal(kept.size().bytes, blockBytes * 4);
});
