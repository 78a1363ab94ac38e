import assert from "node:assert/strict";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { makeFolder } from "./folders.ts";

test("a folder is made with those it lies in, and once by several at the same time", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const path = join(folder, "a", "b", "c");

  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700), makeFolder(join(folder, "a", "b"))]);
  await makeFolder(path);

  assert.ok((await stat(path)).isDirectory());
});

test("a file where a folder is wanted, or on the way to it, is refused", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const file = join(folder, "file");
  await writeFile(file, "");

  await assert.rejects(makeFolder(file), { code: "EEXIST", path: file });
  await assert.rejects(makeFolder(join(file, "x")), { code: "ENOTDIR", path: join(file, "x") });
});

// Node's own `recursive` never comes back here.
test("a file system that takes no folders is refused at once", { skip: process.platform !== "linux" }, async () => {
  await assert.rejects(makeFolder("/proc/nope"), { code: "ENOENT", path: "/proc/nope" });
  await assert.rejects(makeFolder("/proc/nope/data"), { code: "ENOENT", path: "/proc/nope" });
});
