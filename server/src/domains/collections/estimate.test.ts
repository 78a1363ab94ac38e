import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../../test/harness.ts";
import { callTool } from "../../../test/mcp.ts";
import { aPlace } from "../../../test/place.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Source } from "../../sources/source.ts";

const path = "/api/v1/collections/estimate";

/** A source of our own with places in a diagonal, which counts within bounds. */
function countingSource(placesCount: number, isLocal = true): Source & { searches: number } {
  const points = Array.from({ length: placesCount }, (_, index) => 47 + index / placesCount);
  return {
    name: "counting",
    isLocal,
    searches: 0,
    async search({ within }) {
      this.searches += 1;
      const inside = points.filter((at) => {
        const [south, west, north, east] = within?.box ?? [0, 0, 0, 0];
        return at >= south && at < north && at - 38 >= west && at - 38 < east;
      });
      return {
        listings: inside.slice(0, 20).map((at) => aPlace({ placeId: `p${at}` })),
        verdict: "ok",
        matching: inside.length,
      };
    },
    findArea: async (name) => (name === "Nowhere" ? undefined : { kind: "box", box: [47, 9, 48, 10] }),
  };
}

test("an estimate counts as collecting would, and charges nothing", async (t) => {
  const source = countingSource(450);
  const api = await startApi(t, { source });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const json = { q: "coffee", area: { place: "Somewhere" } };
  const { status, body } = await api.call(path, { key, json });
  const overMcp = await callTool(api, key, "estimate_collection", { q: "coffee", place: "Somewhere" });

  assert.equal(status, 200);
  // One page for the whole, which has more than ten pages; quarters on the diagonal have 225, so they split again.
  const quarters = 4 * Math.ceil(113 / 20);
  assert.equal(body["data"].businesses, 450);
  assert.equal(body["data"].is_complete, true);
  assert.deepEqual(body["data"].bounds, [[47, 9, 48, 10]]);
  // Of the parts off the diagonal each costs the page that proves it empty: two quarters, four parts of quarters.
  assert.equal(body["data"].units, 1 + 2 + 2 + 4 + quarters);
  assert.deepEqual([body["data"].source, body["data"].source_as_of], ["counting", "2026-01-01T00:00:00.000Z"]);
  assert.deepEqual(overMcp.structuredContent["estimate"], body["data"]);
  const { rows: charged } = await api.db.query(sql`
    select 1 as charged from ledger_entries where organization_id = ${organizationId}
  `);
  assert.deepEqual(charged, []);
});

test("an estimate stops counting at its bound and says that there is more", async (t) => {
  let searches = 0;
  const source: Source = {
    ...countingSource(1),
    async search() {
      searches += 1;
      return { listings: [], verdict: "ok", matching: 1_000_000 };
    },
  };
  const api = await startApi(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });

  const { body } = await api.call(path, { key, json: { q: "coffee", area: { place: "Somewhere" } } });

  assert.equal(body["data"].is_complete, false);
  assert.ok(searches <= 300, `${searches} searches`);
});

test("what a source cannot count for free is unknown, and a place that nobody knows is named", async (t) => {
  const source = countingSource(50, false);
  const api = await startApi(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const bbox = [47, 9, 48, 10];
  const { text: testKey } = await api.givenKey({ environment: "test" });

  const unknown = await api.call(path, { key, json: { q: "coffee", area: { bbox } } });
  const nowhere = await api.call(path, { key, json: { q: "coffee", area: { place: "Nowhere" } } });
  const free = await api.call(path, { key: testKey, json: { q: "coffee", area: { bbox } } });

  assert.deepEqual([unknown.body["data"].units, source.searches], [null, 0]);
  assert.equal(nowhere.status, 400);
  assert.match(nowhere.body["error"].details[0], /^\/area\/place: must be a town, region or country/);
  assert.deepEqual([free.body["data"].units, free.body["data"].source], [0, "fixtures"]);
});

test("the body of an estimate is that of a creation without its ceiling, and a test key rehearses errors with it", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey({ environment: "test" });
  const { text: writer } = await api.givenKey({ environment: "test", scopes: ["scrapes:write"] });
  const json = { q: "coffee", area: { circle: { latitude: 47, longitude: 9, radius_m: 500 } }, hl: "de", extra: true };

  const estimated = await api.call(path, { key, json });
  const ceiling = await api.call(path, { key, json: { ...json, max_units: 5 } });
  const rehearsed = await api.call(path, { key, json: { ...json, q: "test:error:source_unavailable" } });
  const refused = await api.call(path, { key: writer, json });

  assert.equal(estimated.status, 200);
  assert.deepEqual(ceiling.body["error"].details, ["/max_units: is not known here"]);
  assert.equal(rehearsed.body["error"].code, "source_unavailable");
  assert.deepEqual(refused.body["error"].details, ["scope: scrapes:read is required"]);
});
