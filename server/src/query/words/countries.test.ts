import assert from "node:assert/strict";
import { test } from "node:test";
import { countryNamed } from "./countries.ts";
import { phraseOf } from "../../text/words.ts";

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

test("a country is known by its name in the languages that are not read, whatever their letters", () => {
  const names: [name: string, code: string | undefined][] = [
    ["日本", "JP"],
    ["台灣", "TW"],
    ["台湾", "TW"],
    ["한국", "KR"],
    ["대한민국", "KR"],
    ["ไทย", "TH"],
    ["ประเทศไทย", "TH"],
    ["Việt Nam", "VN"],
    ["भारत", "IN"],
    ["ישראל", "IL"],
    ["مصر", "EG"],
    ["السعودية", "SA"],
    ["ایران", "IR"],
    ["Ελλάδα", "GR"],
    ["България", "BG"],
    ["Україна", "UA"],
    ["США", "US"],
    ["საქართველო", "GE"],
    ["Ísland", "IS"],
    ["Polska", "PL"],
    ["Česko", "CZ"],
    ["Magyarország", "HU"],
    ["Suomi", "FI"],
    ["ኢትዮጵያ", "ET"],
    ["Ý", undefined], // Italy in Vietnamese, and a word of Spanish
    ["Fas", undefined], // Morocco in Turkish
  ];
  for (const [name, code] of names) assert.equal(countryNamed(phraseOf(name)), code, name);
});

test("every ISO country with an English name is found by it", () => {
  const english = new Intl.DisplayNames(["en"], { type: "region" });
  for (const code of ["DE", "CU", "IR", "PE", "TD", "OM", "FJ", "ML", "TG", "NR"]) {
    assert.equal(countryNamed((english.of(code) ?? "").toLowerCase()), code);
  }
});
