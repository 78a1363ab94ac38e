import { onlySource } from "../../sources/selection.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { startCollections } from "../../../test/collections.ts";
import { cameraSource, metropolis } from "../../../test/metropolis.ts";
import { newId, newUuid } from "../../platform/ids.ts";
import { silentLog } from "../../platform/log.ts";
import { type Source, SourceFailure } from "../../sources/source.ts";
import { aPlace } from "../../../test/place.ts";
import { AllowanceExhausted } from "../billing/index.ts";
import { createCollectionQueue } from "./index.ts";

const spots = metropolis(400);
const wholeCity = { bbox: [46.9, 15, 47.6, 15.9] };
const exhausted = AllowanceExhausted({ allowance: 5, remaining: 0, resetsAt: new Date() });

/** A source that counts what lies in the bounds, and waits where a test holds it. */
function countingSource() {
  const places = spots.map(({ name, ...location }, index) => aPlace({ placeId: `spot:${index}`, name, location }));
  const held = { gate: Promise.resolve(), calls: 0, failure: undefined as SourceFailure | undefined };
  const source: Source = {
    name: "counting",
    async search({ within, page }, signal) {
      held.calls += 1;
      await held.gate;
      signal.throwIfAborted();
      if (held.failure) throw held.failure;
      const [south, west, north, east] = within?.box ?? [-90, -180, 90, 180];
      const matching = places.filter(({ location }) => {
        const { latitude = 0, longitude = 0 } = location ?? {};
        return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
      });
      const listings = matching.slice((page - 1) * 20, page * 20);
      return { listings, verdict: listings.length > 0 ? "ok" : "empty", matching: matching.length };
    },
  };
  return { source, held };
}

test("the ceiling ends a collection as partial, and coverage says what was left out", async (t) => {
  const api = await startCollections(t, { source: countingSource().source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { body } = await api.collect(key, { area: wholeCity, max_units: 7 });
  const collection = await api.collected(key, body["data"].id);

  assert.equal(collection.status, "partial");
  assert.equal(collection.status_reason, "max_units_reached");
  assert.equal(collection.progress.units_charged, 7);
  assert.equal((await api.billing.balance(organizationId)).used, 7);
  const states = (await api.cellsOf(key, collection.id)).map(({ properties }) => properties.state);
  assert.ok(states.includes("left_out"), states.join());
  assert.ok(!states.includes("pending"), states.join());
});

test("an allowance that is used up pauses a collection, which goes on when it is resumed", async (t) => {
  const api = await startCollections(t, { source: countingSource().source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  await api.billing.setAllowance(organizationId, 5);
  api.givenWorker();

  const { body } = await api.collect(key, { area: wholeCity });
  const paused = await api.untilCollection(key, body["data"].id, ({ status }) => status === "paused");
  const { used } = await api.billing.balance(organizationId);

  assert.equal(paused.status_reason, "allowance_exhausted");
  assert.equal(used, 5);
  await api.billing.setAllowance(organizationId, 1_000);
  const resumed = await api.control(key, paused.id, "resume");
  assert.equal(resumed.body["data"].status_reason, null);
  const collection = await api.collected(key, paused.id);
  assert.equal(collection.status, "succeeded");
  assert.equal(collection.progress.businesses, 400);
  assert.equal((await api.billing.balance(organizationId)).used, collection.progress.units_charged);
});

test("a worker that was refused a unit before the owner resumed does not pause the collection again", async (t) => {
  const { source } = countingSource();
  const api = await startCollections(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { body } = await api.collect(key, { area: { bbox: [-20, 170, -10, -170] } });
  const queue = createCollectionQueue({
    db: api.db,
    isLocal: false,
    sources: onlySource(source),
    businesses: {
      asRequestedByOwners: async (listings) => listings,
      identify: async () => assert.fail("there is no page to store"),
    },
    billing: { ...api.billing, requireUnits: () => Promise.reject(exhausted) },
    webhooks: api.webhooks,
    log: silentLog,
  });
  const [early, late] = await queue.claim(2, false);
  assert.ok(early && late);
  const { signal } = new AbortController();

  await queue.run(early, signal);
  const paused = (await api.readCollection(key, body["data"].id)).body["data"];
  await api.control(key, paused.id, "resume");
  await queue.run(late, signal);

  assert.equal(paused.status_reason, "allowance_exhausted");
  const { status, status_reason: reason } = (await api.readCollection(key, paused.id)).body["data"];
  assert.deepEqual({ status, reason }, { status: "running", reason: null });
});

test("a pause stops the work without a charge, resume goes on, and cancel ends it for good", async (t) => {
  const { source, held } = countingSource();
  const gate = Promise.withResolvers<void>();
  held.gate = gate.promise;
  const api = await startCollections(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { body } = await api.collect(key, { area: wholeCity });
  const { id } = body["data"];
  await api.untilCollection(key, id, ({ status }) => status === "running" && held.calls > 0);

  const paused = await api.control(key, id, "pause");
  gate.resolve();

  assert.equal(paused.body["data"].status, "paused");
  assert.equal(paused.body["data"].status_reason, "requested");
  assert.equal((await api.control(key, id, "pause")).body["data"].status, "paused");
  assert.equal((await api.billing.balance(organizationId)).used, 0);
  assert.equal((await api.control(key, id, "resume")).body["data"].status, "running");
  await api.untilCollection(key, id, ({ progress }) => progress.pages > 0);
  const canceled = await api.control(key, id, "cancel");
  const after = canceled.body["data"];
  if (after.status === "canceled") assert.equal(after.status_reason, "requested");
  assert.equal((await api.control(key, id, "cancel")).status, 200);
  for (const verb of ["pause", "resume"] as const) {
    const refused = await api.control(key, id, verb);
    assert.equal(refused.status, 409);
    assert.equal(refused.body["error"].code, "state_conflict");
  }
});

test("a canceled collection stays canceled, and its events say so", async (t) => {
  const api = await startCollections(t, { source: countingSource().source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { body } = await api.collect(key, { area: wholeCity });

  const canceled = await api.control(key, body["data"].id, "cancel");

  assert.equal(canceled.body["data"].status, "canceled");
  const [event, ...more] = await api.collectionEvents(body["data"].id);
  assert.deepEqual(more, []);
  assert.equal(event.type, "scrape.canceled");
  assert.equal(event.resource.type, "collection");
  assert.equal(event.data.operation, "places.collect");
  const states = (await api.cellsOf(key, body["data"].id)).map(({ properties }) => properties.state);
  assert.deepEqual(states, ["left_out"]);
});

test("a source that keeps failing ends a collection as failed, and one that is busy costs nothing", async (t) => {
  const { source, held } = countingSource();
  held.failure = new SourceFailure("slow_down", "source_unavailable", "busy", { retryAfterSeconds: 1 });
  const api = await startCollections(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const { body } = await api.collect(key, { area: wholeCity });
  await api.untilCollection(key, body["data"].id, () => held.calls >= 2);
  assert.equal((await api.readCollection(key, body["data"].id)).body["data"].status, "running");
  held.failure = new SourceFailure("give_up", "source_failed", "blocked");
  const collection = await api.collected(key, body["data"].id);

  assert.equal(collection.status, "failed");
  assert.equal(collection.status_reason, "source_unavailable");
  assert.equal((await api.billing.balance(organizationId)).used, 0);
  const types = (await api.collectionEvents(collection.id)).map(({ type }) => type);
  assert.deepEqual(types, ["scrape.started", "scrape.failed"]);
});

test("the same key creates one collection, and another body under it is refused", async (t) => {
  const api = await startCollections(t, { source: cameraSource(spots) });
  const { text: key } = await api.givenKey({ environment: "live" });
  const idempotencyKey = newUuid();

  const twins = await Promise.all(Array.from({ length: 3 }, () => api.collect(key, {}, idempotencyKey)));
  const other = await api.collect(key, { q: "baker" }, idempotencyKey);

  assert.equal(new Set(twins.map(({ body }) => body["data"].id)).size, 1);
  assert.equal(twins.filter(({ headers }) => headers.get("idempotent-replayed") === "true").length, 2);
  assert.equal(other.body["error"].code, "idempotency_key_reused");
});

test("a test key gets a simulated collection that has ended, for no unit, and can export it", async (t) => {
  const api = await startCollections(t);
  const { text: key } = await api.givenKey();

  const created = await api.collect(key, { q: "coffee", area: { place: "Vaduz" } });

  assert.equal(created.status, 200, created.text);
  const { id, status, progress } = created.body["data"];
  assert.equal(status, "succeeded");
  assert.equal(progress.units_charged, 0);
  assert.ok(progress.cells_total > 1 && progress.cells_done === progress.cells_total);
  const records = await api.recordsOf(key, id);
  assert.equal(records.length, progress.businesses);
  const exported = await api.createExport(key, { collection_id: id, format: "ndjson" });
  assert.equal(exported.body["data"].status, "ready", exported.text);
  assert.equal(exported.body["data"].row_count, records.length);
  const listed = await api.call("/api/v1/collections", { key });
  assert.deepEqual(
    listed.body["data"].map((each: { id: string }) => each.id),
    [id],
  );
});

test("a simulated collection is of the town that its area names, or that is nearest to what is drawn", async (t) => {
  const api = await startCollections(t);
  const { text: key } = await api.givenKey();
  const circle = { latitude: 48.2, longitude: 16.37, radius_m: 5_000 };

  const named = (await api.collect(key, { q: "dentists", area: { place: "Bludenz" } })).body["data"];
  const drawn = (await api.collect(key, { q: "dentists", area: { circle } })).body["data"];

  for (const [{ id }, city, [south, west]] of [
    [named, "Bludenz", [47.1, 9.7]],
    [drawn, "Vienna", [48.1, 16.2]],
  ] as const) {
    const places = (await api.recordsOf(key, id)).map(({ place }) => place);
    assert.deepEqual(
      new Set(places.map(({ address, category }) => `${category} ${address.city}`)),
      new Set([`Dentist ${city}`]),
    );
    const [cell] = await api.cellsOf(key, id);
    const [longitude, latitude] = cell.geometry.coordinates[0][0];
    assert.ok(
      Math.abs(latitude - south) < 0.2 && Math.abs(longitude - west) < 0.3,
      JSON.stringify([latitude, longitude]),
    );
  }
});

test("the ceiling ends a simulated collection as it ends a live one", async (t) => {
  const api = await startCollections(t);
  const { text: key } = await api.givenKey();
  const wanted = { q: "coffee", area: { place: "Vaduz" } };
  const whole = (await api.collect(key, wanted)).body["data"];

  const enough = (await api.collect(key, { ...wanted, max_units: whole.progress.pages })).body["data"];
  const first = (await api.collect(key, { ...wanted, max_units: 1 })).body["data"];
  const short = (await api.collect(key, { ...wanted, max_units: 2 })).body["data"];

  assert.deepEqual([enough.status, enough.progress], ["succeeded", whole.progress]);
  assert.deepEqual([first.status, first.progress.businesses], ["partial", 20]);
  assert.deepEqual([short.status, short.status_reason], ["partial", "max_units_reached"]);
  const { pages, units_charged: units, cells_done: done, cells_total: total, businesses } = short.progress;
  assert.deepEqual([pages, units, businesses], [2, 0, 20]);
  const cells = await api.cellsOf(key, short.id);
  assert.equal(cells.filter(({ properties }) => properties.state === "left_out").length, total - done);
  assert.equal((await api.recordsOf(key, short.id)).length, businesses);
});

test("a test key's query decides how its simulated collection ends", async (t) => {
  const api = await startCollections(t);
  const { text: key } = await api.givenKey();
  const ends = [
    ["test:empty", "succeeded", null, ["done", "split"]],
    ["test:partial", "partial", "source_unavailable", ["done", "failed", "split"]],
    ["TEST:Failed", "failed", "source_unavailable", ["failed"]],
    ["test:canceled", "canceled", "requested", ["left_out"]],
  ] as const;
  for (const [q, status, reason, states] of ends) {
    const { data } = (await api.collect(key, { q, area: { place: "Vaduz" } })).body;

    assert.deepEqual([data.status, data.status_reason], [status, reason], q);
    const cells = await api.cellsOf(key, data.id);
    assert.deepEqual(new Set(cells.map(({ properties }) => properties.state)), new Set(states), q);
    const records = await api.recordsOf(key, data.id);
    assert.equal(records.length, data.progress.businesses, q);
    assert.equal(records.length > 0, status === "partial", q);
  }
});

// 404 and not 403: a 403 would confirm to one organization that another's id exists.
test("another organization's collection does not exist", async (t) => {
  const api = await startCollections(t);
  const { text: owner } = await api.givenKey();
  const { text: stranger } = await api.givenKey();
  const { body } = await api.collect(owner, { area: { place: "Vaduz" } });
  const { id } = body["data"];

  for (const path of ["", "/results", "/coverage"]) {
    assert.equal((await api.call(`/api/v1/collections/${id}${path}`, { key: stranger })).status, 404, path);
  }
  for (const verb of ["pause", "resume", "cancel"] as const) {
    assert.equal((await api.control(stranger, id, verb)).status, 404, verb);
  }
  assert.equal((await api.createExport(stranger, { collection_id: id, format: "csv" })).status, 404);
  assert.equal((await api.readCollection(owner, newId("col"))).status, 404);
});

test("an area that is none is refused with what to do about it", async (t) => {
  const api = await startCollections(t);
  const { text: key } = await api.givenKey();
  const square = [
    [9, 47],
    [10, 47],
    [10, 48],
    [9, 47],
  ];
  const ring = Array.from({ length: 10_001 }, (_, index) => [9 + index / 1e5, 47 + (index % 2) / 10]);
  const polygon = (coordinates: unknown, type = "Polygon") => ({ polygon: { type, coordinates } });
  const bad = [
    {},
    { place: "Vaduz", bbox: [47, 9, 48, 10] },
    { place: "x" },
    { bbox: [47, 9, 48] },
    { bbox: [48, 9, 47, 10] },
    { bbox: [47, 9, 47.5, 9] },
    { bbox: [47, 180, 47.5, -180] },
    { bbox: [91, 9, 92, 10] },
    { bbox: ["47", 9, 48, 10] },
    { circle: { latitude: 47, longitude: 9 } },
    { circle: { latitude: 47, longitude: 9, radius_m: 0 } },
    polygon([]),
    polygon([square.slice(0, 3)]),
    polygon([[...square.slice(0, 3), [9, 47.1]]]),
    polygon([
      [
        [9, 47],
        [9, 47],
        [9, 47],
        [9, 47],
      ],
    ]),
    polygon([
      [
        [9, 47],
        [200, 47],
        [10, 48],
        [9, 47],
      ],
    ]),
    polygon([
      [
        [9, 47],
        ["a", 47],
        [10, 48],
        [9, 47],
      ],
    ]),
    polygon([square], "MultiPolygon"),
    polygon([null]),
    polygon([[...ring, ring[0]]]),
    polygon([square], "Point"),
  ];

  for (const area of bad) {
    const { status, body } = await api.collect(key, { area });
    assert.equal(status, 400, JSON.stringify(area).slice(0, 200));
    assert.equal(body["error"].code, "invalid_request");
    assert.match(body["error"].details[0], /^\/area/);
  }
  const good = [polygon([square]), polygon([[square]], "MultiPolygon"), { bbox: [-20, 170, -10, -170] }];
  for (const area of good) assert.equal((await api.collect(key, { area })).status, 200, JSON.stringify(area));
});

test("a page of the list ends early when its areas are large, and the cursor goes on without a gap", async (t) => {
  const api = await startCollections(t);
  const { text: key } = await api.givenKey();
  const points = Array.from({ length: 9_999 }, (_, index) => {
    const angle = (index * 2 * Math.PI) / 9_999;
    return [9.5 + Math.cos(angle) / 10, 47 + Math.sin(angle) / 10];
  });
  const polygon = { type: "Polygon", coordinates: [[...points, points[0]]] };
  const created: string[] = [];
  for (const area of [{ place: "Vaduz" }, { polygon }, { polygon }, { polygon }, { polygon }, { place: "Vaduz" }]) {
    const { status, body, text } = await api.collect(key, { area });
    assert.equal(status, 200, text);
    created.unshift(body["data"].id);
  }

  const pages: string[][] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body, text } = await api.call(`/api/v1/collections?limit=100${cursor && `&cursor=${cursor}`}`, { key });
    pages.push(body["data"].map(({ id }: { id: string }) => id));
    cursor = body["pagination"].next_cursor;
    assert.ok(text.length < 2_000_000, `${text.length} characters`);
  }

  assert.deepEqual(pages.flat(), created);
  assert.ok(pages.length > 1);
});
