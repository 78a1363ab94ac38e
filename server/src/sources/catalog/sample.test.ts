import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { findFiles, newProgress, readFiles } from "../../data-sets/2-read/index.ts";
import { listDataSets, readGeneration } from "../../data-sets/data-sets.ts";
import { importRows } from "../../data-sets/import.ts";
import { removeDataSet } from "../../data-sets/remove.ts";
import { readSampleState, sample, wantSample } from "../../data-sets/sample.ts";
import { systemClock } from "../../platform/clock.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { SourceFailure } from "../source.ts";
import { givenCatalog, place } from "./testing.ts";

const { signal } = new AbortController();

async function givenSample(t: TestContext) {
  const given = await givenCatalog(t);
  const { connection, db } = given;
  await wantSample(db);
  const importSample = async () => {
    const rows = readFiles(await findFiles(sample.path), { signal, progress: newProgress(), dataSet: sample.name });
    return importRows({ name: sample.name, origin: sample.title }, rows, { connection, clock: systemClock, signal });
  };
  await importSample();
  return { ...given, importSample };
}

const inside: Record<string, unknown>[] = [
  { q: "coffee in Vaduz" },
  { q: "Vaduz" },
  { q: "restaurants in Liechtenstein" },
  { q: "Restaurants in Triesenberg", hl: "de" },
  { q: "coffee Städtle, Vaduz" },
  { q: "coffee 9490 Vaduz" },
  { q: "bakery", ll: "@47.167,9.509,14z" },
  { q: "bakery near me", ll: "@47.167,9.509,14z" },
  { q: "bakery", gl: "li" },
  { q: "coffee in Vaduz", ll: "@48.85,2.35,14z" },
  { q: "coffee 47.141, 9.521" },
];
const outside: Record<string, unknown>[] = [
  { q: "dentist" },
  { q: "coffee near me" },
  { q: "coffee near me", gl: "li" },
  { q: "coffee Paris" },
  { q: "coffee in Xyzzyville" },
  { q: "coffee in Feldkirch" },
  { q: "coffee near Rathaus" },
  { q: "coffee Bahnhofstrasse" },
  { q: "coffee 9490" },
  { q: "coffee in Zürich", ll: "@47.141,9.521,14z" },
  { q: "coffee", gl: "de" },
  { q: "coffee in Vaduz", gl: "de" },
  { q: "coffee", ll: "@47.141,9.521,7z" },
  { q: "coffee", ll: "@47.24,9.6,14z" }, // Feldkirch
  { q: "coffee 48.85, 2.35" },
];

test("the sample answers questions whose where lies inside it, and refuses all others", async (t) => {
  const { catalog, find } = await givenSample(t);
  const asked = (rest: Record<string, unknown>) => ({ q: "", page: 1, hl: "en", extra: false, ...rest });

  for (const each of inside) assert.equal(await catalog.hasDataFor(asked(each), signal), true, JSON.stringify(each));
  for (const each of outside) assert.equal(await catalog.hasDataFor(asked(each), signal), false, JSON.stringify(each));

  assert.ok((await find("coffee in Vaduz")).length > 0);
  for (const { q, ...rest } of outside) {
    await assert.rejects(find(String(q), rest), (error: SourceFailure) => {
      assert.equal(error.code, "source_unavailable");
      assert.match(error.advice ?? "", /^The sample covers Liechtenstein\. Add your area: npx waypost catalog add/);
      return true;
    });
  }
});

test("the first data set of one's own takes its place in one generation, and none of its places is closed", async (t) => {
  const { db, load, importSample, names, catalog } = await givenSample(t);
  const generation = await readGeneration(db);

  const result = await load([place({ sourceId: "csv:1", name: "Our Cafe", categories: ["amenity/cafe"] })], "ours");

  assert.equal(result.replacedSample, true);
  assert.equal(result.closed, 0);
  assert.equal(await readGeneration(db), generation + 1);
  assert.deepEqual(
    (await listDataSets(db)).map(({ name, places, closed }) => ({ name, places, closed })),
    [{ name: "ours", places: 1, closed: 0 }],
  );
  const { rows } = await db.query<{ records: number; areas: number }>(sql`
    select (select count(*) from catalog_records)::integer as records, (select count(*) from catalog_areas)::integer as areas
  `);
  assert.deepEqual(rows, [{ records: 1, areas: 0 }]);
  assert.deepEqual(await names("cafe"), ["Our Cafe"]); // anywhere: it is a catalog like any other now
  assert.equal(catalog.advice(), undefined);
  assert.equal((await load([place({ sourceId: "csv:1", name: "Our Cafe" })], "ours")).replacedSample, undefined);
  await assert.rejects(importSample(), { code: "state_conflict" });
});

test("a data set with the very places of the sample keeps them all", async (t) => {
  const { db, connection } = await givenSample(t);
  const [before] = await listDataSets(db);

  const rows = readFiles(await findFiles(sample.path), { signal, progress: newProgress(), dataSet: "liechtenstein" });
  const result = await importRows({ name: "liechtenstein", origin: "/liechtenstein.osm.pbf" }, rows, {
    connection,
    clock: systemClock,
    signal,
  });

  assert.equal(result.closed, 0);
  const [after, ...others] = await listDataSets(db);
  assert.deepEqual([after?.name, after?.places, after?.closed], ["liechtenstein", before?.places, 0]);
  assert.deepEqual(others, []);
  const { rows: shown } = await db.query<{ places: number }>(
    sql`select count(*)::integer as places from catalog_places`,
  );
  assert.ok((shown[0]?.places ?? 0) > 900);
});

test("removed once, the sample is never wanted again", async (t) => {
  const { connection, db, importSample } = await givenSample(t);

  await removeDataSet("sample", { connection, signal });

  assert.equal(await readSampleState(db), undefined);
  assert.deepEqual(await listDataSets(db), []);
  await assert.rejects(importSample(), { code: "state_conflict" });
});
