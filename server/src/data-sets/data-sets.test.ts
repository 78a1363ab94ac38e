import assert from "node:assert/strict";
import { test } from "node:test";
import type { Queryable } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";
import { systemClock } from "../platform/clock.ts";
import type { RecordItem } from "../places/record.ts";
import { listDataSets, readAges } from "./data-sets.ts";
import { importItems, type ImportOptions } from "./import.ts";
import { removeDataSet } from "./remove.ts";
import { sweepClosedRecords } from "./8-publish/closed-records.ts";
import { givenCatalog, place, town, yielded } from "../sources/catalog/testing.ts";

const cafe = (number: number, phone = "") =>
  place({
    sourceId: `osm:n${number}`,
    name: `Cafe ${number}`,
    categories: ["amenity/cafe"],
    details: phone === "" ? {} : { phones: [phone] },
  });

test("a data set keeps count of its places, whatever happens to them", async (t) => {
  const { load, connection, db } = await givenCatalog(t);
  const steps = [
    () => load([cafe(1), cafe(2), cafe(3), town("Vaduz", 47.14, 9.52)]),
    () => load([cafe(1), cafe(2, "+4232392020")]), // one stays, one changes, one is closed
    () => load([cafe(1), cafe(3), cafe(4), cafe(4)]), // one opens again, one is new and told twice
    () => load([cafe(1), cafe(9)], "other"), // one supersedes that of the first
    () => sweepClosedRecords(db, new Date(Date.now() + 100 * 86_400_000)),
    () => removeDataSet("other", { connection, signal: new AbortController().signal }),
  ];

  const seen: unknown[] = [];
  for (const step of steps) {
    await step();
    const listed = await listDataSets(db);
    const counts = listed.map(({ name, places, closed }) => ({ name, places, closed }));
    assert.deepEqual(counts, await countRecords(db));
    seen.push(counts.map(({ places, closed }) => [places, closed]));
  }

  assert.deepEqual(seen, [
    [[3, 0]],
    [[2, 1]],
    [[3, 1]],
    [
      [2, 0],
      [3, 1],
    ],
    [
      [2, 0],
      [3, 0],
    ],
    [[3, 0]],
  ]);
});

async function countRecords(db: Queryable) {
  const { rows } = await db.query(sql`
    select d.name, count(*) filter (where r.closed_at is null) as places, count(r.closed_at) as closed
    from catalog_data_sets d
    join catalog_records r on r.data_set_id = d.id
    group by d.name
    order by d.name
  `);
  return rows;
}

test("a data set is as old as its publisher says, else as its file, and never as its import", async (t) => {
  const { connection, db, find } = await givenCatalog(t);
  const { signal } = new AbortController();
  const importedAt = new Date("2026-11-01T00:00:00Z");
  const clock = { ...systemClock, now: () => importedAt };
  const load = (name: string, items: RecordItem[], more: Partial<ImportOptions>) =>
    importItems({ name, origin: name }, yielded(items), { connection, clock, signal, ...more });
  const dated = { place: { ...cafe(2).place, name: "Engel", observedAt: "2026-05-04T00:00:00.000Z" } };

  const read = { skipped: { count: 0, samples: [] }, observedAt: "2026-05-04T00:00:00.000Z" };
  await load("extract", [cafe(1), dated], { read, fileDate: new Date("2026-10-01T00:00:00Z") });
  await load("table", [cafe(3)], { fileDate: new Date("2026-09-01T00:00:00Z") });
  await load("future", [cafe(4)], { fileDate: new Date("2099-01-01T00:00:00Z") });
  await load("unknown", [cafe(5)], {});

  const ages = (await listDataSets(db)).map(({ name, observedAt }) => [name, observedAt?.toISOString() ?? null]);
  assert.deepEqual(ages, [
    ["extract", "2026-05-04T00:00:00.000Z"],
    ["future", importedAt.toISOString()],
    ["table", "2026-09-01T00:00:00.000Z"],
    ["unknown", null],
  ]);
  assert.deepEqual(
    (await readAges(db)).map(({ name, seconds }) => [name, Math.round((Date.now() - seconds * 1_000) / 60_000)]),
    ages.slice(0, 3).map(([name, at]) => [name, Date.parse(at ?? "") / 60_000]),
  );
  assert.equal((await find("Cafe 3"))[0]?.observedAt, "2026-09-01T00:00:00.000Z");
  assert.equal((await find("Engel"))[0]?.observedAt, "2026-05-04T00:00:00.000Z");
});

test("a removal tells of its switch, as an import does, before it is done", async (t) => {
  const { connection, load, names } = await givenCatalog(t);
  await load([place({ sourceId: "osm:n1", name: "Engel" })]);
  const { signal } = new AbortController();
  const found: string[][] = [];

  await removeDataSet("test", {
    connection,
    signal,
    waitForSearches: async () => void found.push(await names("Engel")),
  });

  assert.deepEqual(found, [[]]);
});
