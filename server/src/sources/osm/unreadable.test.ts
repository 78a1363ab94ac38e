import assert from "node:assert/strict";
import { test } from "node:test";
import { manualClock } from "../../../test/harness.ts";
import { guard } from "../breaker.ts";
import { SourceFailure, type SourceQuery } from "../source.ts";
import { overpassAnswer, startWorld, vaduz, type World } from "./testing.ts";

const area = { type: "area", id: 3_601_155_956 };
const cafe = (id: number) => ({
  type: "node",
  id,
  lat: 47.14,
  lon: 9.52,
  tags: { amenity: "cafe", name: `Café ${id}` },
});
const { tags } = cafe(9);

function find(world: World, asked: Partial<SourceQuery> = {}) {
  const query = { q: "coffee in Vaduz", page: 1, hl: "en", extra: false, ...asked };
  return world.source.search(query, new AbortController().signal);
}

const isChangedLayout = (error: unknown) => error instanceof SourceFailure && error.action === "give_up";

const unreadable: [what: string, element: unknown][] = [
  ["a point in texts", { ...cafe(9), lat: "47.14", lon: "9.52" }],
  ["a point off the earth", { ...cafe(9), lat: 471 }],
  ["a way without a center", { type: "way", id: 9, tags }],
  ["a relation with a center of another shape", { type: "relation", id: 9, center: [47.14, 9.52], tags }],
  ["an id that is a text", { ...cafe(9), id: "9" }],
  ["an id below zero", { ...cafe(9), id: -9 }],
  ["an id that is no whole number", { ...cafe(9), id: 9.5 }],
  ["an id beyond all ids", { ...cafe(9), id: 1e300 }],
  ["a name that is a list", { ...cafe(9), tags: { ...tags, name: ["Café 9"] } }],
  ["a name that is null", { ...cafe(9), tags: { ...tags, name: null } }],
  ["tags in a list", { ...cafe(9), tags: [{ k: "name", v: "Café 9" }] }],
  ["no tags but null", { ...cafe(9), tags: null }],
  ["a kind of element that nobody knows", { ...cafe(9), type: "place" }],
  ["no object", "Café 9"],
];

for (const [what, element] of unreadable) {
  test(`${what}: a page that lacks such an element is trimmed, and an answer of nothing else is a failure`, async (t) => {
    const world = await startWorld(t);

    world.overpass = () => overpassAnswer([area, cafe(1), element]);
    const some = await find(world);
    world.overpass = () => overpassAnswer([area, element, element]);
    world.advance(3_600_000);

    assert.deepEqual([some.verdict, some.listings.length], ["trimmed", 1]);
    await assert.rejects(find(world), isChangedLayout);
  });
}

test("a remark in a shape that nobody knows may be an error, and a byte order mark is no part of an answer", async (t) => {
  const world = await startWorld(t);

  world.overpass = () => overpassAnswer([area, cafe(1)], { remark: { error: "Query timed out" } });
  await assert.rejects(find(world), isChangedLayout);
  world.overpass = () => overpassAnswer([area, cafe(1)], { remark: "rate limited" });
  await assert.rejects(find(world), { action: "slow_down", code: "source_unavailable" });
  world.advance(3_600_000);
  world.overpass = () => ({ body: `\ufeff${String(overpassAnswer([area, cafe(1)]).body)}` });

  assert.equal((await find(world)).listings.length, 1);
});

test("a page behind the last of a trimmed answer is no proof that there is nothing", async (t) => {
  const world = await startWorld(t);
  world.overpass = () => overpassAnswer([area, cafe(1), "Café 9"]);

  assert.deepEqual(await find(world, { page: 2 }), { listings: [], verdict: "trimmed" });
});

test("a relation of relations has no point, and an element without tags is no place: neither trims a page", async (t) => {
  const world = await startWorld(t);
  const bare = [
    { type: "relation", id: 7, center: null, tags },
    { type: "relation", id: 8, tags },
    { type: "node", id: 9, lat: 47.14, lon: 9.52 },
  ];

  world.overpass = () => overpassAnswer([area, cafe(1), ...bare]);
  const some = await find(world);
  world.overpass = () => overpassAnswer([area, ...bare]);
  world.advance(3_600_000);

  assert.deepEqual([some.verdict, some.listings.length], ["ok", 1]);
  await assert.rejects(find(world), { action: "give_up", code: "source_failed", fault: "question" });
});

test("questions that Overpass has no time for, or nothing to list of, leave it open to others", async (t) => {
  const world = await startWorld(t);
  const guarded = guard(world.source, { clock: manualClock() });
  const ask = (q: string) =>
    guarded
      .search({ q, page: 1, hl: "en", extra: false }, new AbortController().signal)
      .catch((error: unknown) => error);
  const timedOut = { remark: 'runtime error: Query timed out in "query" at line 1 after 13 seconds.' };

  for (let times = 0; times < 6; times += 1) {
    world.overpass = () => overpassAnswer([area], timedOut);
    assert.ok((await ask(`coffee ${times} in Vaduz`)) instanceof SourceFailure);
    world.overpass = () => overpassAnswer([area, { type: "relation", id: 8, tags }]);
    assert.ok((await ask(`tea ${times} in Vaduz`)) instanceof SourceFailure);
  }

  assert.equal(guarded.isLeftAlone(), false);
});

test("what cannot be read in the view may be what was asked for, and no town is looked up in its stead", async (t) => {
  const world = await startWorld(t);
  world.overpass = () => overpassAnswer([{ ...cafe(1), tags: { note: "no business" } }, "Café Vaduz"]);

  const page = await find(world, { q: "Café Vaduz", ll: "@47.14,9.52,14z" });

  assert.deepEqual(page, { listings: [], verdict: "trimmed" });
  assert.deepEqual(world.queriesOf("/search"), []);
});

const nowhere: [what: string, change: object][] = [
  ["no latitude and longitude", { lat: null, lon: null }],
  ["an empty latitude", { lat: "" }],
  ["a latitude off the earth", { lat: "999" }],
  ["a longitude off the earth", { lon: "-181" }],
  ["a box of nulls", { boundingbox: [null, null, null, null] }],
  ["a box with three sides", { boundingbox: ["47.09", "47.19", "9.50"] }],
  ["a box that is none", { boundingbox: null }],
  ["a box off the earth", { boundingbox: ["999", "999", "9.50", "9.61"] }],
  ["an id that is a list", { osm_id: [1155956] }],
];

for (const [what, change] of nowhere) {
  test(`Nominatim answers with ${what}: a failure, and Overpass is not asked`, async (t) => {
    const world = await startWorld(t);
    world.nominatim = () => ({ body: JSON.stringify([{ ...vaduz, ...change }]) });

    await assert.rejects(find(world), isChangedLayout);
    assert.deepEqual(world.queriesOf("/api/interpreter"), []);
  });
}

test("what cannot be read behind the first that Nominatim names is left out", async (t) => {
  for (const other of [null, { ...vaduz, lat: "x" }, { ...vaduz, osm_id: [7] }, { ...vaduz, boundingbox: [] }]) {
    const world = await startWorld(t);
    world.nominatim = () => ({ body: JSON.stringify([vaduz, other]) });

    assert.equal((await find(world)).verdict, "ok", JSON.stringify(other));
  }
});

test("tags of digits may be numbers", async (t) => {
  const world = await startWorld(t);
  world.overpass = () => overpassAnswer([area, { ...cafe(1), tags: { ...tags, name: 1818, phone: 2392020 } }]);

  const [listing] = (await find(world)).listings;

  assert.equal(listing?.name, "1818");
});

test("numbers are read from Nominatim as well as texts, and a box that reaches beyond the map is cut", async (t) => {
  const world = await startWorld(t);
  const point = { osm_type: "node", osm_id: 7, category: "place", lat: -16.9, lon: 179.99 };
  world.nominatim = () => ({ body: JSON.stringify([{ ...point, boundingbox: [-16.94, -16.86, 179.95, 180.03] }]) });

  await find(world);

  assert.match(world.queriesOf("/api/interpreter")[0] ?? "", /\(-16\.940000,179\.950000,-16\.860000,180\.000000\)/);
});

test("a kind alone lacks a place, until the question, the view, the country or the bounds give one", async (t) => {
  const { source } = await startWorld(t);
  const lacksPlace = (asked: Partial<SourceQuery>) =>
    source.lacksPlace?.({ q: "restaurant", page: 1, hl: "en", extra: false, ...asked });
  const box = [47.1, 9.5, 47.2, 9.6] as const;

  for (const q of ["restaurant", "hotels near me", "vegan restaurants"]) assert.equal(lacksPlace({ q }), true, q);
  for (const q of ["restaurant in Vaduz", "restaurant Vaduz", "Löwen"]) assert.equal(lacksPlace({ q }), false, q);
  assert.equal(lacksPlace({ ll: "@47.14,9.52,14z" }), false);
  assert.equal(lacksPlace({ gl: "LI" }), false);
  assert.equal(lacksPlace({ within: { box: [...box], contains: () => true } }), false);
});
