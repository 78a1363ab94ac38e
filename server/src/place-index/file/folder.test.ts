import assert from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { makeTempFolder, removeFolder } from "../../../test/temp-folder.ts";
import { openIndexFolder } from "./folder.ts";

const identity = { installation: "one", layout: 1, generation: 3, generationId: "three" };

async function givenPath(t: TestContext): Promise<string> {
  const path = await makeTempFolder();
  t.after(() => removeFolder(path));
  return join(path, "index");
}

test("only its owner reads the folder and what stands in it", async (t) => {
  const path = await givenPath(t);

  const folder = openIndexFolder(path);
  folder.setCurrent(folder.newName());
  folder.setDraft({ name: folder.newName(), began: identity });
  folder.markDamaged(folder.newName());

  assert.equal(statSync(path).mode & 0o777, 0o700);
  const modes = readdirSync(path).map((name) => statSync(join(path, name)).mode & 0o777);
  assert.deepEqual(modes, [0o600, 0o600, 0o600, 0o600]);
});

test("a new process finds which file is current, and which build is not done", async (t) => {
  const path = await givenPath(t);
  const before = openIndexFolder(path);
  const [name, draftName] = [before.newName(), before.newName()];
  before.setCurrent(name);
  before.setDraft({ name: draftName, began: identity });

  const folder = openIndexFolder(path);

  assert.equal(folder.current(), name);
  assert.deepEqual(folder.draft(), { name: draftName, began: identity });
  assert.notEqual(name, draftName);
});

test("what no program of ours wrote into current or draft counts as nothing", async (t) => {
  const path = await givenPath(t);
  const folder = openIndexFolder(path);
  assert.deepEqual([folder.current(), folder.draft()], [undefined, undefined]);

  writeFileSync(join(path, "current"), "../other.sqlite\n");
  writeFileSync(join(path, "draft"), '{"name":');

  assert.deepEqual([folder.current(), folder.draft()], [undefined, undefined]);
});

test("files of former builds go with what SQLite left beside them, and nothing else goes", async (t) => {
  const path = await givenPath(t);
  const folder = openIndexFolder(path);
  const [kept, old, killed] = [folder.newName(), folder.newName(), folder.newName()];
  const left = [kept, `${kept}-wal`, `${kept}-shm`, "notes.txt", "lock"];
  const gone = [old, `${old}-wal`, `${old}-shm`, `${old}.damaged`, `${killed}-wal`, `${killed}-journal`];
  for (const name of [...left, ...gone]) writeFileSync(join(path, name), "");

  folder.deleteAllBut([kept, undefined]);

  assert.deepEqual(readdirSync(path).toSorted(), left.toSorted());
});

test("a file system that several machines share is refused with what to do", async (t) => {
  const path = await givenPath(t);
  const of = (type: number) => () => openIndexFolder(path, () => ({ type, bavail: 1, bsize: 4_096 }));

  for (const type of [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0xfe534d42 | 0]) {
    assert.throws(of(type), /which several machines share\. Set WAYPOST_INDEX_DIR to a folder on a disk/);
  }
  assert.equal(of(0xef53)().freeBytes(), 4_096);
});
