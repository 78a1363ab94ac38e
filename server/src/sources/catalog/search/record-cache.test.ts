import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import type { Sql } from "../../../platform/postgres/sql.ts";
import { createScratchFile } from "../../../platform/scratch-file.ts";
import { makeTempFolder, removeFolder } from "../../../../test/temp-folder.ts";
import { until } from "../../../../test/database-door.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place } from "../testing.ts";
import { createRecordCache } from "./record-cache.ts";

test("the neighbors of what a search had to read are at hand afterwards", async (t) => {
  const { cache, asked } = await givenCache(t);

  assert.equal(cache.find(300), undefined);
  cache.readAround([300, 301]);
  await cache.idle();

  assert.deepEqual(cache.find(256)?.map(named), ["Löwe 256"]);
  assert.deepEqual(cache.find(511)?.map(named), ["Löwe 511"]);
  assert.deepEqual(cache.find(300)?.map(named), ["Löwe 300", "Löwe 300, too"], "the leading record first");
  assert.deepEqual(
    [300, 301].map((number) =>
      cache.find(number)?.map(({ dataSetId, countryCode, areas }) => [dataSetId, countryCode, areas]),
    ),
    [
      [
        [1, "LI", ["osm:r1", "osm:r2"]],
        [1, "LI", ["osm:r1", "osm:r2"]],
      ],
      [[2, "CH", []]],
    ],
  );
  assert.deepEqual(cache.find(400), [], "a place that is no longer there");
  assert.equal(cache.find(255), undefined);
  assert.equal(cache.find(512), undefined);
  assert.deepEqual(asked, [[256, 511]], "one statement for both");
});

test("what the file no longer has is read again, and takes no memory meanwhile", async (t) => {
  const { cache, asked } = await givenCache(t, { ranges: 2 });
  cache.readAround([1_024, 1_280]);
  await cache.idle();
  const bytes = cache.bytes();

  cache.readAround([1_536]);
  await cache.idle();

  assert.equal(cache.bytes(), bytes);
  assert.equal(cache.find(1_024), undefined);
  assert.deepEqual(cache.find(1_280)?.map(named), ["Löwe 1280"]);
  cache.readAround([1_024]);
  await cache.idle();
  assert.deepEqual(cache.find(1_024)?.map(named), ["Löwe 1024"]);
  assert.equal(asked.length, 4);
});

test("where records lie takes no more memory than it may", async (t) => {
  const { cache } = await givenCache(t, { bytesMax: 6_500 });
  cache.readAround([0, 256, 512]);
  await cache.idle();

  assert.ok(cache.bytes() > 0 && cache.bytes() <= 6_500, `${cache.bytes()} bytes`);
  assert.equal(cache.find(0), undefined, "the first that was read goes first");
  assert.deepEqual(cache.find(512)?.map(named), ["Löwe 512"]);
});

test("records of the generation before are taken over where no place changed", async (t) => {
  const before = await givenCache(t);
  before.cache.readAround([0, 256, 512, 768]);
  await before.cache.idle();
  const { cache, asked } = await givenCache(t, { generation: 2, file: before.file });

  cache.inherit(before.cache, new Set([257]));

  assert.deepEqual(cache.find(1)?.map(named), ["Löwe 1"]);
  assert.deepEqual(cache.find(512)?.map(named), ["Löwe 512"]);
  assert.equal(cache.find(256), undefined, "its neighbor changed");
  assert.equal(cache.find(768), undefined, "new places may be among the last");
  assert.deepEqual(asked, []);
});

test("records of another generation are not kept, nor is a failure to read them", async (t) => {
  const other = await givenCache(t, { generation: 2 });
  other.cache.readAround([1]);
  await other.cache.idle();
  assert.equal(other.cache.find(1), undefined);

  const failing = await givenCache(t, { read: () => Promise.reject(new Error("The database is away.")) });
  failing.cache.readAround([1]);
  await failing.cache.idle();
  assert.equal(failing.cache.find(1), undefined);
});

test("questions nobody asked before need no statement once their records are at hand", async (t) => {
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
  const recordFile = await givenFile(t, 1_000_000);
  const catalog = createCatalog({ db: counted, trustMs: 600_000, recordFile });
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

type Options = Partial<Parameters<typeof createRecordCache>[0]> & { ranges?: number };

async function givenCache(t: TestContext, { ranges = 100, ...options }: Options = {}) {
  const asked: [number, number][] = [];
  const read = (first: number, last: number) => {
    asked.push([first, last]);
    return Promise.resolve(recordsOf(first, last));
  };
  const file = options.file ?? (await givenFile(t, ranges * recordsOf(1_024, 1_279).lines.length));
  const cache = createRecordCache({
    generation: 1,
    file,
    read,
    bytesMax: 1_000_000,
    mayRead: () => true,
    ...options,
  });
  return { cache, file, asked };
}

async function givenFile(t: TestContext, bytesMax: number) {
  const folder = await makeTempFolder();
  const file = createScratchFile({ folder, bytesMax });
  t.after(async () => {
    await file.close();
    await removeFolder(folder);
  });
  return file;
}

/** Every place has one record, but for two. */
function recordsOf(first: number, last: number) {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const records = numbers.flatMap((number) => {
    if (number === 400) return [];
    const leader = { place: number, name: `Löwe ${number}` };
    return number === 300 ? [leader, { place: number, name: "Löwe 300, too" }] : [leader];
  });
  const even = { dataSetId: 1, countryCode: "LI", areas: ["osm:r1", "osm:r2"] };
  const odd = { dataSetId: 2, countryCode: "CH", areas: [] };
  return {
    generation: 1,
    places: Int32Array.from(records, ({ place: number }) => number),
    states: records.map(({ place: number }) => (number % 2 === 0 ? even : odd)),
    lines: new Uint8Array(Buffer.from(records.map(({ name }) => `${JSON.stringify({ name })}\n`).join(""))),
  };
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
