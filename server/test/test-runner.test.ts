import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { chooseFiles } from "../../scripts/tests/files.ts";
import { runnerWords, writeEntries } from "../../scripts/tests/processes.ts";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";

test("a file that measures its process is kept apart, as end-to-end tests are, and one that is not there is named", () => {
  const [usual, measuring, story] = ["server/test/test-runner", "server/src/api/attacks", "e2e/signals"].map(
    (name) => `${name}.test.ts`,
  );
  assert.ok(usual && measuring && story);

  const chosen = chooseFiles([usual, measuring, story]);

  assert.deepEqual(chosen, { shared: [resolve(usual)], measuring: [resolve(measuring)], endToEnd: [resolve(story)] });
  assert.throws(() => chooseFiles([usual, "server/test/no-such.test.ts"]), /No file is named server\/test\/no-such/);
});

test("each file runs once, in the process that takes it, and its hooks end with it", async (t) => {
  const folder = await givenFolder(t);
  const files = await Promise.all(
    ["a", "b", "c", "d", "e"].map((name) =>
      givenFile(
        folder,
        name,
        `import { after, beforeEach, test } from "node:test";
        let begun = 0;
        beforeEach(() => { begun += 1; });
        after(() => console.log("ended ${name}"));
        test("one of ${name}", () => console.log("begun ${name} " + begun));
        test("two of ${name}", () => console.log("begun ${name} " + begun));\n`,
      ),
    ),
  );

  const [first = "", second = "", ...others] = files;
  const { code, output, counts } = await runTests(folder, [
    [first, ...others],
    [second, ...others],
  ]);

  assert.equal(code, 0, output);
  assert.deepEqual(counts, { passed: 10, failed: 0, skipped: 0 });
  for (const name of ["a", "b", "c", "d", "e"]) {
    const said = output.split("\n").filter((line) => new RegExp(`^(begun|ended) ${name}`).test(line));
    assert.deepEqual(said, [`begun ${name} 1`, `begun ${name} 2`, `ended ${name}`]);
  }
});

test("a file that does not load counts as a test that failed, and the files after it still run", async (t) => {
  const folder = await givenFolder(t);
  const files = [
    await givenFile(folder, "a", 'import "./nothing-here.mjs";\n'),
    await givenFile(folder, "b", 'import { test } from "node:test";\ntest("yes", () => undefined);\n'),
  ];

  const { code, output, counts } = await runTests(folder, [files]);

  assert.equal(code, 1);
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.match(output, /Cannot find module .*nothing-here/);
});

test("what a test leaves open fails the run and is named, after all that it has reported", async (t) => {
  const folder = await givenFolder(t);
  const leftOpen = 'import { test } from "node:test";\ntest("yes", () => void setInterval(() => undefined, 1_000));\n';
  const file = await givenFile(folder, "a", leftOpen);

  const { code, output, counts } = await runTests(folder, [[file]]);

  assert.equal(code, 1);
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.match(output, /✔ yes/);
  assert.match(output, /A test left this open: .*Timeout/);
});

test("a slow reader gets all that processes with much to say report, and why the last test of each failed", async (t) => {
  const folder = await givenFolder(t);
  const reporter = join(folder, "reporter.mjs");
  // Each has more to say than a pipe takes.
  const files = await Promise.all(
    ["a", "b", "c", "d", "e", "f"].map((name) =>
      givenFile(
        folder,
        name,
        `import { test } from "node:test";
        for (let count = 1; count <= 20; count += 1) test("x".repeat(50_000), () => undefined);
        test("y".repeat(50_000), () => { throw new Error("its reason"); });\n`,
      ),
    ),
  );
  await writeFile(
    reporter,
    `const never = new Int32Array(new SharedArrayBuffer(4));
    export default async function* (events) {
      for await (const { type, data } of events) {
        Atomics.wait(never, 0, 0, 5);
        if (type === "test:pass") yield "passed\\n";
        if (type === "test:fail") yield (data.details.error.cause.message ?? "") + "\\n";
      }
    }\n`,
  );

  const lists = files.map((file) => [file]);
  const { code, output, counts } = await runTests(folder, lists, { reporter });

  assert.equal(code, 1);
  assert.deepEqual(counts, { passed: 20 * files.length, failed: files.length, skipped: 0 });
  const lines = output.split("\n");
  assert.equal(lines.filter((line) => line === "passed").length, 20 * files.length);
  assert.equal(lines.filter((line) => line === "its reason").length, files.length);
});

async function givenFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

async function givenFile(folder: string, name: string, lines: string): Promise<string> {
  const path = join(folder, `${name}.test.mjs`);
  await writeFile(path, lines);
  return path;
}

/** Runs test files as `npm test` does, and waits less for what they leave open. */
async function runTests(folder: string, lists: readonly (readonly string[])[], { reporter = "spec" } = {}) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const countsPath = join(folder, "counts.json");
  const words = runnerWords(await writeEntries(folder, lists, 1_000), { atOnce: 2, countsPath, reporter });
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "ignore"] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit") as Promise<[number | null]>]);
  return { code, output, counts: JSON.parse(await readFile(countsPath, "utf8")) as unknown };
}
