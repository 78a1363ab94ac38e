import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPerson } from "../../test/console.ts";
import { startApi } from "../../test/harness.ts";
import { aPlace } from "../../test/place.ts";
import type { Source } from "../sources/source.ts";

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
  const member = await givenPerson(api, "member", await api.givenOrganization());

  const { status, body } = await member.call("/estimates/live", {
    json: { q: "coffee", area: { place: "Somewhere" } },
  });

  assert.equal(status, 200);
  // One page for the whole, which has more than ten pages; quarters on the diagonal have 225, so they split again.
  const quarters = 4 * Math.ceil(113 / 20);
  assert.equal(body["data"].businesses, 450);
  assert.equal(body["data"].is_complete, true);
  assert.deepEqual(body["data"].bounds, [[47, 9, 48, 10]]);
  // Of the parts off the diagonal each costs the page that proves it empty: two quarters, four parts of quarters.
  assert.equal(body["data"].units, 1 + 2 + 2 + 4 + quarters);
  assert.equal((await member.call("/usage")).body["data"].used, 0);
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
  const member = await givenPerson(api, "member", await api.givenOrganization());

  const { body } = await member.call("/estimates/live", { json: { q: "coffee", area: { place: "Somewhere" } } });

  assert.equal(body["data"].is_complete, false);
  assert.ok(searches <= 300, `${searches} searches`);
});

test("what a source cannot count for free is unknown, and a place that nobody knows is named", async (t) => {
  const source = countingSource(50, false);
  const api = await startApi(t, { source });
  const member = await givenPerson(api, "member", await api.givenOrganization());
  const bbox = [47, 9, 48, 10];

  const unknown = await member.call("/estimates/live", { json: { q: "coffee", area: { bbox } } });
  const nowhere = await member.call("/estimates/live", { json: { q: "coffee", area: { place: "Nowhere" } } });
  const free = await member.call("/estimates/test", { json: { q: "coffee", area: { bbox } } });

  assert.deepEqual([unknown.body["data"].units, source.searches], [null, 0]);
  assert.equal(nowhere.status, 400);
  assert.match(nowhere.body["error"].details[0], /^\/area\/place: must be a town, region or country/);
  assert.equal(free.body["data"].units, 0);
});
