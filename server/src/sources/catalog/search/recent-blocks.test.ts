import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../test/database-door.ts";
import { makeTempFolder, removeFolder } from "../../../../test/temp-folder.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import type { Sql } from "../../../platform/postgres/sql.ts";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place } from "../testing.ts";
import { encodeBlock } from "./pack-block.ts";
import { createBlockCache, type Kept } from "./block-cache.ts";
import { createByteCache } from "./byte-cache.ts";
import { createRecentBlocks } from "./recent-blocks.ts";

const berlin = { latitude: 52.5, longitude: 13.4 };
const lisbon = { latitude: 38.7, longitude: -9.1 };
/** So many that each town is a block of its own. */
const pubs = [berlin, lisbon].flatMap((at, town) =>
  Array.from({ length: 5_000 }, (_, index) =>
    place({ sourceId: `osm:n${town}-${index}`, name: `Pub ${index}`, categories: ["amenity/pub"], ...at }),
  ),
);

test("blocks of recent searches are in memory again soon after a start and after an import", async (t) => {
  const { db, load } = await givenCatalog(t);
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const file = join(folder, "catalog", "recent-blocks.json");
  const stop = new AbortController();
  t.after(() => stop.abort());
  await load(pubs);

  const first = await start();
  await first.ask(berlin);
  await until(async () => (await readFile(file, "utf8").catch(() => "")).length > 2);

  const second = await start();
  await until(() => second.statements() === 1);
  await second.ask(berlin);
  assert.equal(second.statements(), 1, "the search found its block in memory");

  await load([...pubs, place({ sourceId: "osm:new", name: "New Inn", ...berlin })]);
  await second.ask(lisbon);
  await until(() => second.statements() === 3);
  await second.ask(berlin);
  assert.equal(second.statements(), 3, "the search found the changed block in memory");

  /** A process that warms, and counts the statements that read blocks. */
  async function start() {
    let statements = 0;
    const counting: Reads = {
      transaction: (work) => db.transaction(work),
      async query<Row>(statement: Sql) {
        const result = await db.query<Row>(statement);
        if (/from catalog_blocks\s+where first_cell/.test(statement.text)) statements += 1;
        return result;
      },
    };
    const recentBlocks = createRecentBlocks({ file, writeEveryMs: 0 });
    const catalog = createCatalog({ db: counting, trustMs: 0, recentBlocks });
    await catalog.warm(stop.signal);
    const ask = ({ latitude, longitude }: typeof berlin) => {
      const query = { q: "pub", page: 1, hl: "en", extra: false, ll: `@${latitude},${longitude},14z` };
      return catalog.search(query, stop.signal);
    };
    return { ask, statements: () => statements };
  }
});

test("blocks are read ahead only while there is time and room, and not after the process was stopped", async () => {
  let reads = 0;
  const db: Queryable = {
    async query<Row>({ values }: { values: readonly unknown[] }) {
      reads += 1;
      const rows = (values[0] as number[]).map((cell) => ({ first_cell: cell, version: 1, bytes: encodeBlock([]) }));
      return { rows: rows as Row[], rowCount: rows.length };
    },
  };
  const facts = { version: 1, places: 0, countries: [], bounds: [0, 0, 0, 0], words: undefined };
  const entries = Array.from({ length: 40 }, (_, cell) => ({ ...facts, firstCell: cell, lastCell: cell }));
  const kept = createByteCache<Kept>(() => Infinity);
  const cache = createBlockCache({ db, kept });
  const { signal } = new AbortController();

  await cache.prefetch(entries, { signal: AbortSignal.abort(), until: Infinity, hasRoom: () => true });
  await cache.prefetch(entries, { signal, until: performance.now() - 1, hasRoom: () => true });
  await cache.prefetch(entries, { signal, until: Infinity, hasRoom: () => false });
  assert.equal(reads, 0);

  await cache.prefetch(entries, { signal, until: Infinity, hasRoom: () => reads < 2 });
  assert.equal(reads, 2);
  await cache.prefetch(entries, { signal, until: Infinity, hasRoom: () => true });
  assert.equal(kept.size().count, 40);
});

test("a list of recent blocks that cannot be read counts as none", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const file = join(folder, "recent-blocks.json");
  const { read } = createRecentBlocks({ file });

  assert.deepEqual(await read(), []);
  for (const text of ["", "[1, 2", "{}", '["a", null, 1.5]']) {
    await writeFile(file, text);
    assert.deepEqual(await read(), [], text);
  }
  await writeFile(file, '[3, "a", 4]');
  assert.deepEqual(await read(), [3, 4]);
});
