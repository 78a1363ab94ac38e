import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tagsOfCategory } from "../../kinds/index.ts";
import { lexicon } from "../index.ts";
import { commonestKinds } from "./commonest.ts";
import { coverageOf, isEnough, languagesPage } from "./coverage.ts";

const root = join(import.meta.dirname, "../../../..");

test("at least sixty languages have words for nine in ten of the commonest kinds, for near, in and open", () => {
  const whole = [...lexicon.keys()].filter((tag) => isEnough(coverageOf(tag)));

  assert.ok(whole.length >= 60, `${whole.length} languages`);
});

test("the page of languages says what each has words for", async () => {
  const page = await readFile(join(root, "docs/reference/languages.md"), "utf8");

  assert.ok(page === languagesPage(), "docs/reference/languages.md is old: npm run languages:page");
});

test("the commonest kinds are sixty, each once, and exist", () => {
  assert.equal(new Set(commonestKinds).size, 60);
  assert.deepEqual(
    commonestKinds.filter((kind) => tagsOfCategory(kind) === undefined),
    [],
  );
});
