import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { presets } from "./data.ts";
import { everyday } from "./everyday.ts";
import { everydayElsewhere } from "./everyday-elsewhere.ts";
import { everydayServices } from "./everyday-services.ts";
import { everydayTrades } from "./everyday-trades.ts";
import {
  categoriesOfTags,
  categoryOfOverture,
  featureLabel,
  isBusiness,
  isFurnitureCategory,
  labelOf,
  languageFor,
  languageOfCountry,
  normalize,
  optionLabel,
  tagsOfCategory,
  termsOf,
} from "./index.ts";

test("words are compared without accents, case and punctuation, in any script", () => {
  assert.deepEqual(normalize("Café-Bar  Münchner STRASSE 5b!"), ["cafe", "bar", "munchner", "strasse", "5b"]);
  assert.deepEqual(normalize("Straße Œuvre Łódź İstanbul"), ["strasse", "oeuvre", "lodz", "istanbul"]);
  assert.deepEqual(normalize("McDonald's"), normalize("McDonalds"));
  assert.deepEqual(normalize("Ｌａ　Ｌａｎｔｅｒｎａ"), ["la", "lanterna"]);
  assert.deepEqual(normalize("مَطْعَم"), ["مطعم"]);
  assert.deepEqual(normalize("کافی شاپ مدرسة مـقـهى ہوٹل"), normalize("كافي شاپ مدرسه مقهي هوٹل"));
  assert.deepEqual(normalize("متجر ٢٤ ۷۸ २४ ২৪ ๒๔"), ["متجر", "24", "78", "24", "24", "24"]);
  assert.deepEqual(normalize("서울 카페"), ["서울", "카페"]);
  assert.deepEqual(normalize("東京のカフェ"), ["東京", "の", "カフェ"]);
  assert.deepEqual(normalize("がぎ").join(""), "がぎ");
  assert.deepEqual(normalize(" \u0000🍕 … "), []);
});

test("the finest category of a place comes first and the broader ones follow", () => {
  const pizzeria = categoriesOfTags({ amenity: "restaurant", cuisine: "kebab;pizza" });
  assert.equal(pizzeria[0], "amenity/restaurant/pizza");
  assert.ok(pizzeria.includes("amenity/restaurant"));

  assert.deepEqual(categoriesOfTags({ shop: "supermarket" }), ["shop/supermarket", "shop"]);
  assert.deepEqual(categoriesOfTags({ tourism: "hotel", amenity: "restaurant" }), [
    "tourism/hotel",
    "amenity/restaurant",
  ]);
  assert.deepEqual(categoriesOfTags({ tourism: "attraction", amenity: "cafe" }).at(0), "amenity/cafe");
  assert.deepEqual(categoriesOfTags({ historic: "castle", amenity: "restaurant" }), [
    "amenity/restaurant",
    "historic/castle",
  ]);
  assert.equal(categoriesOfTags({ healthcare: "pharmacy" })[0], "amenity/pharmacy");
  assert.deepEqual(categoriesOfTags({ shop: "something nobody heard of" }), ["shop"]);
  assert.deepEqual(categoriesOfTags({ highway: "bus_stop" }), []);
});

test("a named thing with a telling tag is a business, one without a name or with an empty shop is none", () => {
  assert.ok(isBusiness({ name: "Adler", amenity: "pub" }));
  assert.ok(!isBusiness({ amenity: "pub" }));
  assert.ok(!isBusiness({ name: "Adler", shop: "vacant" }));
  assert.ok(!isBusiness({ name: "Adler", "disused:shop": "bakery" }));
  assert.ok(!isBusiness({ name: "Hauptstrasse", highway: "residential" }));
});

test("the written rule of what a business is", () => {
  const kept: Record<string, string>[] = [
    { "name:de": "Adler", amenity: "pub" },
    { brand: "Bankomat AG", amenity: "atm" },
    { operator: "Stadtwerke", amenity: "charging_station" },
    { name: "Post", building: "hotel" },
    { name: "FC Vaduz", club: "sport" },
    { name: "Samedan", aeroway: "aerodrome" },
    { name: "Sargans", railway: "station" },
    { name: "Malbun", landuse: "winter_sports" },
    { name: "Gutenberg", historic: "castle" },
    { name: "Dorffriedhof", landuse: "cemetery" },
  ];
  const left: Record<string, string>[] = [
    { operator: "Gemeinde", amenity: "bench" },
    { brand: "X", amenity: "waste_basket" },
    { name: "Gleis 3", railway: "platform" },
    { name: "Block B", building: "apartments" },
    { name: "Wiese", landuse: "meadow" },
    { name: "Gipsberg", natural: "peak" },
  ];
  for (const tags of kept) {
    assert.ok(isBusiness(tags), JSON.stringify(tags));
    assert.ok(categoriesOfTags(tags).length > 0, JSON.stringify(tags));
  }
  for (const tags of left) assert.ok(!isBusiness(tags), JSON.stringify(tags));
  for (const id of [
    "amenity/bench",
    "leisure/playground",
    "amenity/parking",
    "tourism/artwork",
    "tourism/information",
    "historic/castle",
    "historic/memorial",
    "landuse/cemetery",
    "natural/beach",
  ]) {
    assert.ok(isFurnitureCategory(id), id);
  }
  for (const id of ["amenity/cafe", "tourism/information/office", "leisure/fitness_centre", "amenity/atm"]) {
    assert.ok(!isFurnitureCategory(id), id);
  }
});

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
    for (const [categories] of everyday) {
      for (const id of categories.split(" ")) assert.match(labelOf(id, hl), /^\p{L}[^()]*$/u, `${id} ${hl}`);
    }
  }
});

test("a language tag is served by the nearest language there are words in", () => {
  const served = ["de-AT", "pt-BR", "pt-PT", "zh-Hant-TW", "zh", "nb", "xx", "EN-us"].map((hl) => languageFor(hl));

  assert.deepEqual(served, ["de", "pt-br", "pt", "zh-tw", "zh-cn", "no", "en", "en"]);
});

const everyLanguage = readdirSync(join(import.meta.dirname, "data"))
  .map((file) => file.replace(".json", ""))
  .filter((name) => /^[a-z]{2}(-[A-Z]{2})?$/.test(name));

// "Some amenity" and its like are presets that no place is ever labeled with.
const labeled = [...presets.keys()].filter((id) => id.includes("/") || !presets.get(id)?.hidden);

test("every label that a listing may carry finds its own category in its own language", () => {
  assert.ok(everyLanguage.length > 20 && labeled.length > 700);
  for (const hl of everyLanguage) {
    const [own, english] = [termsOf(hl), termsOf("en")];
    for (const id of labeled) {
      const phrase = normalize(labelOf(id, hl)).join(" ");
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

test("every everyday word names categories that exist", () => {
  for (const [categories] of [...everyday, ...everydayTrades, ...everydayServices]) {
    for (const id of categories.split(" ")) assert.ok(tagsOfCategory(id), id);
  }
});

test("Overture's categories are read as ours where there is one", () => {
  const read = ["coffee_shop", "pizza_restaurant", "peruvian_restaurant", "hotel", "dui_law", "shoe_store", "no_such"];

  assert.deepEqual(read.map(categoryOfOverture), [
    "amenity/cafe",
    "amenity/restaurant/pizza",
    "amenity/restaurant",
    "tourism/hotel",
    "office/lawyer",
    "shop/shoes",
    undefined,
  ]);
});

test("features and their values have labels", () => {
  assert.equal(featureLabel("outdoor_seating", "de"), "Außenbestuhlung");
  assert.equal(featureLabel("payment:credit_cards", "en"), "Credit Card");
  assert.equal(featureLabel("diet:vegan", "fr-CA"), "Végane");
  assert.equal(featureLabel("some:thing", "en"), "Some thing");
  assert.equal(optionLabel("wheelchair", "limited", "en"), "Limited");
});

test("everyday words of the languages that are not read name categories there are, in languages we have", () => {
  for (const { language, kinds, words } of everydayElsewhere) {
    assert.equal(languageFor(language), language);
    for (const kind of kinds) assert.ok(tagsOfCategory(kind), kind);
    for (const word of words) {
      assert.ok(
        termsOf(language)
          .get(normalize(word).join(" "))
          ?.includes(kinds[0] ?? ""),
        `${language}: ${word}`,
      );
    }
  }
});

test("the language of a country is the one most people speak, where we have it", () => {
  const languages: [countryCode: string, language: string | undefined][] = [
    ["PL", "pl"],
    ["TW", "zh-tw"],
    ["CN", "zh-cn"],
    ["IL", "he"],
    ["NO", "no"],
    ["US", undefined],
    ["GE", "ka"],
    ["MN", undefined], // Mongolian is not among ours
    ["1X", undefined],
  ];
  for (const [countryCode, language] of languages) assert.equal(languageOfCountry(countryCode), language, countryCode);
});
