import assert from "node:assert/strict";
import { test } from "node:test";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { encodeBlock } from "./pack-block.ts";
import { createBlockCache, type Kept } from "./block-cache.ts";
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

  await cache.visit(entries, { signal, until: Infinity, isWanted: () => true, search: () => void (visited += 1) });

  assert.equal(visited, entries.length);
});
