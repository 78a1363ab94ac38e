import assert from "node:assert/strict";
import { test } from "node:test";
import { createBatcher } from "./batcher.ts";

/** A flush that ends when the test ends it. */
function manualFlush() {
  const flushes: { items: readonly string[]; succeed(): void; fail(error: Error): void }[] = [];
  const flush = (items: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    flushes.push({ items, succeed: () => resolve(items.map((each) => each.toUpperCase())), fail: reject });
    return promise;
  };
  return { flushes, flush, batches: () => flushes.map(({ items }) => items) };
}

/** Time that passes only when the test says so. */
function manualTimers() {
  let now = 0;
  let timers: { callback: () => void; at: number }[] = [];
  return {
    now: () => now,
    setTimeout: (callback: () => void, ms: number) => void timers.push({ callback, at: now + ms }),
    advance(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("items of one turn share a batch, and items that arrive during a flush form the next", async () => {
  const { flushes, flush, batches } = manualFlush();
  const add = createBatcher(flush, { batchMax: 10, concurrency: 1 });

  const first = ["a", "b"].map((item) => add(item));
  await turn();
  const second = ["c", "d", "e"].map((item) => add(item));
  await turn();
  assert.deepEqual(batches(), [["a", "b"]], "one flush at a time");

  flushes[0]?.succeed();
  assert.deepEqual(await Promise.all(first), ["A", "B"]);
  assert.deepEqual(batches(), [
    ["a", "b"],
    ["c", "d", "e"],
  ]);
  flushes[1]?.succeed();
  assert.deepEqual(await Promise.all(second), ["C", "D", "E"]);
});

test("a batch has at most batchMax items, and at most concurrency flushes run at once", async () => {
  const { flushes, flush, batches } = manualFlush();
  const add = createBatcher(flush, { batchMax: 2, concurrency: 2 });

  const results = Promise.all(["a", "b", "c", "d", "e"].map((item) => add(item)));
  await turn();
  assert.deepEqual(batches(), [
    ["a", "b"],
    ["c", "d"],
  ]);
  flushes[1]?.succeed();
  await turn();
  assert.deepEqual(batches().at(-1), ["e"]);
  flushes[0]?.succeed();
  flushes[2]?.succeed();
  assert.deepEqual(await results, ["A", "B", "C", "D", "E"]);
});

test("what waits is divided among the flushes that may run, where that is wanted", async () => {
  const { flushes, flush, batches } = manualFlush();
  const add = createBatcher(flush, { batchMax: 3, concurrency: 2, isDivided: true });

  const results = Promise.all(["a", "b", "c"].map((item) => add(item)));
  await turn();
  assert.deepEqual(batches(), [["a", "b"], ["c"]]);
  const more = Promise.all(["d", "e", "f", "g"].map((item) => add(item)));
  flushes[1]?.succeed();
  await turn();
  assert.deepEqual(batches().at(-1), ["d", "e", "f"], "all that the one which is free may take");
  flushes[0]?.succeed();
  await turn();
  assert.deepEqual(batches().at(-1), ["g"]);
  for (const each of flushes) each.succeed();
  assert.deepEqual([await results, await more].flat(), ["A", "B", "C", "D", "E", "F", "G"]);
});

test("a batch that is not full waits maxDelayMs for the running flush, and no longer", async () => {
  const { flushes, flush, batches } = manualFlush();
  const timers = manualTimers();
  const add = createBatcher(flush, { batchMax: 2, concurrency: 4, maxDelayMs: 500, timers });

  const results = [add("a")];
  await turn();
  results.push(add("b"));
  await turn();
  timers.advance(499);
  assert.deepEqual(batches(), [["a"]], "the flush before it may still end in time");
  flushes[0]?.succeed();
  await turn();
  assert.deepEqual(batches(), [["a"], ["b"]]);

  results.push(add("c"), add("d"));
  await turn();
  assert.deepEqual(batches(), [["a"], ["b"], ["c", "d"]], "a full batch does not wait");

  results.push(add("e"));
  await turn();
  timers.advance(499);
  assert.deepEqual(batches().length, 3, "not yet");
  timers.advance(1);
  assert.deepEqual(batches().at(-1), ["e"], "the running flushes are late");
  for (const each of flushes) each.succeed();
  assert.deepEqual(await Promise.all(results), ["A", "B", "C", "D", "E"]);
});

test("a flush that fails fails every item of its batch and of no other", async () => {
  const { flushes, flush } = manualFlush();
  const add = createBatcher(flush, { batchMax: 2, concurrency: 1 });

  const results = Promise.allSettled(["a", "b", "c"].map((item) => add(item)));
  await turn();
  flushes[0]?.fail(new Error("lost"));
  await turn();
  flushes[1]?.succeed();

  const states = (await results).map(({ status }) => status);
  assert.deepEqual(states, ["rejected", "rejected", "fulfilled"]);
});

test("an item without a result fails", async () => {
  const add = createBatcher(async () => [], { batchMax: 2, concurrency: 1 });
  await assert.rejects(add("a"), /another number of results/);
});
