import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import { systemClock } from "../platform/clock.ts";
import { guard } from "./breaker.ts";
import { createRequestLimiter, realWait, type Wait } from "./request-limiter.ts";
import { SourceFailure, type SourcePage } from "./source.ts";

/** A limiter that lets one pass a second, with time that moves when it is told to. */
function openLimiter({ atOnceMax = 2, waitingMax = 20, intervalMs = 1000 } = {}) {
  let now = 0;
  const sleepers = new Set<{ until: number; wake(): void }>();
  const wait: Wait = (milliseconds, signal) =>
    new Promise((wake, reject) => {
      const sleeper = { until: now + milliseconds, wake };
      sleepers.add(sleeper);
      signal.addEventListener("abort", () => {
        sleepers.delete(sleeper);
        reject(signal.reason as Error);
      });
    });
  const clock = { now: () => new Date(now) };

  async function advance(seconds: number): Promise<void> {
    await settled();
    for (const end = now + seconds * 1000; now < end;) {
      now += 100;
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await settled();
    }
  }

  const limiter = createRequestLimiter({ service: "the map", intervalMs, atOnceMax, waitingMax, clock, wait });
  return { limiter, clock, advance, sleepers, seconds: () => now / 1000 };
}

const running = () => new AbortController().signal;

test("questions pass one after another, in the order in which they came", async () => {
  const { limiter, advance, seconds } = openLimiter();
  const passed: [number, number][] = [];

  const all = [0, 1, 2, 3, 4].map((number) =>
    limiter.run(running(), async () => void passed.push([number, seconds()])),
  );
  await advance(5);
  await Promise.all(all);

  assert.deepEqual(passed, [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
});

test("one who gives up takes nobody's time", async () => {
  const { limiter, advance, seconds, sleepers } = openLimiter();
  const leaving = new AbortController();
  await limiter.run(running(), async () => {});
  const left = Promise.allSettled(Array.from({ length: 10 }, () => limiter.run(leaving.signal, async () => {})));
  const stayed = limiter.run(running(), async () => seconds());

  leaving.abort(new Error("The caller left."));
  await advance(1);

  assert.ok((await left).every(({ status }) => status === "rejected"));
  assert.equal(await stayed, 1);
  assert.equal(sleepers.size, 0);
});

test("a question whose turn would come too late is refused at once, and hears when to come", async () => {
  const { limiter, advance } = openLimiter();
  const waiting = Array.from({ length: 5 }, () => limiter.run(running(), async () => {}));

  const message = "The request queue for the map is full. Try again in 5 s.";
  const refusal = { action: "slow_down", code: "source_unavailable", retryAfterSeconds: 5, fault: "load", message };
  await assert.rejects(
    limiter.run(running(), async () => {}, 4_900),
    refusal,
  );
  const inTime = limiter.run(running(), async () => "asked", 5_000);

  await advance(5);
  await Promise.all(waiting);
  assert.equal(await inTime, "asked");
});

test("a question that slow answers keep from its turn is sent away, and that is our own load", async () => {
  const { limiter } = openLimiter({ atOnceMax: 1, intervalMs: 0 });
  const answer = Promise.withResolvers<void>();
  const slow = limiter.run(running(), () => answer.promise);
  const patient = limiter.run(running(), async () => "asked", 60_000);

  await assert.rejects(
    limiter.run(running(), async () => assert.fail("it was asked"), 20),
    { action: "slow_down", code: "source_unavailable", fault: "load" },
  );

  answer.resolve();
  await slow;
  assert.equal(await patient, "asked");
});

test("too many of our own questions are no reason to leave a source alone", async () => {
  const { limiter, clock, advance } = openLimiter({ waitingMax: 1 });
  const page: SourcePage = { listings: [], verdict: "empty" };
  const source = guard({ name: "map", search: (_, signal) => limiter.run(signal, async () => page) }, { clock });
  const query = { q: "cafés", page: 1, hl: "en", extra: false };

  const first = Array.from({ length: 2 }, () => source.search(query, running()));
  for (let times = 0; times < 10; times += 1) {
    const failure = await source.search(query, running()).catch((error: unknown) => error);
    assert.ok(failure instanceof SourceFailure && failure.fault === "load");
  }

  assert.equal(source.isLeftAlone(), false);
  await advance(1);
  assert.deepEqual(await Promise.all(first), [page, page]);
});

test("a system clock that is set back lengthens no wait", async (t) => {
  const limits = { intervalMs: 20, atOnceMax: 1, waitingMax: 20, clock: systemClock, wait: realWait };
  const limiter = createRequestLimiter({ service: "the map", ...limits });
  t.mock.timers.enable({ apis: ["Date"], now: new Date("2026-10-25T03:00:00Z") });
  await limiter.run(running(), async () => "first");

  t.mock.timers.setTime(Date.parse("2026-10-24T22:00:00Z"));

  assert.equal(await limiter.run(running(), async () => "second", 5_000), "second");
});
