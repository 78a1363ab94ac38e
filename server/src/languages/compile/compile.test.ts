import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isLoose, termsOf } from "../terms.ts";
import { parseTerms } from "../terms/file.ts";
import { compile } from "./compile.ts";
import { parseLanguage, readLanguageFiles } from "./read-files.ts";

const folder = join(import.meta.dirname, "..");

test("what the service loads of each language is made from its file", async () => {
  let files = 0;
  for (const [name, text] of compile(readLanguageFiles(folder))) {
    files += 1;
    assert.ok((await readFile(join(folder, "compiled", name), "utf8")) === text, `${name} is old: npm run languages`);
    if (name.endsWith(".txt")) assert.ok(parseTerms(text).categories.size > 0, name);
  }
  assert.ok(files > 50, `${files} files`);
});

test("a term that means too many kinds is known to be only searched by", () => {
  const english = termsOf("en");

  assert.equal(english.get("table"), undefined);
  assert.equal(isLoose(english, "table"), true);
  assert.equal(isLoose(english, "cafe"), false);
  assert.equal(isLoose(english, "bistro"), true);
});

test("a language whose words stand side by side has its terms without blanks between them", () => {
  const files = [
    ...compile([parseLanguage("qaa", "blanks: false\nkinds:\n  shop/bakery: パン屋, blor ka\nhere: blork\n")]),
  ];
  const [[, lexicon] = ["", ""], [, terms] = ["", ""]] = files;

  assert.deepEqual(Object.keys(JSON.parse(lexicon).qaa), ["blanks", "here"]);
  assert.ok(parseTerms(terms).categories.has("パン屋") && parseTerms(terms).categories.has("blor ka"));
});
