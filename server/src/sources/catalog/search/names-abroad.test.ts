import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../open-data/record.ts";
import { recordOf } from "../../open-data/tags/index.ts";
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
