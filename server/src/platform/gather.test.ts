import assert from "node:assert/strict";
import { test } from "node:test";
import { gather } from "./gather.ts";

/** Work that ends when it is told to. */
function held() {
  const calls: { items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const work = (items: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    calls.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
    return promise;
  };
  return { calls, work };
}

test("what comes while there is room is done at once, and what comes later shares the next call", async () => {
  const { calls, work } = held();
  const ask = gather(work, { atOnceMax: 2, togetherMax: 10 });

  const answers = ["a", "b", "c", "d", "e"].map((item) => ask(item));
  assert.deepEqual(
    calls.map(({ items }) => items),
    [["a"], ["b"]],
  );
  calls[1]?.end();
  assert.equal(await answers[1], "B");
  assert.deepEqual(calls[2]?.items, ["c", "d", "e"]);
  calls[0]?.end();
  calls[2]?.end();
  assert.deepEqual(await Promise.all(answers), ["A", "B", "C", "D", "E"]);
});

test("one call stands for so many and no more", async () => {
  const { calls, work } = held();
  const ask = gather(work, { atOnceMax: 1, togetherMax: 2 });

  const answers = ["a", "b", "c", "d"].map((item) => ask(item));
  calls[0]?.end();
  await answers[0];
  assert.deepEqual(calls[1]?.items, ["b", "c"]);
  calls[1]?.end();
  await answers[2];
  calls[2]?.end();
  assert.deepEqual(await Promise.all(answers), ["A", "B", "C", "D"]);
});

test("a failure is everybody's who shared the call, and nobody else's", async () => {
  const { calls, work } = held();
  const ask = gather(work, { atOnceMax: 1, togetherMax: 2 });

  const answers = Promise.allSettled(["a", "b", "c", "d"].map((item) => ask(item)));
  const settle = [(at: number) => calls[at]?.end(), (at: number) => calls[at]?.fail(new Error("lost"))] as const;
  for (const [at, failing] of [false, true, false].entries()) {
    settle[failing ? 1 : 0](at);
    await new Promise(setImmediate);
  }
  assert.deepEqual(
    (await answers).map(({ status }) => status),
    ["fulfilled", "rejected", "rejected", "fulfilled"],
  );
});

test("work that leaves someone without a result is a failure for that one", async () => {
  const ask = gather(async () => [], { atOnceMax: 1, togetherMax: 2 });
  await assert.rejects(ask("a"), /not answered/);
});
