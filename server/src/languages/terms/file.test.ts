import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { languages } from "../data.ts";
import { isLoose, isWritten, termsFile, termsOf } from "../terms.ts";
import { collectTerms } from "./collect.ts";
import { formatTerms, parseTerms } from "./file.ts";

test("the terms of each language are stored as they are collected", async () => {
  for (const language of languages.filter(isWritten)) {
    const collected = collectTerms(language);
    const text = await readFile(termsFile(language), "utf8");

    assert.ok(text === formatTerms(collected), `${language} is out of date: npm run terms`);
    assert.deepEqual(parseTerms(text), collected);
  }
});

test("a term that means too many kinds is known to be only searched by", () => {
  const english = termsOf("en");

  assert.equal(english.get("table"), undefined);
  assert.equal(isLoose(english, "table"), true);
  assert.equal(isLoose(english, "cafe"), false);
  assert.equal(isLoose(english, "bistro"), true);
});
