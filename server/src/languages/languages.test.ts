import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { presets, tagsOfCategory } from "../kinds/index.ts";
import { readLanguageFiles } from "./compile/read-files.ts";
import { featureLabel, groupLabel, labelOf, languageFor, optionLabel, termsOf } from "./index.ts";
import { foldedRuns, withoutPartings } from "../text/normalize.ts";

const files = readLanguageFiles(import.meta.dirname);

test("categories are called by their names in the language asked for", () => {
  assert.equal(labelOf("amenity/pharmacy", "de"), "Apotheke");
  assert.equal(labelOf("amenity/pharmacy", "de-CH"), "Apotheke");
  assert.equal(labelOf("shop/bakery", "fr"), "Boulangerie");
  assert.equal(labelOf("shop/bakery", "zz"), labelOf("shop/bakery", "en"));
  assert.equal(labelOf("shop/no_such_thing", "de"), "No such thing");
});

test("a label is one name, without notes for mappers", () => {
  assert.deepEqual(
    ["en", "es", "nl", "de"].map((hl) => labelOf("amenity/hospital", hl)),
    ["Hospital", "Hospital", "Ziekenhuis", "Krankenhaus"],
  );
  assert.deepEqual([labelOf("amenity/bar", "es"), labelOf("leisure/fitness_centre", "en")], ["Bar", "Gym"]);
  assert.equal(labelOf("amenity/school", "fr"), "École");
  for (const hl of ["en", "de", "fr", "ja", "zh", "ar"]) {
    for (const categories of Object.keys(files.find(({ tag }) => tag === "en")?.content.kinds ?? {})) {
      for (const id of categories.split(" ")) assert.match(labelOf(id, hl), /^\p{L}[^()]*$/u, `${id} ${hl}`);
    }
  }
});

test("a language tag is served by the nearest language there are words in", () => {
  const served = ["de-AT", "pt-BR", "pt-PT", "zh-Hant-TW", "zh", "nb", "xx", "EN-us"].map((hl) => languageFor(hl));

  assert.deepEqual(served, ["de", "pt-br", "pt", "zh-tw", "zh-cn", "no", "en", "en"]);
});

const everyLanguage = readdirSync(join(import.meta.dirname, "tagging-schema"))
  .map((file) => file.replace(".json", ""))
  .filter((name) => /^[a-z]{2}(-[a-z]{2})?$/.test(name));

// "Some amenity" and its like are presets that no place is ever labeled with.
const labeled = [...presets.keys()].filter((id) => id.includes("/") || !presets.get(id)?.hidden);

test("every label that a listing may carry finds its own category in its own language", () => {
  assert.ok(everyLanguage.length > 20 && labeled.length > 700);
  for (const hl of everyLanguage) {
    const [own, english] = [termsOf(hl), termsOf("en")];
    for (const id of labeled) {
      const phrase = withoutPartings(foldedRuns(labelOf(id, hl)).join(" "));
      const found = own.get(phrase) ?? english.get(phrase) ?? [];
      assert.ok(
        found.includes(id) || found.includes(id.split("/", 1)[0] ?? ""),
        `${id} "${phrase}" (${hl}): ${found.join(" ")}`,
      );
    }
  }
});

test("a word that dozens of kinds are found by means none of them", () => {
  assert.equal(termsOf("en").get("table"), undefined);
  assert.equal(termsOf("en").get("constructor"), undefined);
});

test("features and their values have labels", () => {
  assert.equal(featureLabel("outdoor_seating", "de"), "Außenbestuhlung");
  assert.equal(featureLabel("payment:credit_cards", "en"), "Credit Card");
  assert.equal(featureLabel("diet:vegan", "fr-CA"), "Végane");
  assert.equal(featureLabel("some:thing", "en"), "Some thing");
  assert.equal(optionLabel("wheelchair", "limited", "en"), "Limited");
});

test("every word of a language's file means the kinds that it stands for, and there are such kinds", () => {
  assert.ok(files.length > 70);
  for (const { tag, content } of files) {
    assert.equal(languageFor(tag), tag);
    for (const [kinds, words] of Object.entries(content.kinds ?? {})) {
      const ids = kinds.split(" ");
      for (const id of ids) assert.ok(tagsOfCategory(id), `${tag}: ${id}`);
      for (const word of words) {
        const found = termsOf(tag).get(withoutPartings(foldedRuns(word).join(" "))) ?? [];
        assert.deepEqual(
          ids.filter((id) => !found.includes(id)),
          [],
          `${tag}: ${word}`,
        );
        if (content.extends === undefined) assert.equal(found[0], ids[0], `${tag}: ${word}`);
      }
    }
  }
});

test("a group of features is called what the language's file says, else what the one says that it extends", () => {
  const labels = ["de", "pt-BR", "pl"].map((hl) => groupLabel("service", hl));

  assert.deepEqual(labels, ["Service", "Serviços", "Service options"]);
});
