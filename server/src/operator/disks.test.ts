import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { judgeDisk, readDisks } from "./disks.ts";

const others = ["/dev/shm", "/var/tmp", "/tmp"];

test("the exports' disk is looked at where it is another one", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  await mkdir(join(folder, "exports"));
  const namesOf = async () => (await readDisks(folder)).map(({ of }) => of);
  assert.deepEqual(await namesOf(), ["data folder"]);

  const deviceOf = async (path: string) => (await stat(path).catch(() => undefined))?.dev;
  const ours = await deviceOf(folder);
  const devices = await Promise.all(others.map(async (path) => ({ path, device: await deviceOf(path) })));
  const other = devices.find(({ device }) => device !== undefined && device !== ours);
  if (!other) return t.skip("this machine has one disk");
  const elsewhere = await mkdtemp(join(other.path, "exports-"));
  t.after(() => rm(elsewhere, { recursive: true }));
  await rm(join(folder, "exports"), { recursive: true });
  await symlink(elsewhere, join(folder, "exports"));

  assert.deepEqual(await namesOf(), ["data folder", "exports"]);
});

test("a disk that takes no more files is full, whatever space it has", () => {
  const judged = (freeFiles: number | undefined) =>
    judgeDisk({ of: "exports", freeBytes: 1e12, totalBytes: 2e12, ...(freeFiles === undefined ? {} : { freeFiles }) });

  const says = "the disk of the exports has room for 255 more files";
  assert.deepEqual(judged(255), { state: "problem", says });
  assert.deepEqual(
    [256, 9_999, 10_000, undefined].map((count) => judged(count).state),
    ["warning", "warning", "ok", "ok"],
  );
});
