import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../../places/record.ts";
import { recordOf } from "../../../places/osm-tags/index.ts";
import { givenCatalog, town } from "../testing.ts";

let count = 0;

function spot(latitude: number, longitude: number, tags: Record<string, string>): { place: PlaceRecord } {
  count += 1;
  const place = recordOf({ type: "node", id: count, latitude, longitude, tags });
  assert.ok(place, JSON.stringify(tags));
  return { place };
}

test("a chain is found by its name in another language", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    town("臺北市", 25.0375, 121.5637, { namesByLanguage: { en: "Taipei" }, countryCode: "TW" }),
    town("Львів", 49.8397, 24.0297, { namesByLanguage: { en: "Lviv" }, countryCode: "UA" }),
    spot(25.0376, 121.5638, {
      name: "全家便利商店",
      shop: "convenience",
      brand: "全家便利商店",
      "brand:en": "FamilyMart",
    }),
    spot(49.8398, 24.0298, { name: "Сільпо", shop: "supermarket", "alt_name:pl": "Dobra Półka" }),
  ]);

  assert.deepEqual(await names("familymart taipei"), ["全家便利商店"]);
  assert.deepEqual(await names("dobra polka lviv"), ["Сільпо"]);
});

test("a district is found without what its official name says of its kind", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    town("강남구", 37.4959, 127.0664, { kind: "suburb", countryCode: "KR" }),
    town("渋谷区", 35.664, 139.6982, { kind: "suburb", countryCode: "JP" }),
    town("เขตปทุมวัน", 13.7447, 100.529, { kind: "suburb", countryCode: "TH" }),
    town("Quận Bình Thạnh", 10.8106, 106.7091, { kind: "suburb", countryCode: "VN" }),
    spot(37.496, 127.0665, { name: "온누리", amenity: "pharmacy" }),
    spot(35.6641, 139.6983, { name: "スギ", amenity: "pharmacy" }),
    spot(13.7448, 100.5291, { name: "ฟาสซิโน", amenity: "pharmacy" }),
    spot(10.8107, 106.7092, { name: "Long Châu", amenity: "pharmacy" }),
  ]);

  assert.deepEqual(await names("강남 약국", { hl: "ko" }), ["온누리"]);
  assert.deepEqual(await names("渋谷 薬局", { hl: "ja" }), ["スギ"]);
  assert.deepEqual(await names("渋谷区の薬局", { hl: "ja" }), ["スギ"]);
  assert.deepEqual(await names("ร้านขายยา ปทุมวัน", { hl: "th" }), ["ฟาสซิโน"]);
  assert.deepEqual(await names("nhà thuốc Bình Thạnh", { hl: "vi" }), ["Long Châu"]);
});

test("kinds of place are known in Irish and Afrikaans, in the forms that their towns take", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    town("Cork", 51.8979, -8.4706, { namesByLanguage: { ga: "Corcaigh" }, countryCode: "IE" }),
    town("Cape Town", -33.9249, 18.4241, { namesByLanguage: { af: "Kaapstad" }, countryCode: "ZA" }),
    spot(51.898, -8.4707, { name: "Boots", amenity: "pharmacy" }),
    spot(51.8981, -8.4707, { name: "The Well", amenity: "pub" }),
    spot(-33.925, 18.4242, { name: "Dis-Chem", amenity: "pharmacy" }),
  ]);

  assert.deepEqual(await names("cógaslann Corcaigh", { hl: "ga" }), ["Boots"]);
  assert.deepEqual(await names("teach tábhairne i gCorcaigh", { hl: "ga" }), ["The Well"]);
  assert.deepEqual(await names("apteek Kaapstad", { hl: "af" }), ["Dis-Chem"]);
  assert.deepEqual(await names("apteek in Kaapstad", { hl: "af" }), ["Dis-Chem"]);
});

test("what people ask for by a local or an everyday word is found as it is mapped", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    town("Reykjavík", 64.147, -21.9426, { countryCode: "IS" }),
    town("شیراز", 29.5918, 52.5837, { namesByLanguage: { en: "Shiraz" }, countryCode: "IR" }),
    spot(64.1471, -21.9427, { name: "Laugardalslaug", leisure: "sports_centre", sport: "swimming" }),
    spot(64.1472, -21.9427, { name: "Valdís", shop: "ice_cream" }),
    spot(64.1473, -21.9427, { name: "KFC", amenity: "fast_food", cuisine: "chicken" }),
    spot(29.5919, 52.5838, { name: "کافه فردوسی", amenity: "cafe" }),
    spot(29.592, 52.5838, { name: "آرامگاه حافظ", tourism: "attraction" }),
  ]);

  assert.deepEqual(await names("sundlaugar Reykjavík", { hl: "is" }), ["Laugardalslaug"]);
  assert.deepEqual(await names("ice cream reykjavik"), ["Valdís"]);
  assert.deepEqual(await names("chicken delivery reykjavik"), ["KFC"]);
  assert.deepEqual(await names("کافه نزدیک آرامگاه حافظ", { hl: "fa" }), ["کافه فردوسی"]);
});
