import assert from "node:assert/strict";
import { test } from "node:test";
import { countryNamed } from "./countries.ts";

test("a country is known by its names in the languages that are read, and by what people call it besides", () => {
  const names: [name: string, code: string | undefined][] = [
    ["liechtenstein", "LI"],
    ["turkiye", "TR"],
    ["turkey", "TR"],
    ["turkei", "TR"],
    ["czech republic", "CZ"],
    ["tschechien", "CZ"],
    ["ivory coast", "CI"],
    ["hong kong", "HK"],
    ["macau", "MO"],
    ["macao", "MO"],
    ["palestine", "PS"],
    ["bosnia", "BA"],
    ["vatican", "VA"],
    ["curacao", "CW"],
    ["svalbard", "SJ"],
    ["usa", "US"],
    ["uk", "GB"],
    ["wales", undefined], // many a Prince of Wales
    ["us", undefined],
    ["soviet union", undefined],
    ["europe", undefined],
  ];
  for (const [name, code] of names) assert.equal(countryNamed(name), code, name);
});

test("every ISO country with an English name is found by it", () => {
  const english = new Intl.DisplayNames(["en"], { type: "region" });
  for (const code of ["DE", "CU", "IR", "PE", "TD", "OM", "FJ", "ML", "TG", "NR"]) {
    assert.equal(countryNamed((english.of(code) ?? "").toLowerCase()), code);
  }
});
