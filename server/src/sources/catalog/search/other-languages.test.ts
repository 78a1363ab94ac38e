import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place } from "../testing.ts";

type Spot = { latitude: number; longitude: number; countryCode: string };

const vaduz = { latitude: 47.141, longitude: 9.521, countryCode: "LI" };
const tokyo = { latitude: 35.681, longitude: 139.767, countryCode: "JP" };
const warsaw = { latitude: 52.229, longitude: 21.012, countryCode: "PL" };
const columbia = { latitude: 34.0007, longitude: -81.0348, countryCode: "US" };

let count = 0;
function spot(name: string, category: string, { latitude, longitude, countryCode }: Spot) {
  const address = { street: null, city: null, region: null, postalCode: null, countryCode };
  count += 1;
  return place({ sourceId: `osm:n${count}`, name, categories: [category], latitude, longitude, address });
}

test("a kind of place in a country is looked for there, whatever the language of its name", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load([
    spot("Residence", "tourism/hotel", vaduz),
    spot("帝国", "tourism/hotel", tokyo),
    spot("Bristol", "tourism/hotel", warsaw),
  ]);

  assert.deepEqual(await names("ホテル 日本", { hl: "ja" }), ["帝国"]);
  assert.deepEqual(await names("日本 ホテル", { hl: "ja" }), ["帝国"]);
  assert.deepEqual(await names("отель Япония", { hl: "ru" }), ["帝国"]);
  assert.deepEqual(await names("hotel Polska", { hl: "pl" }), ["Bristol"]);
  assert.deepEqual(await names("hotell Polen", { hl: "sv" }), ["Bristol"]);
});

test("a country's name in a foreign language gives way to a town among places of the catalog", async (t) => {
  const { load, names } = await givenCatalog(t);
  const corners = [-0.01, 0.01].map((off) => ({
    ...columbia,
    latitude: columbia.latitude + off,
    longitude: columbia.longitude + off,
  }));
  const inns = corners.map((corner) => spot("Inn", "tourism/hotel", corner));
  await load([...inns, spot("Bogotana", "tourism/hotel", { latitude: 4.6, longitude: -74.1, countryCode: "CO" })]);

  assert.equal((await names("hotel Columbia"))[0], "Inn"); // Colombia in Romanian
});
