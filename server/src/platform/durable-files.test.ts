import assert from "node:assert/strict";
import { mkdir, open, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { test, type TestContext } from "node:test";
import { makeTempFolder } from "../../test/temp-folder.ts";
import { createDurably, makeFolderDurably, syncTree, writeDurably } from "./durable-files.ts";

const spyingNeeds = "seeing which files are flushed needs /proc";

/** A folder, and the names in it that were flushed so far, in order; a draft as `draft`. */
async function givenFolder(t: TestContext) {
  const folder = await makeTempFolder();
  t.after(() => rm(folder, { recursive: true }));
  const flushed: string[] = [];
  const handle = await open(folder);
  const files = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const sync = files.sync;
  t.mock.method(files, "sync", async function (this: typeof handle) {
    const path = relative(folder, await readlink(`/proc/self/fd/${this.fd}`)) || ".";
    flushed.push(/\.[0-9a-f]{8}$/.test(path) ? "draft" : path);
    await sync.call(this);
  });
  return { folder, flushed };
}

test("a file is flushed before it has its name, and its name before anything relies on it", async (t) => {
  if (process.platform !== "linux") return t.skip(spyingNeeds);
  const { folder, flushed } = await givenFolder(t);
  const path = join(folder, "secret");

  await createDurably(path, "first");
  await createDurably(path, "second");
  assert.equal(await readFile(path, "utf8"), "first");
  await writeDurably(path, "third");

  assert.equal(await readFile(path, "utf8"), "third");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["secret"]);
  assert.deepEqual(flushed, ["draft", ".", "draft", ".", "draft", "."]);
});

test("a new folder is flushed up to the first that was there, and one that is there is left alone", async (t) => {
  if (process.platform !== "linux") return t.skip(spyingNeeds);
  const { folder, flushed } = await givenFolder(t);

  await makeFolderDurably(join(folder, "a/b/c"), 0o700);
  await makeFolderDurably(join(folder, "a/b"));

  assert.deepEqual(flushed, ["a/b", "a", "."]);
});

test("everything in a folder is flushed, except what links point to", async (t) => {
  if (process.platform !== "linux") return t.skip(spyingNeeds);
  const { folder, flushed } = await givenFolder(t);
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/postgres"), "program");
  await symlink("nowhere", join(folder, "bin/link"));

  await syncTree(folder);

  assert.deepEqual(flushed.toSorted(), [".", "bin", "bin/postgres"]);
});
