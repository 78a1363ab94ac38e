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

// Its terms are collected where they are loaded, by the rules of its file.
test("a language whose words stand side by side is loaded with its kinds and its rules", () => {
  const sections = "kinds:\n  shop/bakery: snorf\nplurals:\n  rules: [['', i]]\nhere: blork\n";
  const loadedSections = (text: string) => {
    const [[, lexicon = ""] = []] = compile([parseLanguage("qaa", text)]);
    return Object.keys(JSON.parse(lexicon).qaa);
  };

  assert.deepEqual(loadedSections(sections), ["here"]);
  assert.deepEqual(loadedSections(`blanks: false\n${sections}`), ["blanks", "kinds", "plurals", "here"]);
});
