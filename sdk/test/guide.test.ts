import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);

test("the programs of the guide are the examples, which a test runs, and every example is there", async () => {
  const guide = await readFile(new URL("docs/guides/sdk.md", root), "utf8");
  const shown = Array.from(guide.matchAll(/^```ts\n(.*?)^```$/gms), ([, program]) => program);

  const files = await readdir(new URL("sdk/examples/", root));
  const examples = await Promise.all(files.map((file) => readFile(new URL(`sdk/examples/${file}`, root), "utf8")));
  assert.ok(examples.length > 0);
  assert.deepEqual(new Set(shown), new Set(examples));
});
