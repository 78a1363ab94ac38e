import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import type { Sql } from "../../../platform/postgres/sql.ts";
import { until } from "../../../../test/database-door.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place } from "../testing.ts";
import { createRecordCache } from "./record-cache.ts";

test("the neighbors of what a search had to read are in memory afterwards", async () => {
  const { cache, asked } = givenCache();

  assert.equal(cache.find(70), undefined);
  cache.readAround([70, 71]);
  await cache.idle();

  assert.deepEqual(cache.find(127)?.map(named), ["place 127"]);
  assert.deepEqual(cache.find(70)?.map(named), ["place 70", "place 70, too"], "the leading record first");
  assert.deepEqual(cache.find(100), [], "a place that is no longer there");
  assert.equal(cache.find(128), undefined);
  assert.equal(asked.length, 1, "one statement for both");
});

test("records take no more memory than they may, and the least recently used go first", async () => {
  let bytesMax = 1_000_000;
  const { cache } = givenCache({ bytesMax: () => bytesMax });
  cache.readAround([0, 64, 128]);
  await cache.idle();
  cache.find(0);

  bytesMax = cache.bytes() - 1;
  cache.trim();
  assert.deepEqual(
    [0, 64, 128].map((number) => cache.find(number) !== undefined),
    [true, false, true],
  );
  assert.ok(cache.bytes() <= bytesMax);

  bytesMax = cache.bytes();
  cache.readAround([64]);
  await cache.idle();
  assert.equal(cache.find(64), undefined, "nothing is read ahead that would push out something else");
  bytesMax = 0;
  cache.trim();
  assert.equal(cache.bytes(), 0);
});

test("records of the generation before are taken over where no place changed", async () => {
  const before = givenCache();
  before.cache.readAround([0, 64, 128, 192]);
  await before.cache.idle();
  const { cache, asked } = givenCache({ generation: 2 });

  cache.inherit(before.cache, new Set([65]));

  assert.deepEqual(cache.find(1)?.map(named), ["place 1"]);
  assert.deepEqual(cache.find(128)?.map(named), ["place 128"]);
  assert.equal(cache.find(64), undefined, "its neighbor changed");
  assert.equal(cache.find(192), undefined, "new places may be among the last");
  assert.deepEqual(asked, []);
});

test("records of another generation are not kept, nor is a failure to read them", async () => {
  const other = givenCache({ generation: 2 });
  other.cache.readAround([1]);
  await other.cache.idle();
  assert.equal(other.cache.find(1), undefined);

  const failing = givenCache({ read: () => Promise.reject(new Error("The database is away.")) });
  failing.cache.readAround([1]);
  await failing.cache.idle();
  assert.equal(failing.cache.find(1), undefined);
});

test("questions nobody asked before need no statement once their records are in memory", async (t) => {
  const { db, load } = await givenCatalog(t);
  const pub = (index: number) => ({
    sourceId: `osm:n${index}`,
    name: `Löwe ${index}\n"Bräu"`,
    categories: ["amenity/pub"],
    latitude: 47.14 + index / 10_000,
    longitude: 9.52,
  });
  await load(Array.from({ length: 60 }, (_, index) => place(pub(index))));
  const { counted, count } = counting(db);
  const catalog = createCatalog({ db: counted, trustMs: 600_000 });
  const ask = async (page: number, hl: string) => {
    const query = { q: "pub", page, hl, ll: "@47.14,9.52,14z", extra: false };
    return (await catalog.search(query, new AbortController().signal)).listings;
  };
  const fresh = createCatalog({ db, trustMs: 600_000 });
  const running = new AbortController();
  t.after(() => running.abort());
  await catalog.warm(running.signal);
  await ask(1, "en");
  await until(async () => {
    const before = count();
    await ask(1, `en-${before}`); // a language in which no listing was made yet
    return count() === before;
  });

  const before = count();
  const pages = [await ask(2, "de"), await ask(3, "fr")];

  assert.equal(count(), before);
  for (const [index, hl] of ["de", "fr"].entries()) {
    const query = { q: "pub", page: index + 2, hl, ll: "@47.14,9.52,14z", extra: false };
    assert.deepEqual(pages[index], (await fresh.search(query, new AbortController().signal)).listings);
  }
});

const named = ({ record }: { record: { name: string } }) => record.name;

function givenCache(options: Partial<Parameters<typeof createRecordCache>[0]> = {}) {
  const asked: (readonly number[])[] = [];
  const lineOf = (number: number, placeNumber: number, name: string) => ({
    place: placeNumber,
    isLead: number === placeNumber,
    line: JSON.stringify([[placeNumber, number, 1, "LI", ""], { name }]),
  });
  const cache = createRecordCache({
    generation: 1,
    read: (numbers) => {
      asked.push(numbers);
      const rows = numbers.flatMap((number) => {
        const leader = lineOf(number, number, `place ${number}`);
        if (number === 100) return [];
        return number === 70 ? [lineOf(1_000, 70, "place 70, too"), leader] : [leader];
      });
      return Promise.resolve({ generation: 1, rows: rows.toReversed() });
    },
    bytesMax: () => 1_000_000,
    mayRead: () => true,
    ...options,
  });
  return { cache, asked };
}

/** A database that counts its statements. */
function counting(db: Reads) {
  let statements = 0;
  const query = <Row>(statement: Sql) => {
    statements += 1;
    return db.query<Row>(statement);
  };
  const counted: Reads = { query, transaction: (work) => db.transaction(work) };
  return { counted, count: () => statements };
}
