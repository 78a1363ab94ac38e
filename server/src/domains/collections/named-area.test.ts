import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { startCollections } from "../../../test/collections.ts";
import { givenPlaceIndex } from "../../../test/place-index.ts";
import { fileDatabase } from "../../../test/harness.ts";
import { shapeOf } from "../../geography/shape.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase } from "../../platform/postgres/database.ts";
import type { RecordItem } from "../../places/record.ts";
import { importItems } from "../../data-sets/import.ts";
import { createCatalog } from "../../sources/catalog/catalog.ts";
import { place, town, yielded } from "../../sources/catalog/testing.ts";
import { SourceFailure } from "../../sources/source.ts";
import { markedPagesMax, outcomeOfMarked } from "./cells.ts";

const box = [47, 9, 47.1, 9.1] as const;
/** Two towns with one box: the halves of it on either side of a diagonal. */
const boundaries = [
  {
    name: "Vaduz",
    rings: [
      [47, 9],
      [47, 9.1],
      [47.1, 9],
      [47, 9],
    ] as const,
  },
  {
    name: "Schaan",
    rings: [
      [47.1, 9.1],
      [47, 9.1],
      [47.1, 9],
      [47.1, 9.1],
    ] as const,
  },
].map(({ name, rings }) => town(name, 47.05, 9.05, { sourceId: `osm:r-${name}`, box, shape: shapeOf([rings], 100) }));

/** A cafe at a share of the way from one corner to the other. */
function cafe(number: number, share: number): RecordItem {
  const point = { latitude: 47 + share / 10, longitude: 9 + ((number * 7) % 10) / 1_000 + share / 10 };
  return place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"], ...point });
}

const inVaduz = Array.from({ length: 45 }, (_, at) => cafe(at, 0.1 + at / 200));
const inSchaan = Array.from({ length: 30 }, (_, at) => cafe(100 + at, 0.6 + at / 200));
const namesOf = (items: readonly RecordItem[]) =>
  new Set(items.flatMap((item) => ("place" in item ? [item.place.name] : [])));

async function givenTowns(t: TestContext) {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 5, log: silentLog });
  t.after(() => db.end());
  const load = (items: readonly RecordItem[]) => {
    const { signal } = new AbortController();
    return importItems({ name: "test", origin: "test" }, yielded(items), { connection, clock: systemClock, signal });
  };
  await load([...boundaries, ...inVaduz, ...inSchaan]);
  /** What another machine has, too. */
  const catalogOfMachine = async () => createCatalog({ db, index: await givenPlaceIndex(t, db) });
  return { load, catalogOfMachine };
}

test("a named place is collected exactly, and is estimated to what it costs", async (t) => {
  const { catalogOfMachine } = await givenTowns(t);
  const api = await startCollections(t, { source: await catalogOfMachine() });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const asked = { q: "cafe", area: { place: "Vaduz" } };

  const estimate = await api.call("/api/v1/collections/estimate", { key, json: asked });
  const { body } = await api.collect(key, asked);
  const collection = await api.collected(key, body["data"].id);

  const records = await api.recordsOf(key, collection.id);
  assert.equal(collection.status, "succeeded", JSON.stringify(collection));
  assert.deepEqual(new Set(records.map((record) => record.place.name)), namesOf(inVaduz));
  assert.equal(records.length, inVaduz.length);
  assert.deepEqual([collection.progress.pages, collection.progress.cells_total], [3, 1]);
  assert.deepEqual([body["data"].query_reading, collection.query_reading], [null, "Cafe"]);
  const { businesses, units, is_complete: isComplete } = estimate.body["data"];
  assert.deepEqual([businesses, units, isComplete], [45, 3, true]);
});

test("another machine goes on where one stopped, though places were imported and moved meanwhile", async (t) => {
  const { load, catalogOfMachine } = await givenTowns(t);
  const [one, other] = [await catalogOfMachine(), await catalogOfMachine()];
  const { signal } = new AbortController();
  const area = await one.findArea("Vaduz", { hl: "en" }, signal);
  assert.ok(area?.kind === "box" && area.id !== undefined);
  const read = (catalog: typeof one, after: string | null) => {
    const within = { box, contains: () => false, area: area.id ?? "", after };
    return catalog.search({ q: "cafe", page: 1, hl: "en", extra: false, within }, signal);
  };

  const first = await read(one, null);
  assert.deepEqual([first.listings.length, typeof first.next], [20, "string"]);
  const seen = new Set(first.listings.map(({ name }) => name));
  const stays = inVaduz.filter((item) => "place" in item && !seen.has(item.place.name));
  const [moved, ...others] = inVaduz.filter((item) => "place" in item && seen.has(item.place.name));
  assert.ok(moved && "place" in moved);
  const movedOn = { place: { ...moved.place, latitude: 47.012, longitude: 9.08 } };
  await load([...boundaries, ...others, movedOn, ...stays, ...inSchaan]);
  const names = [...seen];
  for (let next = first.next ?? null; next !== null;) {
    const page = await read(other, next);
    names.push(...page.listings.map(({ name }) => name));
    next = page.next ?? null;
  }

  assert.deepEqual(new Set(names), namesOf(inVaduz));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  assert.ok(
    twice.every((name) => name === movedOn.place.name),
    twice.join(),
  );
});

test("a machine that is behind the page before asks for a moment, and one whose catalog lost the area fails", async (t) => {
  const { load, catalogOfMachine } = await givenTowns(t);
  const catalog = await catalogOfMachine();
  const { signal } = new AbortController();
  const read = (area: string, after: string | null) => {
    const within = { box, contains: () => true, area, after };
    return catalog.search({ q: "cafe", page: 1, hl: "en", extra: false, within }, signal);
  };
  const isFailure = (action: string) => (error: unknown) => error instanceof SourceFailure && error.action === action;

  await assert.rejects(read("osm:r-Vaduz", "1000:0"), isFailure("slow_down"));
  await load([...inVaduz, ...inSchaan]);
  await assert.rejects(read("osm:r-Vaduz", null), isFailure("try_again"));
});

test("a cell that goes on by marks ends behind the last page, and hands over before its pages are too many", () => {
  assert.equal(outcomeOfMarked(null, markedPagesMax), "done");
  assert.equal(outcomeOfMarked("1:2", markedPagesMax - 1), "next");
  assert.equal(outcomeOfMarked("1:2", markedPagesMax), "split");
});
