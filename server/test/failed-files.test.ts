import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";

const reporter = fileURLToPath(new URL("../../scripts/failed-files.ts", import.meta.url));

const skip = Number(process.versions.node.split(".")[0]) < 24 && "this Node names the imported file";

test("a test that fails in an imported file counts for the file that the runner ran", { skip }, async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const [failed, passed, list] = [join(folder, "a.test.mjs"), join(folder, "b.test.mjs"), join(folder, "list")];
  const lines = 'import { test } from "node:test";\nexport const fail = () => test("no", () => process.exit.no());\n';
  await writeFile(join(folder, "shared.mjs"), lines);
  await writeFile(failed, 'import { fail } from "./shared.mjs";\nfail();\n');
  await writeFile(passed, 'import { test } from "node:test";\ntest("yes", () => undefined);\n');

  const flags = ["--test", `--test-reporter=${reporter}`, `--test-reporter-destination=${list}`];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [...flags, failed, passed], { env, stdio: "ignore" });
  await once(child, "exit");

  assert.equal(await readFile(list, "utf8"), `${failed}\n`);
});
