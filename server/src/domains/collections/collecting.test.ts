import assert from "node:assert/strict";
import { test } from "node:test";
import { startCollections } from "../../../test/collections.ts";
import { asRecords, cameraSource, isInOutline, metropolis, outline } from "../../../test/metropolis.ts";
import { fileDatabase } from "../../../test/harness.ts";
import { aPlace } from "../../../test/place.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase } from "../../platform/postgres/database.ts";
import { givenPlaceIndex } from "../../../test/place-index.ts";
import { createCatalog } from "../../sources/catalog/catalog.ts";
import { importItems } from "../../data-sets/import.ts";
import { listingsMax, type Source, type SourceQuery } from "../../sources/source.ts";

const businesses = metropolis(4_000);
const inside = businesses.filter(isInOutline).map(({ name }) => name);

test("a metropolis is collected whole: each business once, nothing outside, for little more than its pages", async (t) => {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 5, log: silentLog });
  t.after(() => db.end());
  const { signal } = new AbortController();
  const items = (async function* () {
    yield* asRecords(businesses);
  })();
  await importItems({ name: "city", origin: "city.file" }, items, { connection, clock: systemClock, signal });
  const api = await startCollections(t, { source: createCatalog({ db, index: await givenPlaceIndex(t, db) }) });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const created = await api.collect(key, { area: { polygon: outline } });
  assert.equal(created.status, 202, created.text);
  assert.equal(created.headers.get("location"), created.body["data"].links.self);
  const collection = await api.collected(key, created.body["data"].id);

  assert.equal(collection.status, "succeeded", JSON.stringify(collection));
  const records = await api.recordsOf(key, collection.id);
  const names = records.map(({ place }) => place.name);
  assert.deepEqual(new Set(names), new Set(inside));
  assert.equal(names.length, inside.length);
  assert.equal(new Set(records.map(({ businessId }) => businessId)).size, records.length);
  const { pages, units_charged: units } = collection.progress;
  assert.equal(units, pages);
  const least = Math.ceil(inside.length / 20);
  t.diagnostic(`${inside.length} businesses, ${units} units, ${(units / least).toFixed(2)} of the least`);
  assert.ok(units <= 1.5 * least, `${units} units for ${least} pages`);
  assert.equal((await api.billing.balance(organizationId)).used, units);
  const cells = await api.cellsOf(key, collection.id);
  assert.ok(cells.every(({ properties }) => ["done", "split"].includes(properties.state)));
  assert.equal(
    cells.reduce((sum, { properties }) => sum + properties.pages, 0),
    pages,
  );
});

test("a source that only has a camera is covered by splitting, and clipped", async (t) => {
  const spots = businesses.slice(0, 700);
  const api = await startCollections(t, { source: cameraSource(spots) });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { body } = await api.collect(key, { area: { polygon: outline } });
  const collection = await api.collected(key, body["data"].id);

  assert.equal(collection.status, "succeeded");
  const names = (await api.recordsOf(key, collection.id)).map(({ place }) => place.name);
  const expected = spots.filter(isInOutline).map(({ name }) => name);
  assert.deepEqual(new Set(names), new Set(expected));
  assert.equal(names.length, expected.length);
});

/** A source with so many businesses on 20 rows a page, of which each page repeats or cannot show some. */
function spoiledSource(leftOut: { repeated: number; unreadable: number }): Source {
  const perPage = listingsMax - leftOut.repeated - leftOut.unreadable;
  return {
    name: "spoiled",
    async search({ page }: SourceQuery) {
      const isLast = page === 3;
      const listings = Array.from({ length: isLast ? 5 : perPage }, (_, index) =>
        aPlace({ placeId: `spot:${page}/${index}`, location: { latitude: 47.5, longitude: 9.5 + index / 1_000 } }),
      );
      if (isLast) return { listings, verdict: "ok", rowCount: 5, unreadableCount: 0 };
      const verdict = leftOut.unreadable > 0 ? "trimmed" : "ok";
      return { listings, verdict, rowCount: listingsMax, unreadableCount: leftOut.unreadable };
    },
  };
}

for (const [what, leftOut, status, count] of [
  ["repeats some", { repeated: 2, unreadable: 0 }, "succeeded", 41],
  ["has some that cannot be read", { repeated: 0, unreadable: 3 }, "partial", 39],
] as const) {
  test(`a full page that ${what} is followed by the next, and the collection is ${status}`, async (t) => {
    const api = await startCollections(t, { source: spoiledSource(leftOut) });
    const { text: key } = await api.givenKey({ environment: "live" });
    api.givenWorker();

    const { body } = await api.collect(key);
    const collection = await api.collected(key, body["data"].id);

    assert.deepEqual([collection.status, collection.status_reason], [status, null]);
    assert.deepEqual([collection.progress.pages, collection.progress.businesses], [3, count]);
  });
}

test("a source that counts and cannot read some is not asked again for the quarters", async (t) => {
  const listings = [aPlace({ placeId: "spot:1", location: { latitude: 47.5, longitude: 9.5 } })];
  const source: Source = {
    name: "counting",
    search: async () => ({ listings, verdict: "trimmed", matching: 1, unreadableCount: 1 }),
  };
  const api = await startCollections(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { body } = await api.collect(key);
  const collection = await api.collected(key, body["data"].id);

  assert.deepEqual([collection.status, collection.status_reason], ["partial", null]);
  assert.deepEqual([collection.progress.pages, collection.progress.businesses], [1, 1]);
});

test("a source that turns no pages costs one repeated page a cell, and is covered by splitting", async (t) => {
  const spots = Array.from({ length: 60 }, (_, index) =>
    aPlace({
      placeId: `spot:${index}`,
      location: { latitude: 47.01 + (index % 8) / 8, longitude: 9.01 + Math.floor(index / 8) / 8 },
    }),
  );
  const source: Source = {
    name: "first page only",
    async search({ within }: SourceQuery) {
      const [south, west, north, east] = within?.box ?? [0, 0, 0, 0];
      const found = spots.filter(({ location }) => {
        const { latitude, longitude } = location ?? { latitude: 0, longitude: 0 };
        return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
      });
      return { listings: found.slice(0, listingsMax), verdict: found.length > 0 ? "ok" : "empty" };
    },
  };
  const api = await startCollections(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { body } = await api.collect(key);
  const collection = await api.collected(key, body["data"].id);

  assert.equal(collection.status, "succeeded");
  // The whole area twice, then its quarters, of which none is full.
  assert.deepEqual([collection.progress.pages, collection.progress.businesses], [6, 60]);
});

for (const [what, pages, units] of [
  ["nor turns pages", 1, 6],
  ["and turns pages", 12, 14],
] as const) {
  test(`a source that does not look where it is pointed ${what} is not asked for ever smaller cells`, async (t) => {
    const spots = Array.from({ length: pages * listingsMax }, (_, index) =>
      aPlace({
        placeId: `spot:${index}`,
        location: { latitude: 47.01 + (index % 20) / 20.5, longitude: 9.01 + (index % 7) / 7.1 },
      }),
    );
    const source: Source = {
      name: "blind",
      async search({ page }: SourceQuery) {
        const first = ((page - 1) % pages) * listingsMax;
        return { listings: spots.slice(first, first + listingsMax), verdict: "ok" };
      },
    };
    const api = await startCollections(t, { source });
    const { text: key } = await api.givenKey({ environment: "live" });
    api.givenWorker();

    const { body } = await api.collect(key, { max_units: 200 });
    const collection = await api.collected(key, body["data"].id);

    assert.deepEqual([collection.status, collection.status_reason], ["partial", null]);
    assert.equal(collection.progress.pages, units);
    assert.equal(collection.progress.businesses, Math.min(pages, 10) * listingsMax);
    const states = (await api.cellsOf(key, collection.id)).map(({ properties }) => properties.state);
    assert.deepEqual(states, ["split", "full", "full", "full", "full"]);
  });
}
