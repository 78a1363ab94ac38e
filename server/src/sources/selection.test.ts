import assert from "node:assert/strict";
import { test } from "node:test";
import { manualClock } from "../../test/harness.ts";
import { aPlace } from "../../test/place.ts";
import { systemClock } from "../platform/clock.ts";
import { guard } from "./breaker.ts";
import { createFixtures } from "./fixtures/index.ts";
import { createSourceSelection } from "./selection.ts";
import { type Source, SourceFailure, type SourcePage } from "./source.ts";

const query = { q: "coffee", page: 1, hl: "en", extra: false };
const page: SourcePage = { listings: [aPlace()], verdict: "ok" };
const running = () => new AbortController().signal;
const tryAgain = () => new SourceFailure("try_again", "source_unavailable", "down");
const refused = { code: "source_unavailable", action: "slow_down" };

/** A source that does what it is told next, and counts how often it was asked. */
function obedient(name = "obedient") {
  const told = {
    calls: 0,
    next: async (_signal: AbortSignal): Promise<SourcePage> => page,
  };
  const source: Source = {
    name,
    search(_query, signal) {
      told.calls += 1;
      return told.next(signal);
    },
  };
  return { source, told };
}

async function failTimes(source: Source, times: number) {
  for (let time = 0; time < times; time += 1) await source.search(query, running()).catch(() => undefined);
}

test("the breaker opens after five failures in a row, and not after four", async () => {
  const { source, told } = obedient();
  const guarded = guard(source, { clock: manualClock() });

  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 4);
  told.next = async () => page;
  guarded.refuse?.();
  assert.deepEqual(await guarded.search(query, running()), page);

  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 5);
  assert.equal(told.calls, 10);
  const open = { ...refused, retryAfterSeconds: 30, message: "obedient is disabled for 30 s after 5 failures." };
  await assert.rejects(guarded.search(query, running()), open);
  assert.throws(() => guarded.refuse?.(), open);
  assert.equal(told.calls, 10);
});

test("an open breaker lets one probe pass when its time is over; success closes it", async () => {
  const { source, told } = obedient();
  const clock = manualClock();
  const guarded = guard(source, { clock });
  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 5);

  clock.advance(29_999);
  await assert.rejects(guarded.search(query, running()), { ...refused, retryAfterSeconds: 1 });
  clock.advance(1);
  const answer = Promise.withResolvers<SourcePage>();
  told.next = () => answer.promise;
  const probe = guarded.search(query, running());
  await assert.rejects(guarded.search(query, running()), refused);
  answer.resolve(page);
  await probe;

  assert.deepEqual(await guarded.search(query, running()), page);
});

test("a system clock that is set back keeps no breaker open", async (t) => {
  const { source, told } = obedient();
  const guarded = guard({ ...source, breaker: { failuresMax: 1, openMs: 20 } }, { clock: systemClock });
  t.mock.timers.enable({ apis: ["Date"], now: new Date("2026-10-25T03:00:00Z") });
  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 1);
  assert.ok(guarded.isLeftAlone());

  t.mock.timers.setTime(Date.parse("2026-10-24T22:00:00Z"));
  told.next = async () => page;
  while (guarded.isLeftAlone()) {
    assert.throws(() => guarded.refuse?.(), { ...refused, retryAfterSeconds: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  assert.deepEqual(await guarded.search(query, running()), page);
});

test("a probe that fails opens the breaker again, and a probe whose caller left gives way to the next", async () => {
  const { source, told } = obedient();
  const clock = manualClock();
  const guarded = guard(source, { clock });
  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 5);
  clock.advance(30_000);
  await failTimes(guarded, 1);
  assert.equal(told.calls, 6);
  await assert.rejects(guarded.search(query, running()), refused);

  clock.advance(30_000);
  const caller = new AbortController();
  told.next = () => new Promise(() => undefined);
  const left = guarded.search(query, caller.signal);
  caller.abort(new Error("the caller left"));
  await assert.rejects(left, /the caller left/);
  told.next = async () => page;
  assert.deepEqual(await guarded.search(query, running()), page);
});

test("a source that asks to slow down is left alone for as long as it asks", async () => {
  const { source, told } = obedient();
  const clock = manualClock();
  const guarded = guard(source, { clock });
  told.next = () =>
    Promise.reject(new SourceFailure("slow_down", "source_unavailable", "busy", { retryAfterSeconds: 7 }));
  await failTimes(guarded, 1);

  await assert.rejects(guarded.search(query, running()), { ...refused, retryAfterSeconds: 7 });
  clock.advance(7_000);
  told.next = async () => page;
  assert.deepEqual(await guarded.search(query, running()), page);
});

test("a source that rests is left alone for an hour at most", async () => {
  const { source, told } = obedient();
  const guarded = guard(source, { clock: manualClock() });
  const busy = (retryAfterSeconds: number) =>
    new SourceFailure("slow_down", "source_unavailable", "busy", { retryAfterSeconds });

  told.next = () => Promise.reject(busy(3_000));
  await failTimes(guarded, 1);
  await assert.rejects(guarded.search(query, running()), { ...refused, retryAfterSeconds: 3_000 });

  const other = guard(source, { clock: manualClock() });
  told.next = () => Promise.reject(busy(86_400));
  await failTimes(other, 1);
  await assert.rejects(other.search(query, running()), { ...refused, retryAfterSeconds: 3_600 });
});

test("a source that gives up has failed as much as one that says to try again", async () => {
  const { source, told } = obedient();
  const guarded = guard(source, { clock: manualClock() });
  told.next = () => Promise.reject(new SourceFailure("give_up", "source_failed", "a layout we do not know"));

  await failTimes(guarded, 20);

  assert.equal(told.calls, 5);
});

// Otherwise one tenant's questions would close the source for all others, or keep a failing one open.
test("questions that the source cannot answer neither open the breaker nor close it", async () => {
  const { source, told } = obedient();
  const clock = manualClock();
  const guarded = guard(source, { clock });
  const unanswerable = () =>
    Promise.reject(new SourceFailure("give_up", "source_failed", "nowhere to look", { fault: "question" }));

  told.next = unanswerable;
  await failTimes(guarded, 20);
  assert.equal(told.calls, 20);

  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 4);
  told.next = unanswerable;
  await failTimes(guarded, 1);
  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 1);
  await assert.rejects(guarded.search(query, running()), refused);

  clock.advance(30_000);
  told.next = unanswerable;
  await failTimes(guarded, 1);
  told.next = () => Promise.reject(tryAgain());
  await failTimes(guarded, 1);
  await assert.rejects(guarded.search(query, running()), refused);
});

test("a source that does not heed its signal is left at the deadline", async () => {
  const { source, told } = obedient();
  const guarded = guard({ ...source, deadlinesMs: { search: 20, job: 60_000 } }, { clock: manualClock() });
  told.next = () => new Promise(() => undefined);

  await assert.rejects(guarded.search(query, running()), { code: "source_timeout", action: "try_again" });
});

test("searches and jobs have deadlines of their own and share one breaker", async () => {
  const { source, told } = obedient("osm");
  const sources = [{ ...source, deadlinesMs: { search: 60_000, job: 20 } }];
  const selection = createSourceSelection({ choice: "osm", clock: manualClock(), sources });
  told.next = () => new Promise(() => undefined);
  const forJobs = await selection.pick("job");
  assert.ok(forJobs);
  await failTimes(forJobs, 5);

  const other = await selection.pick();

  assert.ok(other);
  await assert.rejects(other.search(query, running()), refused);
});

test("a fault of a source's own is passed on as it is, and counts", async () => {
  const { source, told } = obedient();
  const guarded = guard(source, { clock: manualClock() });
  told.next = () => Promise.reject(new TypeError("a bug"));

  await assert.rejects(guarded.search(query, running()), /a bug/);
  await failTimes(guarded, 4);

  await assert.rejects(guarded.search(query, running()), refused);
});

test("a source that describes no breaker stays open to everyone, however often it was slow", async () => {
  const { source, told } = obedient();
  const own = { ...source, breaker: null, deadlinesMs: { search: 5, job: 5 } };
  const guarded = guard(own, { clock: manualClock() });
  told.next = () => new Promise(() => undefined);
  await failTimes(guarded, 10);

  told.next = async () => page;

  assert.equal(told.calls, 10);
  assert.equal(guarded.refuse, undefined);
  assert.deepEqual(await guarded.search(query, running()), page);
});

test("a source opens and closes as its own description says", async () => {
  const { source, told } = obedient();
  const guarded = guard({ ...source, breaker: { failuresMax: 2, openMs: 7_000 } }, { clock: manualClock() });
  told.next = () => Promise.reject(tryAgain());

  await failTimes(guarded, 2);

  await assert.rejects(guarded.search(query, running()), { ...refused, retryAfterSeconds: 7 });
});

test("auto is the first source that is ready: the catalog once it has places, and OpenStreetMap before", async () => {
  const clock = manualClock();
  const has = { places: false };
  const catalog = { ...obedient("catalog").source, isAutomatic: true, isReady: async () => has.places };
  const osm = { ...obedient("osm").source, isAutomatic: true };
  const webmap = { ...obedient("webmap").source, isAutomatic: false };
  const selection = createSourceSelection({ choice: "auto", clock, sources: [webmap, catalog, osm] });

  assert.equal((await selection.pick())?.name, "osm");
  has.places = true;
  clock.advance(2_000);
  assert.equal((await selection.pick())?.name, "catalog");
});

test("auto passes over a source without data for the question, unless there is no other", async () => {
  const clock = manualClock();
  const catalog = {
    ...obedient("catalog").source,
    isAutomatic: true,
    hasDataFor: async ({ q }: { q: string }) => q !== "far",
  };
  const osm = { ...obedient("osm").source, isAutomatic: true };
  const picked = async (choice: string, sources: Source[], q: string) =>
    (await createSourceSelection({ choice, clock, sources }).pick("search", { ...query, q }))?.name;

  assert.equal(await picked("auto", [catalog, osm], "near"), "catalog");
  assert.equal(await picked("auto", [catalog, osm], "far"), "osm");
  assert.equal(await picked("auto", [catalog], "far"), "catalog");
  assert.equal(await picked("auto", [catalog, { ...osm, isReady: async () => false }], "far"), "catalog");
  assert.equal(await picked("catalog", [catalog, osm], "far"), "catalog");
});

test("a source that was named is the one, and a missing one is none", async () => {
  const clock = manualClock();
  const catalog = { ...obedient("catalog").source, isAutomatic: true, isReady: async () => false };
  const filled = { ...catalog, isReady: async () => true };
  const osm = obedient("osm").source;
  const picked = async (choice: string, sources: Source[]) =>
    (await createSourceSelection({ choice, clock, sources }).pick())?.name;

  assert.equal(await picked("catalog", [filled, osm]), "catalog");
  assert.equal(await picked("catalog", [catalog, osm]), undefined);
  assert.equal(await picked("webmap", [catalog, osm]), undefined);
  assert.equal(await picked("auto", [catalog]), undefined);
  assert.equal(await picked("auto", []), undefined);
});

test("simulated businesses cannot be registered as a source for live keys", () => {
  assert.throws(
    () => createSourceSelection({ choice: "osm", clock: manualClock(), sources: [createFixtures()] }),
    /never offered/,
  );
});
