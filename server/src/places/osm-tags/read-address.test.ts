import assert from "node:assert/strict";
import { test } from "node:test";
import { recordOf } from "./read-place.ts";

test("a street and its number stand under several keys", () => {
  const streets: [tags: Record<string, string>, street: string | null, city: string | null][] = [
    [{ "addr:street": "Städtle", "addr:housenumber": "5", "addr:city": "Vaduz" }, "Städtle 5", "Vaduz"],
    [{ "addr:street": " Städtle ", "addr:housenumber": " 5", "addr:city": " " }, "Städtle 5", null],
    [{ "contact:street": "Städtle", "contact:housenumber": "5", "contact:city": "Vaduz" }, "Städtle 5", "Vaduz"],
    [{ "addr:street": "Städtle", "contact:street": "Postfach", "contact:housenumber": "5" }, "Städtle 5", null],
    [{ "addr:place": "Masescha", "addr:housenumber": "5" }, "Masescha 5", null],
    [{ "addr:hamlet": "Masescha", "addr:housenumber": "5" }, "Masescha 5", null],
    [{ "addr:street": "Weg", "addr:housenumber": "5", "addr:hamlet": "Masescha" }, "Weg 5", "Masescha"],
    [{ "addr:hamlet": "Masescha" }, null, "Masescha"],
    [{ "addr:quarter": "Ebenholz", "addr:housenumber": "5" }, "Ebenholz 5", null],
    [{ "addr:quarter": "Ebenholz" }, null, null],
    [{ "addr:housenumber": "5" }, null, null],
  ];
  for (const [tags, street, city] of streets) {
    const address = addressOf(tags);
    assert.deepEqual([address.street, address.city], [street, city], JSON.stringify(tags));
  }
  assert.equal(addressOf({ "contact:postcode": "9490" }).postalCode, "9490");
});

test("an address in Japan has quarter, block and number", () => {
  const kyoto = {
    "addr:quarter": "烏丸",
    "addr:neighbourhood": "三丁目",
    "addr:block_number": "12",
    "addr:housenumber": "3",
  };
  const tokyo = { "addr:quarter": "Marunouchi", "addr:block_number": "9", "addr:housenumber": "1" };

  assert.equal(addressOf(kyoto, 35.0, 135.76).street, "烏丸三丁目12-3");
  assert.equal(addressOf(tokyo, 35.68, 139.76).street, "9-1 Marunouchi");
});

test("the part of a town is kept where addresses name it", () => {
  const seoul = { "addr:city": "서울특별시", "addr:district": "강남구", "addr:street": "테헤란로" };
  const saigon = { "addr:subdistrict": "Bến Nghé", "addr:district": "Quận 1", "addr:city": "Thành phố Hồ Chí Minh" };

  assert.equal(addressOf(seoul, 37.499, 127.06).suburb, "강남구");
  assert.equal(addressOf(saigon, 10.776, 106.699).suburb, "Bến Nghé, Quận 1");
  assert.equal(addressOf({ "addr:suburb": "Ebenholz", "addr:city": "Vaduz" }).suburb, undefined);
});

test("a country that the tags name wrongly is not the place's", () => {
  assert.equal(addressOf({ "addr:country": "XX" }).countryCode, "LI");
  assert.equal(addressOf({ "addr:country": "US" }).countryCode, "LI");
  assert.equal(addressOf({ "addr:country": "FR" }, -20.8789, 55.4481).countryCode, "RE");
});

function addressOf(tags: Record<string, string>, latitude = 47.1424, longitude = 9.5176) {
  const record = recordOf({ type: "node", id: 7, tags: { name: "Adler", shop: "yes", ...tags }, latitude, longitude });
  assert.ok(record);
  return record.address;
}
