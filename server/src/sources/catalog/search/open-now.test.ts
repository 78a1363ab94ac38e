import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../../places/record.ts";
import { recordOf } from "../../../places/osm-tags/index.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog } from "../testing.ts";

const vaduz = { latitude: 47.141, longitude: 9.521 };
const ll = "@47.141,9.521,14z";
let lastId = 0;

/** A place as its tags describe it, a little farther from the middle with each. */
function tagged(name: string, tags: Record<string, string>): { place: PlaceRecord } {
  lastId += 1;
  const point = { latitude: vaduz.latitude + lastId / 20_000, longitude: vaduz.longitude };
  const record = recordOf({ type: "node", id: lastId, tags: { name, ...tags }, ...point });
  assert.ok(record, name);
  return { place: record };
}

const items = [
  tagged("Luce", { amenity: "restaurant" }),
  tagged("Torkel", { amenity: "restaurant", opening_hours: "Mo-Su 11:00-22:00" }),
  tagged("Green", { amenity: "restaurant", opening_hours: "Mo-Fr 09:00-12:00" }),
  tagged("Notapotheke", { amenity: "pharmacy", opening_hours: "24/7" }),
];

test("open now goes by the clock of the place: open, then unknown, then closed", async (t) => {
  const { load, db, index } = await givenCatalog(t);
  await load(items);
  let now = new Date();
  const catalog = createCatalog({ db, index, now: () => now });
  const at = async (time: string) => {
    now = new Date(time);
    const query = { q: "restaurants open now", page: 1, hl: "en", ll, extra: false };
    const { listings } = await catalog.search(query, new AbortController().signal);
    return listings.map(({ name }) => name ?? "");
  };

  const monday = await at("2026-09-21T09:30:00Z"); // half past eleven in Vaduz
  const evening = await at("2026-09-21T19:00:00Z");
  const night = await at("2026-09-21T23:00:00Z");

  assert.deepEqual(monday.slice(0, 2).toSorted(), ["Green", "Torkel"]);
  assert.equal(evening[0], "Torkel");
  assert.equal(evening.at(-1), "Green");
  assert.deepEqual(night.slice(-2).toSorted(), ["Green", "Torkel"]);
});
