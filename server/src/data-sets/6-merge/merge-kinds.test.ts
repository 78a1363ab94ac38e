import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { openBulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { cellOf, cellsAround, cellsWithRing } from "../../geography/cells.ts";
import { givenCatalog, place } from "../../sources/catalog/testing.ts";
import { removeDataSet } from "../remove.ts";
import { mergeKinds } from "./merge-kinds.ts";
import { openNext } from "../next-generation/generation.ts";
import { batchesOf, crowdsIn, squaresOf } from "./squares.ts";

test("a square that holds too many records is compared in parts, and one that does not is compared whole", () => {
  const whole = { first: 640, last: 703 };
  const counts = [10, 10, 0].map((records, index): [number, number] => [640 + 16 * index, records]);

  assert.deepEqual(squaresOf(whole, counts, 20), [{ ...whole, records: 20 }]);
  assert.deepEqual(squaresOf(whole, [...counts.slice(0, 2), [672, 1]], 20), [
    { first: 640, last: 655, records: 10 },
    { first: 656, last: 671, records: 10 },
    { first: 672, last: 687, records: 1 },
  ]);
});

test("a cell that alone holds too many records is a crowd, and compared without them", () => {
  const whole = { first: 640, last: 703 };

  const counts = (records: number): [number, number][] => [
    [640, records],
    [641, 1],
  ];
  const squares = (records: number) => [
    { first: 640, last: 640, records },
    { first: 641, last: 641, records: 1 },
  ];

  assert.deepEqual(crowdsIn(counts(20), 20), []);
  assert.deepEqual(crowdsIn(counts(21), 20), [640]);
  assert.deepEqual(squaresOf(whole, counts(20), 20), squares(20));
  assert.deepEqual(squaresOf(whole, counts(21), 20), squares(0));
});

test("squares are read together up to 64 of them, or 5,000 records", () => {
  const squares = (count: number, records: number) =>
    Array.from({ length: count }, (_, index) => ({ first: index, last: index, records }));
  const sizes = (count: number, records: number) => [...batchesOf(squares(count, records))].map(({ length }) => length);

  assert.deepEqual(sizes(64, 1), [64]);
  assert.deepEqual(sizes(65, 1), [64, 1]);
  assert.deepEqual(sizes(2, 2_500), [2]);
  assert.deepEqual(sizes(2, 2_501), [1, 1]);
  assert.deepEqual(sizes(1, 100_000), [1]);
});

test("the ring around a square has the cells around each of its own, at the edges of the map too", () => {
  for (const [latitude, longitude] of [
    [47.14, 9.52],
    [0, 179.999],
    [89.999, -179.999],
    [-89.999, 0],
  ] as const) {
    for (const cells of [1, 4, 64]) {
      const first = cellOf({ latitude, longitude }) & ~(cells - 1);
      const square = { first, last: first + cells - 1 };
      const around = Array.from({ length: cells }, (_, index) => cellsAround(first + index)).flat();

      assert.deepEqual(new Set(cellsWithRing(square)), new Set(around));
    }
  }
});

/** Businesses over some nine kilometers, each in a data set of either kind, and what is to be merged of them. */
async function givenPairs(t: TestContext) {
  const given = await givenCatalog(t);
  const spots = Array.from({ length: 120 }, (_, index) => ({
    latitude: 47.1 + (index % 11) * 0.0082,
    longitude: 9.5 + Math.floor(index / 11) * 0.0082,
  }));
  const recordsOf = (kind: string, shift: number) =>
    spots.map(({ latitude, longitude }, index) =>
      place({
        sourceId: `${kind}:n${index}`,
        name: `Kafi ${words[index % words.length]} ${index}`,
        latitude: latitude + shift,
        longitude,
      }),
    );
  await given.load(recordsOf("osm", 0));
  await given.load(recordsOf("overture", 0.0002), "second");
  /** Forgets who is paired with whom. */
  async function part() {
    await given.db.query(sql`update catalog_records set place = number`);
  }

  /** Decides again who is paired with whom. */
  async function mergeAgain(recordsMax: number) {
    const db = await openBulkConnection(given.connection, new AbortController().signal);
    const next = await openNext(db, "");
    await mergeKinds(db, next, new Set(spots.map(cellOf)), recordsMax);
    const { rows } = await db.query<{ pair: string }>(sql`
      select lead.source_id || ' ' || r.source_id as pair
      from catalog_next_records r
      join catalog_records lead on lead.number = r.place
      where r.place <> r.number
      order by pair
    `);
    await db.end();
    return rows.map(({ pair }) => pair);
  }
  return { ...given, part, mergeAgain, spots };
}

const words = ["Amann", "Burg", "Clunia", "Dux", "Esel", "Falknis", "Gamander"];

test("what is compared in parts finds the partners that it finds as a whole", async (t) => {
  const { part, mergeAgain, spots } = await givenPairs(t);
  const mergeAnew = async (recordsMax: number) => {
    await part();
    return mergeAgain(recordsMax);
  };

  const whole = await mergeAnew(10_000);

  assert.equal(whole.length, spots.length);
  assert.deepEqual(await mergeAnew(30), whole);
  assert.deepEqual(await mergeAnew(8), whole);
});

test("a place keeps its id when a data set that overlaps the first comes and goes", async (t) => {
  const { connection, load, find } = await givenCatalog(t);
  const shop = place({ sourceId: "osm:n101", name: "Backstube Amann", categories: ["shop/bakery"] });
  const sameShop = place({
    sourceId: "overture:08f",
    name: "Backstube Amann",
    categories: ["shop/bakery"],
    latitude: 47.1401,
  });
  const idOf = async () => (await find("Backstube Amann")).map(({ placeId }) => placeId);

  await load([shop], "country");
  await load([sameShop], "overture");
  const before = await idOf();
  await load([shop], "city");
  const beside = await idOf();
  await load([sameShop], "overture");
  const again = await idOf();
  await removeDataSet("city", { connection, signal: new AbortController().signal });
  const after = await idOf();

  for (const ids of [before, beside, again, after]) assert.deepEqual(ids, ["osm:n101"]);
});

test("in a crowd nobody looks for partners, around it everybody does; who had one there loses it", async (t) => {
  const { part, mergeAgain, spots, load } = await givenPairs(t);
  const [crowded = { latitude: 0, longitude: 0 }] = spots;
  const cell = cellOf(crowded);
  const inside = spots.flatMap((spot, index) => (cellOf(spot) === cell ? [`osm:n${index} overture:n${index}`] : []));
  await load(
    Array.from({ length: 50 }, (_, index) =>
      place({ sourceId: `csv:${index}`, name: `Unplaced ${index}`, ...crowded }),
    ),
    "third",
  );

  const all = await mergeAgain(1_000);
  const apart = await mergeAgain(50);
  await part();
  const anew = await mergeAgain(50);

  assert.ok(inside.length > 0);
  assert.equal(all.length, spots.length);
  assert.deepEqual(anew, apart);
  assert.deepEqual(
    apart,
    all.filter((pair) => !inside.includes(pair)),
  );
});

test("tables and every publisher's data merge with each other, one record of each to a business", async (t) => {
  const { load, find } = await givenCatalog(t);
  const shop = { name: "Backstube Amann", categories: ["shop/bakery"] };
  const phones = (phone: string) => ({ details: { phones: [phone] } });

  await load([place({ sourceId: "osm:n101", ...shop })], "country");
  await load([place({ sourceId: "csv:1/1", ...shop, ...phones("+423 232 1111") })], "customers");
  await load([place({ sourceId: "alltheplaces:a", ...shop, latitude: 47.1401 })], "alltheplaces");
  await load(
    [1, 2].map((row) => place({ sourceId: `csv:2/${row}`, ...shop, ...phones(`+423 232 222${row}`) })),
    "suppliers",
  );

  const found = await find("Backstube Amann");
  assert.deepEqual(new Set(found.map(({ placeId }) => placeId)), new Set(["csv:2/2", "osm:n101"]));
  const merged = found.find(({ placeId }) => placeId === "osm:n101");
  assert.deepEqual(merged?.phones, ["+423 232 1111", "+423 232 2221"]);
});
