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

test("what a search had to read is at hand afterwards, and then what lies around it", async (t) => {
  const { cache, asked } = await givenCache(t);

  assert.equal(cache.find([300]).get(300), undefined);
  cache.readAround([300, 301, 700]);
  await cache.idle();

  assert.deepEqual(cache.find([256]).get(256)?.map(named), ["Löwe 256"]);
  assert.deepEqual(cache.find([511]).get(511)?.map(named), ["Löwe 511"]);
  assert.deepEqual(cache.find([300]).get(300)?.map(named), ["Löwe 300", "Löwe 300, too"], "the leading record first");
  assert.deepEqual(
    [300, 301].map((number) =>
      cache
        .find([number])
        .get(number)
        ?.map(({ dataSetId, countryCode, areas }) => [dataSetId, countryCode, areas]),
    ),
    [
      [
        [1, "LI", ["osm:r1", "osm:r2"]],
        [1, "LI", ["osm:r1", "osm:r2"]],
      ],
      [[2, "CH", []]],
    ],
  );
  assert.deepEqual(cache.find([400]).get(400), [], "a place that is no longer there");
  assert.deepEqual(cache.find([0]).get(0)?.map(named), ["Löwe 0"]);
  assert.deepEqual(cache.find([8_191]).get(8_191)?.map(named), ["Löwe 8191"]);
  assert.equal(cache.find([8_192]).get(8_192), undefined);
  assert.deepEqual(asked.slice(0, 3), [
    [256, 511],
    [512, 767],
    [0, 255],
  ]);
  assert.equal(asked.length, 32, "each once");
});

test("places near each other are read at once, those far apart one by one", async (t) => {
  const { file, cache: kept } = await givenCache(t, {
    ranges: 3_000,
    read: (first, last) => Promise.resolve(recordsOf(first, last, 1_000)),
  });
  kept.readAround([0]);
  await kept.idle();
  const reads: number[] = [];
  const counted = {
    ...file,
    read: (at: number, target: Uint8Array) => reads.push(target.length) > 0 && file.read(at, target),
  };
  const { cache } = await givenCache(t, { file: counted });
  cache.inherit(kept, new Set());

  const found = cache.find([301, 9_000, 260, 400, 10, 300, 255, 256]);

  assert.deepEqual(
    [...found].map(([number, records]) => [number, ...records.map(named)]),
    [
      [10, "Löwe 10"],
      [255, "Löwe 255"],
      [256, "Löwe 256"],
      [260, "Löwe 260"],
      [300, "Löwe 300", "Löwe 300, too"],
      [301, "Löwe 301"],
      [400],
    ],
  );
  assert.equal(reads.length, 5, "10; 255; 256 with 260; 300 with 301; and a place without records");
});

test("a full file takes only what a search needed, and what it no longer has is read again", async (t) => {
  const { cache, asked } = await givenCache(t, { ranges: 33 });
  cache.readAround([16_384]);
  await cache.idle();
  assert.equal(asked.length, 32);

  cache.readAround([24_576]);
  await cache.idle();

  assert.equal(asked.length, 34, "one more would fit, and one showed that it is full");
  assert.equal(cache.find([16_384]).get(16_384), undefined, "the first that was read goes first");
  assert.deepEqual(cache.find([16_640]).get(16_640)?.map(named), ["Löwe 16640"]);
  const bytes = cache.bytes();
  cache.readAround([16_384]);
  await cache.idle();
  assert.deepEqual(cache.find([16_384]).get(16_384)?.map(named), ["Löwe 16384"]);
  assert.equal(asked.length, 35);
  assert.ok(cache.bytes() <= bytes);
});

test("what memory knows of records takes no more than it may", async (t) => {
  const bytesMax = 60_000;
  const { cache, asked } = await givenCache(t, { bytesMax });
  cache.readAround([0]);
  await cache.idle();
  assert.ok(cache.bytes() > bytesMax / 2 && cache.bytes() <= bytesMax, `${cache.bytes()} bytes`);
  assert.ok(asked.length < 32, "the rest of it is for what searches need");

  const needed = Array.from({ length: 31 }, (_, index) => 8_192 + index * 256);
  cache.readAround(needed);
  await cache.idle();

  assert.ok(cache.bytes() <= bytesMax, `${cache.bytes()} bytes`);
  assert.equal(cache.find([0]).get(0), undefined);
  assert.deepEqual(
    cache
      .find([8_192 + 30 * 256])
      .get(8_192 + 30 * 256)
      ?.map(named),
    ["Löwe 15872"],
  );
});

test("records of the generation before are taken over where no place changed", async (t) => {
  const before = await givenCache(t);
  before.cache.readAround([0]);
  await before.cache.idle();
  const { cache, asked } = await givenCache(t, { generation: 2, file: before.file });

  cache.inherit(before.cache, new Set([257]));

  assert.deepEqual(cache.find([1]).get(1)?.map(named), ["Löwe 1"]);
  assert.deepEqual(cache.find([512]).get(512)?.map(named), ["Löwe 512"]);
  assert.equal(cache.find([256]).get(256), undefined, "its neighbor changed");
  assert.equal(cache.find([8_191]).get(8_191), undefined, "new places may be among the last");
  assert.deepEqual(asked, []);
});

test("where numbers end, the generation that follows reads anew", async (t) => {
  const read = (first: number, last: number) => Promise.resolve(recordsOf(first, Math.min(last, 700)));
  const before = await givenCache(t, { read });
  before.cache.readAround([0]);
  await before.cache.idle();
  assert.deepEqual(before.cache.find([700]).get(700)?.map(named), ["Löwe 700"]);
  const { cache } = await givenCache(t, { generation: 2, file: before.file });

  cache.inherit(before.cache, new Set());

  assert.deepEqual(cache.find([511]).get(511)?.map(named), ["Löwe 511"]);
  for (const number of [700, 701, 768, 4_000]) assert.equal(cache.find([number]).get(number), undefined);
});

test("records of another generation are not kept, nor is a failure to read them", async (t) => {
  const other = await givenCache(t, { generation: 2 });
  other.cache.readAround([1]);
  await other.cache.idle();
  assert.equal(other.cache.find([1]).get(1), undefined);

  const failing = await givenCache(t, { read: () => Promise.reject(new Error("The database is away.")) });
  failing.cache.readAround([1]);
  await failing.cache.idle();
  assert.equal(failing.cache.find([1]).get(1), undefined);
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

test("an import shows what it changed and added although the records before it are at hand", async (t) => {
  const { db, load } = await givenCatalog(t);
  const pub = (index: number, name: string) =>
    place({
      sourceId: `osm:n${index}`,
      name,
      categories: ["amenity/pub"],
      latitude: 47.14 + index / 10_000,
      longitude: 9.52,
    });
  const pubs = (names: readonly string[]) => names.map((name, index) => pub(index, name));
  const before = Array.from({ length: 600 }, (_, index) => `Löwe ${index}`);
  await load(pubs(before));
  const recordFile = await givenFile(t, 10_000_000);
  const catalog = createCatalog({ db, trustMs: 0, recordFile });
  const running = new AbortController();
  t.after(() => running.abort());
  await catalog.warm(running.signal);
  const ask = async (ll: string) => {
    const query = { q: "pub", page: 1, hl: "en", ll, extra: false };
    return (await catalog.search(query, new AbortController().signal)).listings.map(({ name }) => name);
  };
  const [start, end] = ["@47.14,9.52,17z", "@47.2,9.52,17z"];
  await ask(start);
  await ask(end);
  await until(async () => recordFile.bytes() > 600 * 50);

  const after = [...before.with(0, "Adler"), ...Array.from({ length: 600 }, (_, index) => `Neu ${index}`)];
  await load(pubs(after));

  const [first, last] = [await ask(start), await ask(end)];
  assert.ok(first.includes("Adler") && !first.includes("Löwe 0"), first.join());
  assert.ok(last.includes("Neu 0") && last.includes("Löwe 599"), last.join());
  assert.deepEqual([first.length, last.length], [20, 20]);
});

const named = ({ record }: { record: { name: string } }) => record.name;

type Options = Partial<Parameters<typeof createRecordCache>[0]> & { ranges?: number };

async function givenCache(t: TestContext, { ranges = 100, ...options }: Options = {}) {
  const asked: [number, number][] = [];
  const read = (first: number, last: number) => {
    asked.push([first, last]);
    return Promise.resolve(recordsOf(first, last));
  };
  const file = options.file ?? (await givenFile(t, ranges * recordsOf(16_384, 16_639).lines.length));
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
function recordsOf(first: number, last: number, padding = 0) {
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
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
    lines: new Uint8Array(
      Buffer.from(records.map(({ name }) => `${JSON.stringify({ name })}${" ".repeat(padding)}\n`).join("")),
    ),
  };
}

/** A database that counts its statements, but for those that read records ahead. */
function counting(db: Reads) {
  let statements = 0;
  const query = <Row>(statement: Sql) => {
    if (statement.columns?.["lines"] === undefined) statements += 1;
    return db.query<Row>(statement);
  };
  const counted: Reads = { query, transaction: (work) => db.transaction(work) };
  return { counted, count: () => statements };
}
