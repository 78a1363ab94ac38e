import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test, type TestContext } from "node:test";
import { until } from "../../../test/database-door.ts";
import { defer } from "../../../test/defer.ts";
import { tryFileLock } from "../../platform/file-lock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { lockPath, openIndexFolder } from "./folder.ts";
import { type FollowerSettings, startFollower } from "./follower.ts";
import { readState, writeState } from "./follower-state.ts";
import { contentsOf, givenFolderPath, givenPlaces, placesNamed } from "./testing.ts";
import { waitForIndex } from "./wait.ts";

const program = fileURLToPath(new URL("../../../test/index-follower.ts", import.meta.url));

async function givenFollower(t: TestContext, settings: FollowerSettings) {
  const follower = startFollower({ ...settings, log: silentLog });
  defer(t, follower.stop);
  await follower.looked;
  return follower;
}

/** The same in a process of its own, which has looked once, or is about to. */
function startProcess(t: TestContext, settings: FollowerSettings): ChildProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ["ignore", "pipe", "inherit"] });
  defer(t, () => kill(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Nobody can read the areas from the moment on that `locked` tells, until they are given back. */
function lockAreas(t: TestContext, db: Database) {
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = db.transaction(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await tx.query(sql`lock table catalog_areas in access exclusive mode`);
    locked.resolve();
    await unlock.promise;
  });
  const release = () => {
    unlock.resolve();
    return done;
  };
  defer(t, release);
  return { locked: locked.promise, release };
}

async function someoneWaits(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select from pg_locks where not granted and relation = 'catalog_areas'::regclass
  `);
  return rowCount > 0;
}

test("a process that follows brings every generation into the file, and says so", async (t) => {
  const { connection, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  await change({ put: placesNamed(100) });
  const follower = await givenFollower(t, { path, connection });
  const folder = openIndexFolder(path);

  await until(() => contentsOf({ folder }) !== undefined);
  assert.deepEqual(contentsOf({ folder })?.places, placesNamed(100));
  const generation = await change({ put: { 1: "One" } });
  follower.wake();
  await until(() => readState(path)?.generation === generation);

  assert.deepEqual(contentsOf({ folder }), { generation, places: { ...placesNamed(100), 1: "One" }, areas: [] });
  assert.deepEqual(readState(path), { generation, wanted: generation, behindSince: null, build: null, problem: null });
  const unnoticed = await change({ put: { 2: "Two" } });
  await until(() => readState(path)?.generation === unnoticed);
});

test("one process of a machine follows, and another takes over when it is killed", async (t) => {
  const { connection, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  openIndexFolder(path);
  await change({ put: placesNamed(100) });
  const first = startProcess(t, { path, connection });
  await until(() => readState(path)?.generation !== undefined && readState(path)?.behindSince === null);
  const second = startProcess(t, { path, connection });
  await once(second.stdout ?? second, "data");
  assert.equal(tryFileLock(lockPath(path)), undefined);

  await kill(first);
  const generation = await change({ put: { 1: "One" } });

  await until(() => readState(path)?.generation === generation);
  assert.equal(tryFileLock(lockPath(path)), undefined);
  assert.deepEqual(contentsOf({ folder: openIndexFolder(path) })?.places, { ...placesNamed(100), 1: "One" });
  await kill(second);
  const free = tryFileLock(lockPath(path));
  assert.ok(free);
  free.release();
});

// A descriptor of a file that SQLite has open drops the locks of the whole process when it is closed.
test("two data folders have a file each, and both follow the one catalog", async (t) => {
  const { connection, change } = await givenPlaces(t);
  const generation = await change({ put: placesNamed(100) });
  const paths = [await givenFolderPath(t), await givenFolderPath(t)];
  const processes = paths.map((path) => startProcess(t, { path, connection }));
  const folders = paths.map((path) => openIndexFolder(path));
  await until(() => paths.every((path) => readState(path)?.generation === generation));

  const next = await change({ put: { 1: "One" } });
  await until(() => paths.every((path) => readState(path)?.generation === next));

  for (const folder of folders)
    assert.deepEqual(contentsOf({ folder }), {
      generation: next,
      places: { ...placesNamed(100), 1: "One" },
      areas: [],
    });
  assert.notEqual(folders[0]?.current(), folders[1]?.current());
  for (const each of processes) await kill(each);
});

test("nothing that a follower does drops its locks", async (t) => {
  if (process.platform !== "linux") return t.skip("only Linux lists the locks of a process");
  const { connection, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const folder = openIndexFolder(path);
  const { pid } = startProcess(t, { path, connection });
  const following = async (next: Parameters<typeof change>[0]) => {
    const generation = await change(next);
    await until(() => readState(path)?.generation === generation);
  };

  await following({ put: placesNamed(100) });
  await following({ put: { 1: "One" } });
  folder.markDamaged(folder.current() ?? "");
  await until(() => !folder.isDamaged(folder.current() ?? ""));
  await following({ put: placesNamed(100, "Other"), isListed: false });
  await following({ remove: [2] });

  const held = readFileSync("/proc/locks", "utf8").matchAll(/ POSIX +ADVISORY +\w+ +(\d+) \w+:\w+:(\d+) /g);
  const inodes = new Set(
    Array.from(held).flatMap(([, owner, inode]) => (Number(owner) === pid ? [Number(inode)] : [])),
  );
  assert.ok(inodes.has(statSync(lockPath(path)).ino), "the lock of the folder");
  assert.ok(inodes.has(statSync(`${folder.pathOf(folder.current() ?? "")}-shm`).ino), "the lock of the file");
});

test("a build whose process was killed goes on where it was, in whichever process comes next", async (t) => {
  const { connection, db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const generation = await change({ put: placesNamed(2_000), areas: ["Vaduz"] });
  const areas = lockAreas(t, db);
  await areas.locked;
  const killed = startProcess(t, { path, connection, placesPerBatch: 100 });
  // All places are in the file, and its areas are not.
  await until(() => someoneWaits(db));
  const folder = openIndexFolder(path);
  const draft = folder.draft()?.name ?? "";
  await kill(killed);
  await areas.release();
  assert.ok(folder.bytes(draft) + folder.walBytes(draft) > 100_000);
  assert.equal(folder.current(), undefined);

  await givenFollower(t, { path, connection, placesPerBatch: 100 });
  await until(() => folder.current() !== undefined);

  assert.equal(folder.current(), draft);
  assert.deepEqual(contentsOf({ folder }), { generation, places: placesNamed(2_000), areas: ["vaduz"] });
});

test("a build that was killed in a batch leaves nothing that another file is read with", async (t) => {
  const { connection, db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  await change({ put: placesNamed(50, "Before") });
  const areas = lockAreas(t, db);
  await areas.locked;
  const killed = startProcess(t, { path, connection, placesPerBatch: 10 });
  await until(() => someoneWaits(db));
  await kill(killed);
  await areas.release();
  const folder = openIndexFolder(path);
  const draft = folder.draft()?.name ?? "";

  const generation = await change({ put: placesNamed(50, "After"), isListed: false });
  await givenFollower(t, { path, connection });
  await until(() => readState(path)?.generation === generation);

  assert.notEqual(folder.current(), draft);
  assert.deepEqual(
    readdirSync(path).filter((name) => name.startsWith(draft)),
    [],
  );
  assert.deepEqual(contentsOf({ folder }), { generation, places: placesNamed(50, "After"), areas: [] });
});

test("a change whose process was killed is made whole by the next one, and searches saw none of it", async (t) => {
  const { connection, db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const before = await change({ put: placesNamed(400) });
  const folder = openIndexFolder(path);
  const killed = startProcess(t, { path, connection, placesPerBatch: 5 });
  await until(() => readState(path)?.generation === before && readState(path)?.behindSince === null);
  const name = folder.current();
  const changed = placesNamed(19, "Changed");
  let areas: ReturnType<typeof lockAreas> | undefined;
  const meanwhile = async () => {
    areas = lockAreas(t, db);
    await until(() => someoneWaits(db));
  };
  await change({ put: changed, areas: ["Vaduz"], meanwhile });
  await areas?.locked;
  // All places are written, and nothing is committed.
  await until(() => someoneWaits(db));
  const seen = contentsOf({ folder });
  await kill(killed);
  const left = contentsOf({ folder });
  await areas?.release();

  const generation = await change({ put: { 400: "Last" } });
  await givenFollower(t, { path, connection });
  await until(() => readState(path)?.generation === generation);

  assert.deepEqual(seen, { generation: before, places: placesNamed(400), areas: [] });
  assert.deepEqual(left, seen);
  assert.equal(folder.current(), name);
  const places = { ...placesNamed(400), ...changed, 400: "Last" };
  assert.deepEqual(contentsOf({ folder }), { generation, places, areas: ["vaduz"] });
});

test("a command waits for a file that is not begun yet, and for none of an empty catalog", async (t) => {
  const path = await givenFolderPath(t);
  openIndexFolder(path);
  const lock = tryFileLock(lockPath(path));
  defer(t, () => lock?.release());
  const { signal } = new AbortController();
  const state = { generation: null, wanted: 1, behindSince: null, build: null, problem: null };

  writeState(path, state);
  const waitedForNone = await waitForIndex(path, 1, { signal, stallMs: 0 });
  writeState(path, { ...state, behindSince: "2026-01-01T00:00:00.000Z" });
  const waitedForOne = await waitForIndex(path, 1, { signal, stallMs: 0 });

  assert.equal(waitedForNone.outcome, "done");
  assert.equal(waitedForOne.outcome, "stalled");
});

test("a command waits for whoever follows in its folder, and for nobody else", async (t) => {
  const { connection, db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const { signal } = new AbortController();
  const generation = await change({ put: placesNamed(100) });
  assert.deepEqual(await waitForIndex(path, generation, { signal }), { outcome: "nobody" });
  const areas = lockAreas(t, db);
  await areas.locked;
  const follower = startProcess(t, { path, connection });
  await until(() => readState(path)?.build?.done === 100);

  const stalled = await waitForIndex(path, generation, { signal, stallMs: 0 });
  const progress: unknown[] = [];
  const waiting = waitForIndex(path, generation, { signal, onProgress: (build) => void progress.push(build) });
  await areas.release();

  assert.equal(stalled.outcome, "stalled");
  assert.deepEqual(await waiting, { outcome: "done" });
  assert.ok(progress.length > 0);
  await kill(follower);
  assert.deepEqual(await waitForIndex(path, generation + 1, { signal }), { outcome: "nobody" });
});
