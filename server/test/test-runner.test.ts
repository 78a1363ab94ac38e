import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";

const skip = Number(process.versions.node.split(".")[0]) < 24 && "this Node names the imported file";

test("a test that fails in an imported file counts for the file that the runner ran", { skip }, async (t) => {
  const folder = await givenFolder(t);
  const [failed, passed, list] = [join(folder, "a.test.mjs"), join(folder, "b.test.mjs"), join(folder, "list")];
  const lines = 'import { test } from "node:test";\nexport const fail = () => test("no", () => process.exit.no());\n';
  await writeFile(join(folder, "shared.mjs"), lines);
  await writeFile(failed, 'import { fail } from "./shared.mjs";\nfail();\n');
  await writeFile(passed, 'import { test } from "node:test";\ntest("yes", () => undefined);\n');

  const reporter = scriptPath("failed-files.ts");
  await runTests([`--test-reporter=${reporter}`, `--test-reporter-destination=${list}`, failed, passed]);

  assert.equal(await readFile(list, "utf8"), `${failed}\n`);
});

test("files that are made to end have reported all their tests, and why the last one failed", async (t) => {
  const folder = await givenFolder(t);
  const reporter = join(folder, "reporter.mjs");
  // Each has more to say than a pipe takes, to a reader that is slow; without help about half of them lose something.
  const files = ["a", "b", "c", "d", "e", "f"].map((name) => join(folder, `${name}.test.mjs`));
  for (const file of files) {
    await writeFile(
      file,
      `import { test } from "node:test";
      for (let count = 1; count <= 20; count += 1) test("x".repeat(50_000), () => undefined);
      test("y".repeat(50_000), () => { throw new Error("its reason"); });\n`,
    );
  }
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

  const { code, output } = await runTests(["--test-force-exit", `--test-reporter=${reporter}`, ...files]);

  assert.equal(code, 1);
  const lines = output.split("\n");
  assert.equal(lines.filter((line) => line === "passed").length, 20 * files.length);
  assert.equal(lines.filter((line) => line === "its reason").length, files.length);
});

async function givenFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

/** Runs test files as `npm test` does. */
async function runTests(words: readonly string[]): Promise<{ code: number | null; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const flags = ["--test", `--import=${scriptPath("whole-reports.ts")}`];
  const child = spawn(process.execPath, [...flags, ...words], { env, stdio: ["ignore", "pipe", "ignore"] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit") as Promise<[number | null]>]);
  return { code, output };
}

function scriptPath(name: string): string {
  return fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
}
