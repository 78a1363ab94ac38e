import assert from "node:assert/strict";
import { test } from "node:test";
import { assertShort, longestTaskMs } from "../../../test/loop-watch.ts";
import { SourceFailure } from "../source.ts";
import { overpassAnswer, startWorld } from "./testing.ts";

const megabyte = 1024 * 1024;
const head = '{"osm3s":{"timestamp_osm_base":"2026-09-22T09:00:00Z"},"elements":';
const filled = (part: string, bytes: number) =>
  Array(Math.floor(bytes / (part.length + 1)))
    .fill(part)
    .join(",");
const cafe = (id: number) => ({
  type: "node",
  id,
  lat: 47.14,
  lon: 9.52,
  tags: { amenity: "cafe", name: `Café ${id}`, opening_hours: "Mo-Fr 08:00-18:00", phone: "239 20 20" },
});
const distinctTags = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

const bodies: readonly [what: string, body: string][] = [
  ["millions of empty objects", `${head}[${filled("{}", 3.5 * megabyte)}]}`],
  ["millions of empty lists", `${head}[${filled("[]", 3.5 * megabyte)}]}`],
  ["lists in lists", head + "[".repeat(1.7 * megabyte) + "]".repeat(1.7 * megabyte)],
  ["objects in objects", head + '{"a":'.repeat(500_000) + "1" + "}".repeat(500_001)],
  ["an object of half a million keys", `${head}[${JSON.stringify({ ...cafe(1), tags: distinctTags(400_000) })}]}`],
  ["one long text", `${head}["${"x".repeat(3.9 * megabyte)}"]}`],
  ["numbers", `${head}[${filled("1", 3.9 * megabyte)}]}`],
  ["sixteen megabytes", `${head}["${"x".repeat(16 * megabyte)}"]}`],
];

for (const [what, body] of bodies) {
  test(`an answer of ${what} is refused without holding up other requests`, async (t) => {
    const world = await startWorld(t);
    world.overpass = () => ({ body });
    let failure: unknown;

    const longest = await longestTaskMs(async () => {
      failure = await world.source
        .search({ q: "coffee in Vaduz", page: 1, hl: "en", extra: false }, new AbortController().signal)
        .catch((error: unknown) => error);
    });

    assert.ok(failure instanceof SourceFailure && failure.code === "source_failed", String(failure));
    assertShort(longest);
  });
}

test("more places than were asked for are as many as were", async (t) => {
  const world = await startWorld(t);
  const places = Array.from({ length: 5_000 }, (_, index) => cafe(index + 1));
  world.overpass = () => overpassAnswer([{ type: "area", id: 3_601_155_956 }, ...places]);
  const query = { q: "coffee in Vaduz", page: 10, hl: "en", extra: false };

  const longest = await longestTaskMs(() => world.source.search(query, new AbortController().signal));

  assertShort(longest);
  const { listings, verdict } = await world.source.search(query, new AbortController().signal);
  assert.deepEqual([listings.length, verdict], [20, "ok"]);
  const { listings: next } = await world.source.search({ ...query, page: 11 }, new AbortController().signal);
  assert.equal(next.length, 0);
});

const letters = "abcdefghijkl".split("");
const languages = letters.flatMap((first) => letters.map((second) => first + second)).slice(0, 130);
const manyNames = Object.fromEntries(languages.map((language) => [`name:${language}`, `Café 東京 ${language}`]));
const tagged: readonly [what: string, tags: object, count: number][] = [
  ["names in very many languages", manyNames, 200],
  ["a name of a megabyte", { "name:de": "Adler ".repeat(200_000) }, 1],
  ["telephone numbers without end", { phone: "+423 239 20 20;".repeat(1_000) }, 200],
  ["a hundred thousand telephone numbers", { phone: "+423 239 20 20;".repeat(100_000) }, 1],
  ["other names without end", { alt_name: "ab;".repeat(1_000_000) }, 1],
  ["kinds without end", { cuisine: "coffee;".repeat(500_000) }, 1],
  ["twenty thousand tags", distinctTags(20_000), 1],
];

for (const [what, tags, count] of tagged) {
  test(`places with ${what} are listed without holding up other requests`, async (t) => {
    const world = await startWorld(t);
    const places = Array.from({ length: count }, (_, index) => {
      const place = cafe(index + 1);
      return { ...place, tags: { ...place.tags, phone: null, ...tags } };
    });
    world.overpass = () => overpassAnswer([{ type: "area", id: 3_601_155_956 }, ...places]);
    const query = { q: "coffee in Vaduz", page: 1, hl: "en", extra: false };
    let found = 0;

    const longest = await longestTaskMs(async () => {
      const { listings } = await world.source.search(query, new AbortController().signal);
      found = listings.length;
    });

    assert.equal(found, Math.min(count, 20));
    assertShort(longest);
  });
}
