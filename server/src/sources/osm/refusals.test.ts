import assert from "node:assert/strict";
import { test } from "node:test";
import { overpassAnswer, type Reply, startWorld, type World } from "./testing.ts";

function find(world: World) {
  const query = { q: "coffee in Vaduz", page: 1, hl: "en", extra: false };
  return world.source.search(query, new AbortController().signal);
}

const limits: Reply[] = [
  { body: "Error: rate_limited" },
  { body: "Too many requests, please slow down. [7]" },
  { body: '{"error":"Bandwidth limit exceeded"}' },
  { body: '\n{ "error": {"code": 429, "message": "Too Many Requests"}}' },
];

test("a limit in plain text, or in an error and nothing else, asks for rest", async (t) => {
  for (const reply of limits) {
    const [overpass, nominatim] = [await startWorld(t), await startWorld(t)];
    overpass.overpass = () => reply;
    nominatim.nominatim = () => reply;

    for (const world of [overpass, nominatim]) {
      await assert.rejects(find(world), { action: "slow_down", code: "source_unavailable" }, String(reply.body));
    }
  }
});

test("places whose names speak of limits are places", async (t) => {
  const world = await startWorld(t);
  const tags = { amenity: "cafe", name: "Too Many Requests, Access Denied" };
  world.overpass = () =>
    overpassAnswer([
      { type: "area", id: 3_601_155_956 },
      { type: "node", id: 1, lat: 47.14, lon: 9.52, tags },
    ]);

  assert.equal((await find(world)).listings.length, 1);
});

test("an error that Overpass writes into a page is what it says", async (t) => {
  const world = await startWorld(t);
  const saying = (words: string) => () => ({ body: `<html><p><strong>Error</strong>: ${words}</p></html>` });

  world.overpass = saying("runtime error: Query timed out in &quot;query&quot; at line 1 after 13 seconds.");
  await assert.rejects(find(world), { code: "source_timeout", fault: "question" });
  world.overpass = saying("runtime error: Query run out of memory using about 128 MB of RAM.");
  await assert.rejects(find(world), { action: "give_up", fault: "question" });
  world.overpass = saying("line 1: parse error");
  await assert.rejects(find(world), { action: "try_again", code: "source_failed" });
});

test("an answer in another encoding is none, rather than one of garbled names", async (t) => {
  const world = await startWorld(t);
  const tags = { amenity: "cafe", name: "Caf\u00e9" };
  const { body } = overpassAnswer([
    { type: "area", id: 3_601_155_956 },
    { type: "node", id: 1, lat: 47.14, lon: 9.52, tags },
  ]);
  world.overpass = () => ({ body: Buffer.from(String(body), "latin1") });

  await assert.rejects(find(world), { action: "try_again", code: "source_failed" });
});

const now = "Current time: 2026-09-22T09:30:00Z";
const statuses: [page: string, seconds: number][] = [
  ["Rate limit: 2\nSlot available after: 2026-09-22T09:30:01Z, in 1 second.", 1],
  ["Slot available after: 2026-09-22T09:30:08Z, in 7.5 seconds.", 8],
  [`${now}\nSlot available after: 2026-09-22T09:30:44Z\nSlot available after: 2026-09-22T09:31:44Z`, 44],
  [`${now}\nRate limit: 2\n1 slot available now.\nSlot available after: 2026-09-22T09:31:44Z`, 1],
  ["Slot available after: 2026-09-22T09:30:44Z", 900],
];

test("the status page of Overpass tells the wait in any of its forms, also when Retry-After tells none", async (t) => {
  for (const [page, seconds] of statuses) {
    for (const headers of [{}, { "retry-after": "soon" }]) {
      const world = await startWorld(t);
      world.overpass = () => ({ status: 429, headers, body: "" });
      world.status = () => ({ body: page });

      await assert.rejects(find(world), { action: "slow_down", retryAfterSeconds: seconds }, page);
    }
  }
});
