import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../../places/record.ts";
import { recordOf } from "../../../places/osm-tags/index.ts";
import { givenCatalog, town } from "../testing.ts";

// A town of our own making, with two or three of everything that people look for.
const middle = { latitude: 46.62, longitude: 8.59 };
const ll = "@46.62,8.59,14z";

const tagsByName: Record<string, Record<string, string>> = {
  "Alpen Apotheke": { amenity: "pharmacy", opening_hours: "Mo-Fr 08:00-18:00" },
  "Nacht Apotheke": { amenity: "pharmacy", opening_hours: "24/7" },
  Adler: { amenity: "restaurant", outdoor_seating: "yes" },
  Rebstock: { amenity: "restaurant" },
  Sprosse: { amenity: "restaurant", "diet:vegan": "only" },
  "Lade West": { amenity: "charging_station" },
  "Lade Ost": { amenity: "charging_station" },
  Palast: { tourism: "hotel", stars: "5" },
  Herberge: { tourism: "hotel", stars: "3" },
  Purzelbaum: { shop: "toys" },
  Steinbock: { shop: "sports" },
  Duftnote: { shop: "perfumery" },
  Funkloch: { shop: "mobile_phone" },
  Wegweiser: { tourism: "information", information: "office" },
  Briefkopf: { amenity: "post_office" },
  Hammer: { shop: "hardware" },
  Nagel: { shop: "doityourself" },
  Locke: { shop: "hairdresser" },
  Scherenschnitt: { shop: "hairdresser" },
  Kantonalbank: { amenity: "bank", atm: "yes" },
  Bancomat: { amenity: "atm" },
  Kirchgasse: { amenity: "library" },
};

const pharmacies = ["Alpen Apotheke", "Nacht Apotheke"];
const restaurants = ["Adler", "Rebstock", "Sprosse"];

/** The question, its language, what comes first, and what else the page holds in any order. */
const questions: [q: string, hl: string, first: string | null, page: string[]][] = [
  ["pharmacy near me", "en", null, pharmacies],
  ["restaurants near me", "en", null, restaurants],
  ["Apotheke in der Nähe", "de", null, pharmacies],
  ["restaurant près de moi", "fr", null, restaurants],
  ["farmacia vicino a me", "it", null, pharmacies],
  ["24 hour pharmacy", "en", "Nacht Apotheke", pharmacies],
  ["EV charging station", "en", null, ["Lade Ost", "Lade West"]],
  ["5 star hotel", "en", "Palast", ["Herberge", "Palast"]],
  ["vegan restaurant", "en", "Sprosse", restaurants],
  ["restaurant with outdoor seating", "en", "Adler", restaurants],
  ["toy shop", "en", null, ["Purzelbaum"]],
  ["sports shop", "en", null, ["Steinbock"]],
  ["perfume shop", "en", null, ["Duftnote"]],
  ["mobile phone shop", "en", null, ["Funkloch"]],
  ["tourist information", "en", null, ["Wegweiser"]],
  ["post office", "en", null, ["Briefkopf"]],
  ["hardware store", "en", null, ["Hammer", "Nagel"]],
  ["hair salon", "en", null, ["Locke", "Scherenschnitt"]],
  ["atm", "en", "Bancomat", ["Bancomat", "Kantonalbank"]],
  ["library or toy shop", "en", null, ["Kirchgasse", "Purzelbaum"]],
  ["Apotheke oder Restaurant", "de", null, [...pharmacies, ...restaurants]],
  ["bibliothèque ou magasin de jouets", "fr", null, ["Kirchgasse", "Purzelbaum"]],
];

test("the questions people ask every day have the first page they expect", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([town("Andermatt", middle.latitude, middle.longitude), ...Object.entries(tagsByName).map(placeOf)]);

  for (const [q, hl, first, page] of questions) {
    const found = await names(q, { hl, ll });
    assert.deepEqual(found.toSorted(), page.toSorted(), q);
    if (first !== null) assert.equal(found[0], first, q);
    // The same question without a map, in the town.
    if (!/near|Nähe|moi|vicino/.test(q)) {
      assert.deepEqual((await names(`${q} in Andermatt`, { hl })).toSorted(), page.toSorted(), `${q} in Andermatt`);
    }
  }
});

function placeOf([name, tags]: [string, Record<string, string>], index: number): { place: PlaceRecord } {
  const latitude = middle.latitude + index / 10_000;
  const record = recordOf({
    type: "node",
    id: index + 1,
    tags: { name, ...tags },
    latitude,
    longitude: middle.longitude,
  });
  assert.ok(record, name);
  return { place: record };
}
