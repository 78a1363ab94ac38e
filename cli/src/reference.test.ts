import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { commands, groups } from "./commands.ts";
import { cliReference } from "./reference.ts";

test("the reference is the one the table of commands makes; npm run cli-reference writes it", async () => {
  const committed = await readFile(new URL("../../docs/reference/cli.md", import.meta.url), "utf8");

  assert.equal(committed, cliReference());
});

test("every command has a name of its own, and every group says what it is", () => {
  const names = commands.map(({ name }) => name);

  assert.equal(new Set(names).size, names.length);
  const firsts = new Set(names.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]));
  assert.deepEqual(firsts, new Set(Object.keys(groups)));
});

test("the guide names every command, or the group it is in", async () => {
  const guide = await readFile(new URL("../../docs/guides/cli.md", import.meta.url), "utf8");

  for (const first of new Set(commands.map(({ name }) => name.split(" ")[0]))) {
    assert.match(guide, new RegExp(`\`${first}\`|waypost ${first}\\b`), first);
  }
});
