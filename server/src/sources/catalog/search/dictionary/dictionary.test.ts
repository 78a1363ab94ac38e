import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Reads } from "../../../../platform/postgres/replica-reads.ts";
import { type Sql, sql } from "../../../../platform/postgres/sql.ts";
import { createCatalog } from "../../catalog.ts";
import { givenCatalog, place } from "../../testing.ts";
import { bucketOf, bucketsOf, wordSign } from "./buckets.ts";
import { createPostings } from "./create-postings.ts";
import { decodePostings, isOwnName, listPostings, rangeOf, rareMax } from "./postings.ts";

const spots = [0, 1, 2].map((index) => ({ latitude: 40 + index * 6, longitude: 10 + index * 9 }));
const crowds = spots.flatMap((at, spot) =>
  Array.from({ length: 100 }, (_, index) =>
    place({ sourceId: `osm:n${spot}-${index}`, name: `Filler ${index}`, ...at }),
  ),
);

const rare = [
  place({ sourceId: "osm:n1", name: "Zwirbelwirt", categories: ["amenity/pub"], ...spots[2] }),
  place({ sourceId: "osm:n2", name: "Hotel Quellenhof", categories: ["tourism/hotel"], ...spots[1] }),
];

async function givenBlocks(t: TestContext) {
  const given = await givenCatalog(t);
  await given.load([...crowds, ...rare]);
  let reads = 0;
  const meters = {
    counter:
      () =>
      (_: unknown, by = 1) => {
        reads += by;
      },
    gauge: () => undefined,
  };
  const catalog = createCatalog({ db: given.db, trustMs: 0, narrowFrom: 0, meters });
  const search = (q: string) => catalog.search({ q, page: 1, hl: "en", extra: false }, new AbortController().signal);
  return { ...given, search, readsOf: () => reads };
}

test("a word that few places have is found anywhere without looking everywhere", async (t) => {
  const { search, readsOf } = await givenBlocks(t);

  for (const [q, name] of [
    ["Zwirbelwirt", "Zwirbelwirt"],
    ["zwirb", "Zwirbelwirt"],
    ["Zwirbelwrit", "Zwirbelwirt"],
    ["Hotel Quellenhof", "Hotel Quellenhof"],
    ["quellenhof hotel", "Hotel Quellenhof"],
    ["hotel quelenhof", "Hotel Quellenhof"],
  ] as const) {
    const { listings, verdict } = await search(q);
    assert.deepEqual([listings[0]?.name, verdict], [name, "ok"], q);
  }
  assert.equal((await search("filler")).listings.length, 20);
  assert.equal(readsOf(), 0, "the dictionary knows the places that have a word, and no block is read");
});

test("a question reads only the buckets of its words that are not in memory", async (t) => {
  const { db, load } = await givenCatalog(t);
  await load([...crowds, ...rare]);
  const read: number[] = [];
  const noting = watched(db, "catalog_word_postings", (buckets) => read.push(...buckets));
  const catalog = createCatalog({ db: noting, narrowFrom: 0 });
  const search = (q: string) => catalog.search({ q, page: 1, hl: "en", extra: false }, new AbortController().signal);

  await search("Zwirbelwirt");
  assert.deepEqual(read, [bucketOf("zwirbelwirt")]);
  const { listings } = await search("Zwirbelwirt Quellenhof");
  assert.deepEqual(new Set(listings.map(({ name }) => name)), new Set(["Hotel Quellenhof", "Zwirbelwirt"]));
  assert.ok(read.includes(bucketOf("quellenhof")));
  assert.equal(read.filter((bucket) => bucket === bucketOf("zwirbelwirt")).length, 1);
});

test("the one of very many candidates that answers is found, though the dictionary ranks it last", async (t) => {
  const { db, load } = await givenCatalog(t);
  const at = spots[0] ?? { latitude: 0, longitude: 0 };
  const pubs = Array.from({ length: 1_200 }, (_, index) =>
    place({ sourceId: `osm:n${index + 1}`, name: `Grand ${index}`, categories: ["amenity/pub"], ...at }),
  );
  const categories = ["shop/bakery", "amenity/restaurant"];
  const wanted = place({ sourceId: "osm:n9001", name: "Grand Last", categories, ...at });
  const other = place({ sourceId: "osm:n9002", name: "Other", categories: ["amenity/restaurant"], ...at });
  await load([...pubs, wanted, other]);
  const catalog = createCatalog({ db, narrowFrom: 0 });

  const query = { q: "grand restaurant", page: 1, hl: "en", extra: false };
  const { listings, verdict } = await catalog.search(query, new AbortController().signal);
  assert.deepEqual([listings[0]?.name, verdict], ["Grand Last", "ok"]);
});

test("candidates that cannot have the other words or the kind are not compared", async (t) => {
  const { db, load } = await givenCatalog(t);
  const at = spots[0] ?? { latitude: 0, longitude: 0 };
  const pubs = Array.from({ length: 400 }, (_, index) =>
    place({ sourceId: `osm:n${index + 1}`, name: "Grand Tavern", categories: ["amenity/pub"], ...at }),
  );
  const bakery = place({ sourceId: "osm:n9001", name: "Le Grand", categories: ["shop/bakery"], ...at });
  const called = place({ sourceId: "osm:n9002", name: "Grand Bakery", categories: ["office/company"], ...at });
  await load([...pubs, bakery, called]);
  let compared = 0;
  const counting = watched(db, "name_words", (numbers) => (compared += numbers.length));
  const catalog = createCatalog({ db: counting, narrowFrom: 0 });
  const search = (q: string) => catalog.search({ q, page: 1, hl: "en", extra: false }, new AbortController().signal);

  const names = (await search("grand bakery")).listings.map(({ name }) => name);
  assert.deepEqual(new Set(names), new Set(["Grand Bakery", "Le Grand"]));
  assert.equal(compared, 2);
});

test("the dictionary follows what an import changes, and only there", async (t) => {
  const { search, load, db } = await givenBlocks(t);
  const groups = async () => {
    const { rows } = await db.query<{ version: number }>(sql`
      select version
      from catalog_word_groups
      order by first_cell
    `);
    return rows.map(({ version }) => version);
  };
  const words = async (like: string) => {
    const { rows } = await db.query<{ word: string }>(sql`
      select word
      from catalog_words
      where word like ${like}
    `);
    return rows.map(({ word }) => word);
  };
  const before = await groups();

  const renamed = place({ sourceId: "osm:n1", name: "Knusperhaus", categories: ["amenity/pub"], ...spots[2] });
  await load([...crowds, renamed, ...rare.slice(1)]);

  assert.equal((await search("Zwirbelwirt")).verdict, "empty");
  assert.equal((await search("Knusperhaus")).listings[0]?.name, "Knusperhaus");
  assert.equal((await search("Quellenhof")).listings[0]?.name, "Hotel Quellenhof", "blocks that stay keep their words");
  assert.deepEqual([await words("zwirbel%"), await words("knusper%")], [[], ["knusperhaus"]]);
  assert.ok((await groups()).some((version, index) => version !== before[index]));

  await load([place({ sourceId: "osm:n9", name: "Einzelstück", latitude: -33, longitude: 151 })], "elsewhere");
  const versions = await groups();
  assert.equal(new Set(versions).size > 1 || versions.length === 1, true);
  assert.equal((await search("Einzelstück")).listings[0]?.name, "Einzelstück");
});

test("blocks from before there was a dictionary are searched as before, and get one with the next import", async (t) => {
  const { db, load, names } = await givenCatalog(t);
  await load(rare);
  await db.query(sql`delete from catalog_word_groups`);
  await db.query(sql`delete from catalog_word_postings`);
  await db.query(sql`delete from catalog_words`);

  assert.deepEqual(await names("Zwirbelwirt"), ["Zwirbelwirt"]);

  await load([...rare, place({ sourceId: "osm:n3", name: "Drei" })]);
  const { rows } = await db.query<{ words: number }>(sql`
    select count(*) as words
    from catalog_words
    where word in ('zwirbelwirt', 'drei', 'quellenhof')
  `);
  assert.equal(rows[0]?.words, 3);
});

test("postings hold what went into them", () => {
  const size = 10;
  const columns = {
    size,
    numbers: Int32Array.from({ length: size }, (_, at) => at),
    latitudes: new Int32Array(size).fill(471_234_567),
    longitudes: Int32Array.from({ length: size }, (_, at) => -95_000_000 - at),
    signatures: Int32Array.from({ length: size }, (_, at) => -2_000_000_000 + at),
    countries: new Uint16Array(size).fill(525),
    kinds: new Uint16Array(size).fill(40_000),
    ranks: new Uint8Array(size).fill(200),
    nameLengths: new Uint8Array(size).fill(3),
  };
  const own = (at: number) => at * 2 + 1;
  const other = (at: number) => at * 2;
  const postings = createPostings(70);
  const first = postings.addSource({ columns, lists: Uint32Array.of(own(7), other(8), own(7)) });
  const second = postings.addSource({ columns, lists: Uint32Array.of(own(9), ...new Uint32Array(rareMax)) });
  postings.add("blue", [0, 69], first, 0, 2);
  postings.add("bluebird", [1], first, 2, 3);
  postings.add("blue", [33], second, 0, 1);
  postings.addCommon("東京", [2]);
  postings.add("common", [3], second, 0, rareMax + 1);
  postings.add("often", [4], second, 0, rareMax);
  postings.add("often", [5], first, 0, 1);
  postings.add("many", [6], second, 1, rareMax + 1);

  const buckets = new Map(postings.encode());
  const listed = [...buckets.values()].map(decodePostings).flatMap((bucket) =>
    [...listPostings(bucket)].map(({ word, blocks, from, to }) => {
      const places = Array.from({ length: to - from }, (_, index) => {
        const at = from + index;
        const values = Object.entries(bucket.places).map(([name, column]) => [
          name,
          typeof column === "number" ? size : column[at],
        ]);
        return { ...(Object.fromEntries(values) as Record<string, number>), isOwn: isOwnName(bucket, at) };
      });
      return [word, { blocks, places: places.length > 3 ? places.length : places }];
    }),
  );
  const posted = (at: number, isOwn = true) => ({
    size,
    numbers: at,
    latitudes: 471_234_567,
    longitudes: -95_000_000 - at,
    signatures: -2_000_000_000 + at,
    countries: 525,
    kinds: 40_000,
    ranks: 200,
    nameLengths: 3 + (isOwn ? 128 : 0),
    isOwn,
  });
  assert.deepEqual(Object.fromEntries(listed), {
    blue: { blocks: [0, 33, 69], places: [posted(7), posted(8, false), posted(9)] },
    bluebird: { blocks: [1], places: [posted(7)] },
    東京: { blocks: [2], places: [] },
    common: { blocks: [3], places: [] },
    often: { blocks: [4, 5], places: [] },
    many: { blocks: [6], places: rareMax },
  });
  const bucket = decodePostings(buckets.get(bucketOf("blue")) ?? Buffer.alloc(0));
  assert.deepEqual(rangeOf(bucket, "blue", true), [0, 2]);
  assert.deepEqual(rangeOf(bucket, "blue", false), [0, 1]);
  assert.deepEqual(rangeOf(bucket, "blux", true), [2, 2]);
});

test("every word has a bucket and the sign of each of its beginnings", () => {
  for (const word of ["blue", "bl", "blu", "bluebird", "東京", "東京都", "ñandú"]) {
    for (let length = 2; length <= word.length; length += 1) {
      assert.ok(bucketsOf(word.slice(0, length)).includes(bucketOf(word)), `${word} by ${length} letters`);
      assert.ok((wordSign(word.slice(0, length), true) & wordSign(word, false)) !== 0, `${word} by ${length} letters`);
    }
  }
});

/** The same reads; those that mention a text tell the numbers they are about. */
function watched(db: Reads, text: string, note: (numbers: readonly number[]) => void): Reads {
  return {
    transaction: (work) => db.transaction(work),
    query<Row>(statement: Sql) {
      if (statement.text.includes(text)) note(statement.values[0] as number[]);
      return db.query<Row>(statement);
    },
  };
}
