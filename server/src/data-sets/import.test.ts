import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";
import { otherIds } from "../places/place.ts";
import type { RecordItem } from "../places/record.ts";
import { shapeOf } from "../geography/shape.ts";
import { givenCatalog, place, town, yielded } from "../sources/catalog/testing.ts";
import { blockPlacesMax, partition } from "../geography/cell-ranges.ts";
import { importItems } from "./import.ts";
import { removeDataSet } from "./remove.ts";

const cafe = (number: number, rest: object = {}) =>
  place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"], ...rest });
const running = () => new AbortController().signal;

test("importing again updates in place: same, changed, new and vanished places are told apart", async (t) => {
  const { load, names, db } = await givenCatalog(t);
  await load([cafe(1), cafe(2), cafe(3)]);
  const before = await versions(db);

  const result = await load([cafe(1), cafe(2, { name: "Renamed" }), cafe(4)]);

  assert.deepEqual(
    { ...result },
    { added: 1, changed: 1, closed: 1, unchanged: 1, areas: 0, places: 3, skipped: 0, repeated: 0 },
  );
  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 1", "Cafe 4", "Renamed"]);
  const after = await versions(db);
  assert.equal(after.get("osm:n1"), before.get("osm:n1"), "a row that says the same is not written");
  assert.equal(after.has("osm:n3"), true, "a vanished place is kept");
});

test("a place that vanished and comes back is the same place", async (t) => {
  const { load, names, db } = await givenCatalog(t);
  await load([cafe(1), cafe(2)]);
  const { rows: before } = await db.query<{ number: number }>(numberOf("osm:n2"));
  await load([cafe(1)]);
  assert.deepEqual(await names("cafe"), ["Cafe 1"]);

  await load([cafe(1), cafe(2)]);

  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 1", "Cafe 2"]);
  assert.deepEqual((await db.query(numberOf("osm:n2"))).rows, before);
});

test("what a file says last of a place counts, and what is no place is skipped", async (t) => {
  const { load, names } = await givenCatalog(t);

  const result = await load([
    cafe(1, { name: "First" }),
    cafe(1, { name: "Last" }),
    cafe(2, { name: " " }),
    cafe(3, { latitude: Number.NaN }),
    cafe(4, { longitude: 181 }),
    place({ sourceId: "osm:n5", name: 'Tab\tand \\ backslash\nand "quotes" {}', categories: ["amenity/cafe"] }),
  ]);

  assert.equal(result.places, 2);
  assert.equal(result.skipped, 3);
  assert.deepEqual((await names("cafe")).toSorted(), ["Last", 'Tab\tand \\ backslash\nand "quotes" {}']);
});

test("a reader that fails in the middle, an abort and an empty file leave the catalog as it was", async (t) => {
  const { connection, load, names } = await givenCatalog(t);
  await load([cafe(1)]);
  async function* failing(): AsyncGenerator<RecordItem> {
    yield cafe(2);
    throw new Error("The file ends in the middle.");
  }
  const aborting = new AbortController();
  async function* aborted(): AsyncGenerator<RecordItem> {
    yield cafe(2);
    aborting.abort(new Error("Interrupted."));
    yield cafe(3);
  }
  const run = (items: AsyncIterable<RecordItem>, signal: AbortSignal) =>
    importItems({ name: "test", origin: "broken.file" }, items, { connection, clock: systemClock, signal });

  await assert.rejects(run(failing(), running()), { message: "The file ends in the middle." });
  await assert.rejects(run(aborted(), aborting.signal), { message: "Interrupted." });
  await assert.rejects(run(yielded([]), running()), /broken\.file has no places to import/);

  assert.deepEqual(await names("cafe"), ["Cafe 1"]);
});

test("a place is written once, with the areas that it lies in", async (t) => {
  const { load, db } = await givenCatalog(t);
  const square = [
    [47, 9],
    [47, 10],
    [48, 10],
    [48, 9],
    [47, 9],
  ] as const;
  const around = town("Around", 47.5, 9.5, { sourceId: "osm:r1", shape: shapeOf([square], 100) });

  await load([around, cafe(1), cafe(2), cafe(3, { latitude: 50 })]);

  const { rows } = await db.query<{ source_id: string; areas: string[]; row: string }>(sql`
    select source_id, areas, ctid::text as row
    from catalog_records
    order by source_id
  `);
  assert.deepEqual(
    rows.map(({ source_id: id, areas }) => [id, areas]),
    [
      ["osm:n1", ["osm:r1"]],
      ["osm:n2", ["osm:r1"]],
      ["osm:n3", []],
    ],
  );
  // A row that is written again lies elsewhere.
  assert.deepEqual(rows.map(({ row }) => row).toSorted(), ["(0,1)", "(0,2)", "(0,3)"]);
});

test("searches go on while an import runs, and see it when it is done", async (t) => {
  const { connection, load, names } = await givenCatalog(t);
  await load([cafe(1)]);
  const midway = Promise.withResolvers<void>();
  const searched = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<RecordItem> {
    yield cafe(1);
    midway.resolve();
    await searched.promise;
    yield cafe(2);
  }

  const importing = importItems({ name: "test", origin: "slow.file" }, slow(), {
    connection,
    clock: systemClock,
    signal: running(),
  });
  await midway.promise;
  assert.deepEqual(await names("cafe"), ["Cafe 1"]);
  await assert.rejects(load([cafe(9)]), /Another command imports or removes the data set test\. Wait/);
  searched.resolve();
  await importing;

  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 1", "Cafe 2"]);
});

test("two data sets that tell of one source id make one place, and removing one leaves the other's", async (t) => {
  const { connection, load, names } = await givenCatalog(t);
  await load([cafe(1, { name: "Older" }), cafe(2)], "country");
  await load([cafe(1, { name: "Newer" })], "city");
  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 2", "Newer"]);

  await removeDataSet("city", { connection, signal: running() });

  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 2", "Older"]);
  await assert.rejects(removeDataSet("city", { connection, signal: running() }), /There is no data set city/);
});

const osm = place({
  sourceId: "osm:n1",
  name: "Café Amann",
  categories: ["amenity/cafe"],
  details: { openingHours: { weekly: null, raw: "Mo-Fr 08:00-18:00" }, phones: ["+4232324448"] },
});
const overture = place({
  sourceId: "overture:a",
  name: "Cafe Amann AG",
  categories: ["amenity/cafe", "shop/bakery"],
  latitude: 47.1403,
  details: { website: "https://amann.example/", phones: ["+423 232 44 48"] },
});
const neighbor = place({ sourceId: "overture:b", name: "Cafe Wolf", categories: ["amenity/cafe"], latitude: 47.1401 });

for (const [order, sets] of [
  ["OSM first", ["osm", "overture"]],
  ["Overture first", ["overture", "osm"]],
] as const) {
  test(`OSM and Overture records of one business become one place, ${order}`, async (t) => {
    const { load, find } = await givenCatalog(t);
    for (const set of sets) await load(set === "osm" ? [osm] : [overture, neighbor], set);

    const found = await find("cafe");

    const [id, other] = order === "OSM first" ? ["osm:n1", "overture:a"] : ["overture:a", "osm:n1"];
    assert.deepEqual(found.map(({ placeId }) => placeId ?? "").toSorted(), [id, "overture:b"].toSorted());
    const [merged] = await find("Amann");
    assert.equal(merged?.name, "Café Amann");
    assert.equal(merged?.website, "https://amann.example/");
    assert.equal(merged?.openingHours?.raw, "Mo-Fr 08:00-18:00");
    assert.deepEqual(merged?.[otherIds], [other]);
    assert.equal((await find("bakery"))[0]?.placeId, id);
  });
}

test("a node and the building of one business are one place, with a partner of Overture's too", async (t) => {
  const { load, find } = await givenCatalog(t);
  const bank = (sourceId: string, rest: object = {}) =>
    place({ sourceId, name: "Talbank", categories: ["amenity/bank"], latitude: 47.1402, ...rest });
  const atm = bank("osm:n2", { categories: ["amenity/atm"] });
  const cafe2 = place({ sourceId: "osm:n3", name: "Talblick", categories: ["amenity/cafe"], latitude: 47.1402 });
  await load([bank("osm:n1", { latitude: 47.1404 }), atm, cafe2, bank("osm:w1")], "osm");
  await load([bank("overture:a", { latitude: 47.1401, details: { phones: ["+423 232 44 48"] } })], "overture");

  const banks = await find("Talbank");

  assert.deepEqual(banks.map(({ placeId }) => placeId ?? "").toSorted(), ["osm:n1", "osm:n2"]);
  const whole = banks.find(({ placeId }) => placeId === "osm:n1");
  assert.deepEqual([...(whole?.[otherIds] ?? [])].toSorted(), ["osm:w1", "overture:a"]);
  assert.equal(whole?.phones.length, 1);
});

test("a node and a building on both sides of a tile's edge are one place, in more tiles than are read at once", async (t) => {
  const { load, db } = await givenCatalog(t);
  const edge = (index: number) => -180 + (8 * 360 * (index * 10 + 1_200)) / 32_768;
  const pairs = Array.from({ length: 70 }, (_, index) => {
    const bank = (sourceId: string, longitude: number) =>
      place({ sourceId, name: `Bank ${index}`, categories: ["amenity/bank"], latitude: 47.14, longitude });
    return [bank(`osm:n${index}`, edge(index) - 0.0001), bank(`osm:w${index}`, edge(index) + 0.0001)];
  });

  await load(pairs.flat());

  const { rows } = await db.query<{ ids: string }>(sql`
    select string_agg(source_id, ' ' order by source_id) as ids
    from catalog_records
    group by place
  `);
  const expected = pairs.map((_, index) => `osm:n${index} osm:w${index}`);
  assert.deepEqual(rows.map(({ ids }) => ids).toSorted(), expected.toSorted());
});

test("a merged place comes apart when one of its records goes", async (t) => {
  const { connection, load, find } = await givenCatalog(t);
  await load([osm], "osm");
  await load([overture], "overture");

  await removeDataSet("osm", { connection, signal: running() });

  assert.deepEqual(
    (await find("cafe")).map(({ placeId }) => placeId ?? ""),
    ["overture:a"],
  );
});

test("what the first import merges is found by what either record says", async (t) => {
  const { load, find } = await givenCatalog(t);
  const bank = (sourceId: string, rest: object = {}) =>
    place({ sourceId, name: "Landesbank", categories: ["amenity/bank"], ...rest });

  await load([bank("osm:n1"), bank("osm:w1", { otherNames: ["Quellenhof"] })]);

  assert.deepEqual(
    (await find("quellenhof")).map(({ placeId }) => placeId),
    ["osm:n1"],
  );
});

test("chain shops of one name next to each other are paired one to one", async (t) => {
  const { load, find } = await givenCatalog(t);
  const shop = (sourceId: string, latitude: number) =>
    place({ sourceId, name: "Coop", categories: ["shop/supermarket"], latitude });
  await load([shop("osm:n1", 47.14), shop("osm:n2", 47.141)], "osm");
  await load([shop("overture:a", 47.1401), shop("overture:b", 47.1411), shop("overture:c", 47.1421)], "overture");

  const ids = (await find("supermarket")).map(({ placeId }) => placeId ?? "");

  assert.deepEqual(ids.toSorted(), ["osm:n1", "osm:n2", "overture:c"]);
});

test("the earth is split until no block holds more than it may, unless one cell does", () => {
  const crowded: [number, number][] = [
    [5, blockPlacesMax],
    [6, 1],
    [1_000_000, blockPlacesMax + 1],
  ];

  const leaves = partition(crowded);

  assert.deepEqual(
    leaves.map(({ first, last }) => [first <= 5 && last >= 5, first <= 6 && last >= 6]),
    [
      [true, false],
      [false, true],
      [false, false],
    ],
  );
  assert.deepEqual(leaves[2], { first: 1_000_000, last: 1_000_000 });
  assert.deepEqual(partition([[5, blockPlacesMax]]).length, 1);
  assert.deepEqual(partition([]), []);
});

const numberOf = (sourceId: string) => sql`
  select number
  from catalog_records
  where source_id = ${sourceId}
`;

async function versions(db: Database): Promise<Map<string, string>> {
  const { rows } = await db.query<{ source_id: string; xmin: string }>(sql`
    select source_id, xmin::text as xmin
    from catalog_records
  `);
  return new Map(rows.map((row) => [row.source_id, row.xmin]));
}
