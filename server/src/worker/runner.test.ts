import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { silentLog } from "../platform/log.ts";
import type { Notifications } from "../platform/postgres/notifications.ts";
import type { Tracing } from "../platform/tracing.ts";
import { startRunner, type WorkQueue } from "./runner.ts";

type Job = Parameters<WorkQueue["run"]>[0];
type Run = { job: Job; signal: AbortSignal; onCollected(failure?: string): void; end(): void };

const job = (uuid: string, lane?: string): Job => ({
  uuid,
  isQuarantined: false,
  requestId: "req",
  traceparent: null,
  ...(lane === undefined ? {} : { lane }),
});

/** Notifications that a test sends itself. */
function ownNotifications() {
  const handlers = new Map<string, (payload: string | undefined) => void>();
  const notifications: Notifications = {
    on: (channel, handler) => void handlers.set(channel, handler),
    stop: async () => {},
  };
  return { notifications, tell: (channel: string, payload?: string) => handlers.get(channel)?.(payload) };
}

/** A queue in memory whose runs end when they are told or stopped, and a runner that never looks by itself. */
function startOn(t: TestContext, change: Partial<WorkQueue> = {}, tracing?: Tracing) {
  const due: Job[] = [];
  const limits: number[] = [];
  const runs: Run[] = [];
  const handedBack: string[] = [];
  const { notifications, tell } = ownNotifications();
  const queue: WorkQueue = {
    name: "test",
    wakeChannel: "wake",
    stopChannel: "stop",
    renewMs: 3_600_000,
    graceMs: 0,
    span: { name: "test", kind: "consumer" },
    capacity: async () => 4,
    async claim(limit) {
      limits.push(limit);
      return due.splice(0, limit);
    },
    async run(given, signal, onCollected) {
      const ended = Promise.withResolvers<void>();
      runs.push({ job: given, signal, onCollected, end: ended.resolve });
      signal.addEventListener("abort", () => ended.resolve());
      if (!signal.aborted) await ended.promise;
    },
    renew: async (jobs) => new Set(jobs.map(({ uuid }) => uuid)),
    handBack: async (jobs) => void handedBack.push(...jobs.map(({ uuid }) => uuid)),
    ...change,
  };
  const runner = startRunner({ queue, notifications, log: silentLog, tracing, pollMs: 3_600_000 });
  t.after(() => runner.stop());
  return { due, limits, runs, handedBack, tell, runner };
}

/** Until everything that follows from what happened has happened: nothing here waits for anything but promises. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("an end in a lane is followed by a claim, although the last claim showed no more", async (t) => {
  const { due, limits, runs, tell } = startOn(t);
  due.push(job("a", "lane"), job("b", "lane"), job("c", "lane"));
  tell("wake", "");
  await settled();
  const claims = limits.length;

  due.push(job("d", "lane"));
  runs[0]?.onCollected();
  await settled();

  assert.ok(limits.length > claims);
  assert.deepEqual(
    runs.map(({ job: { uuid } }) => uuid),
    ["a", "b", "c", "d"],
  );
});

test("an end outside of lanes is followed by a claim when half of the places are free and there may be more", async (t) => {
  const { due, limits, runs, tell } = startOn(t);
  due.push(...["a", "b", "c", "d", "e", "f"].map((uuid) => job(uuid)));
  tell("wake", "");
  await settled();

  runs[0]?.end();
  await settled();
  assert.equal(runs.length, 4);
  runs[1]?.end();
  await settled();
  assert.equal(runs.length, 6);
  const claims = limits.length;
  for (const { end } of runs) end();
  await settled();

  // The second claim took all it could: one more shows that nothing is left.
  assert.equal(limits.length, claims + 1);
});

test("the runner reads a queue's capacity before each claim", async (t) => {
  let capacity = 2;
  const { due, limits, runs, tell } = startOn(t, { capacity: async () => capacity++ });
  due.push(...["a", "b", "c", "d", "e"].map((uuid) => job(uuid, "lane")));
  tell("wake", "");
  await settled();

  assert.ok(limits.includes(1), "one more place after the first claim");
  assert.equal(runs.length, 5);
});

test("a stop message ends the job that it names, or every job of the lane", async (t) => {
  const { due, runs, tell } = startOn(t);
  due.push(job("a"), job("b"), job("c", "lane"), job("d", "lane"));
  tell("wake", "");
  await settled();
  const stopped = () => runs.filter(({ signal }) => signal.aborted).map(({ job: { uuid } }) => uuid);

  tell("stop", "b");
  assert.deepEqual(stopped(), ["b"]);
  tell("stop", "lane");
  assert.deepEqual(stopped(), ["b", "c", "d"]);
});

test("work may go on for as long as its queue says when the process stops", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { due, runs, tell, runner } = startOn(t, { graceMs: 3_000 });
  due.push(job("a"), job("b"));
  tell("wake", "");
  await settled();
  const stopped = () => runs.map(({ signal }) => signal.aborted);

  const end = runner.stop();
  t.mock.timers.tick(2_999);
  await settled();
  assert.deepEqual(stopped(), [false, false]);
  runs[0]?.end();
  await settled();
  t.mock.timers.tick(1);
  await end;

  assert.equal(stopped()[1], true);
});

test("work without such time is stopped with the process and handed back", async (t) => {
  const { due, runs, tell, runner, handedBack } = startOn(t);
  due.push(job("a"));
  tell("wake", "");
  await settled();

  await runner.stop();

  assert.equal(runs[0]?.signal.aborted, true);
  assert.deepEqual(handedBack, ["a"]);
});

test("a span has the name and kind that the queue gives it, and ends with what failed", async (t) => {
  const spans: unknown[] = [];
  const tracing: Tracing = {
    start: (name, kind) => ({ traceparent: "00", end: (failure) => void spans.push([name, kind, failure]) }),
  };
  const { due, runs, tell } = startOn(t, { span: { name: "send test", kind: "producer" } }, tracing);
  due.push(job("a"), job("b"));
  tell("wake", "");
  await settled();

  runs[0]?.onCollected("timed_out");
  runs[0]?.end();
  runs[1]?.end();
  await settled();

  assert.deepEqual(spans, [
    ["send test", "producer", "timed_out"],
    ["send test", "producer", undefined],
  ]);
});
