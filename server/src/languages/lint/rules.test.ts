import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { parseLanguage, readLanguageFiles } from "../compile/read-files.ts";
import { faultsOf, type RuleName, rules } from "./rules.ts";

const files = readLanguageFiles(join(import.meta.dirname, ".."));

/** A file that breaks a rule, and what the linter says of it. */
const broken: Readonly<Record<RuleName, readonly [text: string, what: RegExp][]>> = {
  "unreadable file": [
    ["kindz:\n  shop/bakery: blork\n", /kindz is nothing/],
    ["here: [\n", /./],
    ["attributes:\n  vgan: blork\n", /attributes/],
  ],
  "unknown kind": [["kinds:\n  shop/bakery shop/no_such_thing: blork\n", /^shop\/no_such_thing$/]],
  "unknown language": [
    ["extends: qab\n", /^qab$/],
    ["inflections:\n  like: qab\n", /^qab$/],
  ],
  "served twice": [
    ["serves: nb\n", /^nb$/],
    ["serves: de\n", /^de$/],
  ],
  "same word twice": [
    ["kinds:\n  shop/bakery: blörk, snorf, blork\n", /kinds: blörk/],
    ["here: blork ar, snorf, Blork  ar\n", /here: blork ar/],
    ["headings:\n  name: blork snorf, blorksnorf\n", /headings: blork snorf/],
  ],
  contradiction: [
    ["kinds:\n  shop/bakery: blork\n  shop/butcher: blork\n", /blork is shop\/bakery and shop\/butcher/],
    ["attributes:\n  vegan: blork\n  halal: blork\n", /blork is vegan and halal/],
    ["headings:\n  name: blork\n  city: blork\n", /blork is name and city/],
    ["closed:\n  permanently: blork\n  temporarily: blork\n", /blork is permanently and temporarily/],
  ],
  // The first two letters of the Hebrew word are Arabic ones.
  "mixed scripts": [
    ["attributes:\n  vegetarian: \u0635\u0645\u05d7\u05d5\u05e0\u05d9\n", /attributes/],
    ["kinds:\n  shop/bakery: bl\u043erk\n", /kinds/],
  ],
  "not NFC": [["here: blo\u0308rk\n", /here/]],
  "changes nothing": [
    ["fillers: blork, !!\n", /fillers: !!/],
    ["kinds:\n  shop/bakery: blork, blorks\nplurals:\n  rules: [[s, s], ['', s]]\n", /kinds: blorks/],
  ],
};

test("the files of languages break no rule", () => {
  assert.ok(files.length > 70);
  assert.deepEqual([...faultsOf(files)], []);
});

for (const rule of Object.keys(rules) as RuleName[]) {
  test(`a file that breaks the rule "${rule}" is refused`, () => {
    for (const [text, what] of broken[rule]) {
      const file = parseLanguage("qaa", text);
      const found = [...rules[rule](file, [...files, file])];

      assert.equal(found.length, 1, `${text} ${found.join()}`);
      assert.match(found[0] ?? "", what);
    }
  });
}

test("words of several scripts beside each other are no mixture", () => {
  const file = parseLanguage("qaa", "here: wifi無料, 24ωρο, 5-star отель\n");

  assert.deepEqual([...rules["mixed scripts"](file)], []);
});
