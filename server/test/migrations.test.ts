import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { brokenSeals, migrationsFolder, readSeals, sealMigrations } from "./migration-seals.ts";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";

async function sealedFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  await writeFile(join(folder, "checksums.json"), "{}\n");
  await writeFile(join(folder, "0001_a.sql"), "select 1;\n");
  assert.deepEqual(await sealMigrations(folder), ["0001_a.sql"]);
  return folder;
}

test("no released migration has changed", async () => {
  assert.deepEqual(await brokenSeals(migrationsFolder), []);
});

test("once there is a release, its migrations are sealed", async () => {
  const changelog = await readFile(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  const hasRelease = /^## \[?v?\d+\.\d+/m.test(changelog);
  const sealed = Object.keys(await readSeals(migrationsFolder));

  assert.equal(sealed.length > 0, hasRelease, "run `npm run migrations:seal` with each release, and only then");
});

test("a released migration that changes or goes away is found, and cannot be sealed again", async (t) => {
  const folder = await sealedFolder(t);
  assert.deepEqual(await brokenSeals(folder), []);

  await writeFile(join(folder, "0001_a.sql"), "select 2;\n");
  assert.match((await brokenSeals(folder)).join(), /0001_a\.sql was changed after its release/);
  await assert.rejects(sealMigrations(folder), /was changed/);

  await rm(join(folder, "0001_a.sql"));
  assert.match((await brokenSeals(folder)).join(), /0001_a\.sql was removed/);
});

test("a migration that is not released yet may change", async (t) => {
  const folder = await sealedFolder(t);
  await writeFile(join(folder, "0002_b.sql"), "select 1;\n");
  await writeFile(join(folder, "0002_b.sql"), "select 2;\n");

  assert.deepEqual(await brokenSeals(folder), []);
  assert.deepEqual(await sealMigrations(folder), ["0002_b.sql"]);
});
