import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { defer } from "../../../test/defer.ts";
import { mountSmallDisk } from "../../../test/small-disk.ts";
import { openReader } from "../reader.ts";
import { isPassing } from "./damage.ts";
import { openIndexFolder } from "./folder.ts";
import { contentsOf, givenFolderPath, givenFollowing, givenPlaces, placesNamed } from "./testing.ts";

const long = "long ".repeat(8_000);

test("a build that the disk has no room for is not begun, and begins when there is room", async (t) => {
  const { db, change } = await givenPlaces(t);
  const disk = { type: 0xef53, bavail: 1, bsize: 4_096 };
  const folder = openIndexFolder(await givenFolderPath(t), () => disk);
  const following = givenFollowing(t, { db, path: folder.path, folder });
  await change({ put: placesNamed(100) });

  await assert.rejects(
    following.step(),
    /^Error: The place index needs 1 MiB in .*, and 0 MiB are free\. Free some, or set WAYPOST_INDEX_DIR to a folder on another disk\.$/,
  );
  assert.equal(folder.draft(), undefined);
  assert.match(following.states.at(-1)?.problem ?? "", /^The place index needs/);

  disk.bavail = 100_000;
  await following.settle();
  assert.deepEqual(contentsOf(following)?.places, placesNamed(100));
  assert.equal(following.states.at(-1)?.problem, null);
});

test("a disk that becomes full in a build gets its space back, and searches keep the file before", async (t) => {
  const disk = await mountSmallDisk(t, { megabytes: 6 });
  if (!disk) return;
  const { db, change } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path: join(disk, "index"), placesPerBatch: 10 });
  const { folder } = following;
  const generation = await change({ put: placesNamed(100) });
  await following.settle();
  const free = folder.freeBytes();
  const large = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [index + 1, `${long}${index}`]));
  await change({ put: large, isListed: false });

  await assert.rejects(following.step());

  assert.equal(following.states.at(-1)?.problem, "The disk of the place index is full.");
  assert.deepEqual(contentsOf(following), { generation, places: placesNamed(100), areas: [] });
  assert.ok(folder.freeBytes() > free - 300_000, `${folder.freeBytes()} of ${free} bytes are free`);

  const small = await change({ put: placesNamed(200, "Small"), isListed: false });
  await following.settle();
  assert.deepEqual(contentsOf(following), { generation: small, places: placesNamed(200, "Small"), areas: [] });
});

test("a disk that becomes full in a change leaves the file as it was, and the change comes when there is room", async (t) => {
  const disk = await mountSmallDisk(t, { megabytes: 6 });
  if (!disk) return;
  const { db, change } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path: join(disk, "index") });
  const before = await change({ put: placesNamed(400) });
  await following.settle();
  const name = following.folder.current();
  const filler = join(disk, "filler");
  writeFileSync(filler, Buffer.alloc(following.folder.freeBytes() - 64 * 1_024));
  const large = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, `${long}${index}`]));
  const after = await change({ put: large });

  await assert.rejects(following.step());
  assert.equal(following.states.at(-1)?.problem, "The disk of the place index is full.");
  assert.deepEqual(contentsOf(following), { generation: before, places: placesNamed(400), areas: [] });

  rmSync(filler);
  await following.settle();
  assert.equal(following.folder.current(), name);
  assert.deepEqual(contentsOf(following), { generation: after, places: { ...placesNamed(400), ...large }, areas: [] });
});

test("on a disk that takes no writes the file stays as it is, the follower says so, and follows when it does", async (t) => {
  const disk = await mountSmallDisk(t, { megabytes: 6 });
  if (!disk) return;
  const remount = (mode: "ro" | "rw") => promisify(execFile)("mount", ["-o", `remount,${mode}`, disk]);
  const { db, change } = await givenPlaces(t);
  const path = join(disk, "index");
  const earlier = givenFollowing(t, { db, path });
  await change({ put: placesNamed(400) });
  await earlier.settle();
  earlier.close();
  const name = earlier.folder.current() ?? "";
  await remount("ro");
  defer(t, () => remount("rw"));
  const following = givenFollowing(t, { db, path });
  const openReadOnly = () => openReader(following.folder.pathOf(name)).close();

  for (const isListed of [true, false]) {
    await change({ put: placesNamed(400, "New"), isListed });
    await assert.rejects(following.step());
    assert.match(following.states.at(-1)?.problem ?? "", /takes no writes: .*Mount its disk for writing/);
    assert.throws(openReadOnly, isPassing);
    assert.deepEqual([following.folder.current(), following.folder.isDamaged(name)], [name, false]);
  }

  await remount("rw");
  const last = await change({ put: { 1: "Last" } });
  await following.settle();
  const places = { ...placesNamed(400, "New"), 1: "Last" };
  assert.deepEqual(contentsOf(following), { generation: last, places, areas: [] });
  assert.equal(following.states.at(-1)?.problem, null);
});
