import assert from "node:assert/strict";
import { test } from "node:test";
import { manualClock } from "../../../test/harness.ts";
import { guard } from "../breaker.ts";
import { elementsFor, overpassAnswer, startWorld, vaduz, type World } from "./testing.ts";

const interpreter = "/api/interpreter";
const never = new AbortController().signal;

test("Overpass gets the time that is left of a search, and twelve seconds of a job", async (t) => {
  const world = await startWorld(t);

  await find(world, "coffee in Vaduz");
  await find(world, "bars in Vaduz", 60_000);
  slowNominatim(world, 4_000);
  await find(world, "hotels in Schaan"); // waits a second for its turn at Nominatim

  assert.deepEqual(secondsGiven(world), [9, 12, 4]);
});

test("Overpass is not asked when the search has no time left for its answer", async (t) => {
  const world = await startWorld(t);
  slowNominatim(world, 9_000);

  await assert.rejects(find(world, "coffee in Vaduz"), { code: "source_timeout", fault: "load" });

  assert.equal(world.queriesOf(interpreter).length, 0);
});

test("a search that only waited for others is no failure of OpenStreetMap", async (t) => {
  const world = await startWorld(t);
  const source = guard({ ...world.source, deadlinesMs: { search: 3_700, job: 60_000 } }, { clock: manualClock() });
  const answer = Promise.withResolvers<void>();
  world.overpass = (query) => ({ ...overpassAnswer(elementsFor(query)), after: answer.promise });
  const slow = ["coffee", "bars"].map((q) => world.source.search(queryAround(q), never, 60_000));
  while (world.queriesOf(interpreter).length < 2) await new Promise(setImmediate);

  for (let times = 0; times < 5; times += 1) {
    const refusal = { code: "source_unavailable", fault: "load" };
    await assert.rejects(source.search(queryAround(`hotel ${times}`), never), refusal);
  }

  assert.equal(source.isLeftAlone(), false);
  assert.equal(world.queriesOf(interpreter).length, 2);
  answer.resolve();
  await Promise.all(slow);
});

function slowNominatim(world: World, milliseconds: number): void {
  world.nominatim = () => {
    world.advance(milliseconds);
    return { body: JSON.stringify([vaduz]) };
  };
}

function secondsGiven(world: World): number[] {
  return world.queriesOf(interpreter).map((query) => Number(/\[timeout:(\d+)\]/.exec(query)?.[1]));
}

function queryFor(q: string) {
  return { q, page: 1, hl: "en", extra: false };
}

/** Where Nominatim is not needed. */
function queryAround(q: string) {
  return { ...queryFor(q), ll: "@47.14,9.52,14z" };
}

function find(world: World, q: string, deadlineMs?: number) {
  return world.source.search(queryFor(q), never, deadlineMs);
}
