import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { defer } from "../../test/defer.ts";
import type { ReadJson } from "./http/json-thread.ts";
import { createThreadPool } from "./thread-pool.ts";

const script = new URL("./http/json-thread.ts", import.meta.url);
const limits = { workMs: 60_000, signal: AbortSignal.timeout(60_000) };
const rounds = 20;

// A body of 372 KB left 1.5 MB behind, for as long as its thread lived.
test("a pool keeps no answer that its caller has let go", async (t) => {
  const pool = createThreadPool<Uint8Array, ReadJson>({ script, threadsMax: 1, waitingMax: 10, heapMegabytes: 128 });
  defer(t, pool.close);
  const answers: WeakRef<ReadJson>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    answers.push(new WeakRef(await pool.run(Buffer.from("[1]"), limits)));
  }

  await nextTurn();
  collectGarbage();

  const kept = answers.filter((answer) => answer.deref() !== undefined).length;
  assert.ok(kept <= 1, `${kept} of ${rounds} answers are still there`);
});

const onLinux = { skip: process.platform === "linux" ? false : "only Linux has a priority for each thread" };

test("a thread that reads large bodies has a lower priority than the one that answers", onLinux, async (t) => {
  const before = new Set(listThreads());
  const own = getPriority();
  const pool = createThreadPool<Uint8Array, ReadJson>({ script, threadsMax: 1, waitingMax: 10, heapMegabytes: 128 });
  defer(t, pool.close);

  await pool.run(Buffer.from("[1]"), limits);

  const started = listThreads().filter((thread) => !before.has(thread));
  assert.ok(started.some((thread) => getPriority(thread) === Math.min(19, own + 5)));
  assert.equal(getPriority(), own, "this thread keeps its own");
});

function listThreads(): number[] {
  return readdirSync("/proc/self/task").map(Number);
}

function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  (vm.runInNewContext("gc") as () => void)();
}
