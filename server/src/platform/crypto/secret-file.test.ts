import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readOrCreateSecret } from "./secret-file.ts";

test("many who ask at once get the same secret, which only its owner may read", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "waypost-secret-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "secret");
  let made = 0;

  const secrets = await Promise.all(
    Array.from({ length: 50 }, () => readOrCreateSecret(path, () => `secret ${(made += 1)}`)),
  );

  assert.equal(new Set(secrets).size, 1);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["secret"]);
  assert.equal(await readOrCreateSecret(path, () => "another"), secrets[0]);
});

test("an empty file is no secret", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "waypost-secret-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "secret");
  await writeFile(path, "\n");

  await assert.rejects(
    readOrCreateSecret(path, () => "another"),
    /secret is empty/,
  );
});
