import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { until as waitUntil } from "../../../test/database-door.ts";
import { defer } from "../../../test/defer.ts";
import { asks } from "../../../test/index-reader.ts";
import { readCatalogState } from "./catalog-rows.ts";

import { type FoundPlace, now } from "../port.ts";
import type { Ask } from "../reader.ts";
import { createSearchThreads, IndexUnavailable } from "./threads.ts";
import { givenFolderPath, givenFollowing, givenPlaces, placesNamed } from "./testing.ts";

const never = new AbortController().signal;
const standIn = new URL("../../../test/index-reader.ts", import.meta.url);
const soon = () => now() + 60_000;

type GivenThreads = { places?: number } & Partial<
  Pick<Parameters<typeof createSearchThreads>[0], "installation" | "threadsMax" | "reader">
>;

async function givenThreads(t: TestContext, { places = 100, ...options }: GivenThreads = {}) {
  const { db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const following = givenFollowing(t, { db, path });
  const generation = await change({ put: placesNamed(places) });
  await following.settle();
  const installation = (await readCatalogState(db))?.installation ?? "";
  let damages = 0;
  const onDamage = () => void (damages += 1);
  const threads = createSearchThreads({ path, installation, onDamage, threadsMax: 2, ...options });
  defer(t, threads.close);

  type Answer = { places: readonly FoundPlace[] };
  async function names(of: readonly number[], until = soon(), signal = never): Promise<string[]> {
    const found = (await threads.ask({ ask: "records", places: of }, { until, signal })) as Answer;
    return found.places.map(({ records }) => (records.at(0)?.[3] as { name: string } | undefined)?.name ?? "");
  }
  const fileOf = (name = following.folder.current() ?? "") => following.folder.pathOf(name);
  return { db, change, path, following, threads, names, generation, damages: () => damages, fileOf };
}

/** A question of the stand-in. */
function walk(after: number): Ask {
  const window = { boxes: [], country: null, circle: null, areas: [] };
  const order = { by: "quality" } as const;
  return {
    ask: "walk",
    search: { all: [], least: 0, base: 0, whole: null, coverage: 0, window, order, limit: 1 },
    after,
  };
}

test("questions are answered from the file of now, each by one of the threads", async (t) => {
  const { change, following, names } = await givenThreads(t);

  assert.deepEqual(await names([1, 3]), ["Place 1", "Place 3"]);
  await change({ put: { 1: "One" } });
  await following.settle();
  assert.deepEqual(await Promise.all([names([1]), names([1]), names([1])]), [["One"], ["One"], ["One"]]);
});

test("a new file is read within a moment, and the space of the old one is free", async (t) => {
  const { change, following, names, fileOf, path } = await givenThreads(t);
  await Promise.all([names([1]), names([2])]);
  const old = fileOf();

  await change({ put: placesNamed(100, "New"), isListed: false });
  await following.settle();

  assert.notEqual(fileOf(), old);
  assert.equal(existsSync(old), false);
  await waitUntil(async () => (await names([2]))[0] === "New 2");
  if (process.platform !== "linux") return;
  await waitUntil(() => openFilesIn(path).every((file) => !file.startsWith(old)));
});

/** What this process has open in a folder, as its kernel lists it: nothing is opened to learn that. */
function openFilesIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(folder) ? [file] : [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

test("a caller who leaves ends the search, and the thread answers the next", async (t) => {
  const { threads, names } = await givenThreads(t, { threadsMax: 1, reader: standIn });
  await names([1]);
  const leaving = new AbortController();
  const left = threads.ask(walk(asks.untilOver), { until: soon(), signal: leaving.signal });
  const behind = names([2]);

  leaving.abort(new Error("the caller left"));

  await assert.rejects(left, { message: "the caller left" });
  assert.deepEqual(await behind, ["Place 2"]);
  await assert.rejects(threads.ask(walk(0), { until: soon(), signal: leaving.signal }), { message: "the caller left" });
});

test("a search whose time is over answers what it found, and one that does not look ends without an answer", async (t) => {
  const { threads, names } = await givenThreads(t, { threadsMax: 1, reader: standIn });
  await names([1]);

  const found = await threads.ask(walk(asks.untilOver), { until: now() + 20, signal: never });
  const deaf = threads.ask(walk(asks.untilStopped), { until: now() + 20, signal: never });
  const waiting = names([2], now() + 20);

  assert.equal(found, "what was found");
  await assert.rejects(waiting, IndexUnavailable);
  await assert.rejects(deaf, IndexUnavailable);
  assert.deepEqual(await names([3]), ["Place 3"]);
});

test("what a search throws comes to its caller, and the thread goes on", async (t) => {
  const { threads, names } = await givenThreads(t, { threadsMax: 1, reader: standIn });

  await assert.rejects(threads.ask(walk(asks.failing), { until: soon(), signal: never }), {
    message: "the reader failed",
  });
  assert.deepEqual(await names([3]), ["Place 3"]);
});

/** Another program does it: this one would drop the locks of its own threads. */
const harms: Record<string, (file: string) => void> = {
  "is deleted": (file) => rmSync(file),
  "is cut in the middle": (file) => execFileSync("sh", ["-c", 'truncate -s 60000 "$1"', "sh", file]),
  "is garbage": (file) =>
    execFileSync("sh", ["-c", 'head -c 400000 /dev/urandom | dd of="$1" conv=notrunc status=none', "sh", file]),
};

for (const [harm, hurt] of Object.entries(harms)) {
  test(`searches of a file that ${harm} wait for the new one`, async (t) => {
    const { following, names, fileOf, damages } = await givenThreads(t, { places: 2_000 });
    const old = fileOf();
    hurt(old);

    const places = [1, 1_000, 2_000];
    const answers = Promise.all([names(places), names(places)]);
    if (harm !== "is deleted") await waitUntil(() => damages() > 0);
    await following.step();

    const expected = ["Place 1", "Place 1000", "Place 2000"];
    assert.deepEqual(await answers, [expected, expected]);
    assert.notEqual(fileOf(), old);
  });
}

test("damage that shows while a file is searched is no wrong answer", async (t) => {
  const { following, names, fileOf, damages } = await givenThreads(t, { places: 3_000, threadsMax: 1 });
  assert.deepEqual(await names([1]), ["Place 1"]);
  harms["is cut in the middle"]?.(fileOf());

  const places = Array.from({ length: 30 }, (_, index) => (index + 1) * 100);
  const answer = names(places);
  await waitUntil(() => damages() > 0);
  await following.step();

  assert.deepEqual(
    await answer,
    places.map((place) => `Place ${place}`),
  );
});

/** Why a question fails whose deadline is near; undefined when it is answered. A thread that is still starting says nothing. */
async function failureOf(question: (until: number) => Promise<unknown>): Promise<string | undefined> {
  for (;;) {
    const error = await question(now() + 200).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (error === undefined) return undefined;
    assert.ok(error instanceof IndexUnavailable);
    if (error.message !== "The search took longer than it may.") return error.message;
  }
}

test("without a file a search ends by its deadline with a failure, never with an empty page", async (t) => {
  const { names, fileOf } = await givenThreads(t);
  harms["is garbage"]?.(fileOf());

  assert.match(
    (await failureOf((until) => names([1], until))) ?? "",
    /^(The place index is damaged|There is no place)/,
  );
});

test("the file of another installation is never searched", async (t) => {
  const { names } = await givenThreads(t, { installation: "another" });

  assert.equal(await failureOf((until) => names([1], until)), "There is no place index yet.");
});

test("a machine that is behind is waited for, and no longer than two seconds", async (t) => {
  const { change, following, names, threads, generation } = await givenThreads(t);
  await names([1]);
  await threads.waitFor(generation, never);
  const next = await change({ put: { 1: "One" } });

  const waiting = threads.waitFor(next, never);
  await following.step();
  await waiting;
  assert.deepEqual(await Promise.all([names([1]), names([1])]), [["One"], ["One"]]);

  await assert.rejects(threads.waitFor(next + 1, never), IndexUnavailable);
});

test("the -wal does not grow under steady searches", async (t) => {
  const { change, following, names } = await givenThreads(t, { places: 400 });
  const { folder } = following;
  const searching = new AbortController();
  const all = Array.from({ length: 400 }, (_, index) => index + 1);
  const searches = [1, 2, 3].map(async () => {
    while (!searching.signal.aborted) await names(all);
  });
  const sizes: number[] = [];

  for (let round = 0; round < 20; round += 1) {
    await change({ put: Object.fromEntries(all.slice(round, round + 20).map((place) => [place, `Round ${round}`])) });
    await following.step();
    sizes.push(folder.walBytes(folder.current() ?? ""));
  }
  searching.abort();
  await Promise.all(searches);

  const [first, last] = [Math.max(...sizes.slice(0, 3)), Math.max(...sizes)];
  assert.ok(last < 3 * first, `the -wal had ${sizes.join(", ")} bytes`);
});
