import assert from "node:assert/strict";
import { test } from "node:test";
import { listingsMax, pagesMax, type Bounds } from "../source.ts";
import { placesMax } from "./overpass-query.ts";
import { elementsFor, overpassAnswer, startWorld, type World } from "./testing.ts";

const interpreter = "/api/interpreter";

function find(world: World, within: Bounds) {
  return world.source.search({ q: "cafe", page: 1, hl: "en", extra: false, within }, new AbortController().signal);
}

const cafe = (id: number, lat: number, lon: number) => ({
  type: "node",
  id,
  lat,
  lon,
  tags: { amenity: "cafe", name: `Café ${id}` },
});

test("within bounds Overpass is asked for their box alone, and what lies outside them is left out", async (t) => {
  const world = await startWorld(t);
  world.overpass = () => overpassAnswer([cafe(1, 47.12, 9.52), cafe(2, 47.18, 9.58), cafe(3, 47.19, 9.51)]);
  const contains = (latitude: number, longitude: number) => longitude > 9.515 || latitude > 48;

  const page = await find(world, { box: [47.1, 9.5, 47.2, 9.6], contains });

  assert.deepEqual(new Set(page.listings.map(({ name }) => name)), new Set(["Café 1", "Café 2"]));
  assert.equal(page.matching, 2);
  assert.deepEqual(world.queriesOf("/search"), []);
  assert.match(world.queriesOf(interpreter)[0] ?? "", /\(47\.100000,9\.500000,47\.200000,9\.600000\)/);
});

test("a box with more places than Overpass returns is told as full, so that it is split", async (t) => {
  const world = await startWorld(t);
  const cafes = Array.from({ length: placesMax }, (_, index) => cafe(index + 1, 47.12, 9.52));
  world.overpass = () => overpassAnswer(cafes);

  const page = await find(world, { box: [47.1, 9.5, 47.2, 9.6], contains: () => true });

  assert.ok((page.matching ?? 0) > pagesMax * listingsMax, `${page.matching}`);
});

test("the area of a place name is the box of the town that Nominatim knows", async (t) => {
  const world = await startWorld(t);
  const { signal } = new AbortController();

  const known = await world.source.findArea?.("Vaduz", { hl: "en", gl: "li" }, signal);
  const unknown = await world.source.findArea?.("Atlantis", { hl: "en" }, signal);

  assert.deepEqual(known, { kind: "box", box: [47.09, 9.5, 47.19, 9.61] });
  assert.equal(unknown, undefined);
});

test("within bounds the source says how many it could not read", async (t) => {
  const world = await startWorld(t);
  world.overpass = (query) => overpassAnswer([...elementsFor(query), { type: "way", id: 9, tags: { name: "Adler" } }]);

  const { verdict, unreadableCount } = await find(world, { box: [47, 9, 48, 10], contains: () => true });

  assert.deepEqual([verdict, unreadableCount], ["trimmed", 1]);
});
