import assert from "node:assert/strict";
import { test } from "node:test";
import { recordOf } from "../../places/osm-tags/index.ts";
import { shapeOf } from "../../geography/shape.ts";
import { givenCatalog, town } from "../../sources/catalog/testing.ts";

test("a place of a territory is found by the territory, and has its zone and its numbers", async (t) => {
  const { load, find, names } = await givenCatalog(t);
  await load([
    cafe(1, "Harbor Cafe", 22.2819, 114.1588, { phone: "2345 6789" }),
    cafe(2, "Lagoon Cafe", -20.8789, 55.4481, { phone: "0262 20 12 34", "addr:country": "FR" }),
    cafe(3, "Rock Cafe", 36.1408, -5.3536, { phone: "200 12345" }),
    cafe(4, "City Cafe", 48.8566, 2.3522),
  ]);

  for (const [name, code, question, zone, phone] of [
    ["Harbor Cafe", "HK", "cafe in Hong Kong", "Asia/Hong_Kong", "+852 2345 6789"],
    ["Lagoon Cafe", "RE", "cafe in Réunion", "Indian/Reunion", "+262 262 20 12 34"],
    ["Rock Cafe", "GI", "cafe in Gibraltar", "Europe/Gibraltar", "+350 200 12345"],
  ] as const) {
    const [place, ...others] = await find(question);
    assert.deepEqual([place?.name, place?.address.countryCode, others.length], [name, code, 0]);
    assert.deepEqual([place?.timeZone, place?.phone], [zone, phone]);
    assert.deepEqual(await names("cafe", { gl: code }), [name]);
  }
  assert.deepEqual(await names("cafe", { gl: "FR" }), ["City Cafe"]);
});

test("a country's outline that holds a territory leaves it its code", async (t) => {
  const { load, find, names } = await givenCatalog(t);
  const corners = [
    [20, 110],
    [20, 120],
    [26, 120],
    [26, 110],
    [20, 110],
  ] as const;
  const china = town("China", 23, 115, {
    kind: "country",
    level: 2,
    countryCode: "CN",
    box: [20, 110, 26, 120],
    shape: shapeOf([corners], 100),
  });
  const kowloon = town("Kowloon", 22.3167, 114.1819, { countryCode: "HK" });
  await load([china, kowloon, cafe(1, "Harbor Cafe", 22.3167, 114.1819), cafe(2, "Canton Cafe", 23.1291, 113.2644)]);

  assert.equal((await find("Harbor Cafe"))[0]?.address.countryCode, "HK");
  assert.deepEqual(await names("cafe", { gl: "HK" }), ["Harbor Cafe"]);
  assert.deepEqual(await names("cafe", { gl: "CN" }), ["Canton Cafe"]);
  assert.equal((await find("Harbor Cafe"))[0]?.address.city, "Kowloon");
});

function cafe(id: number, name: string, latitude: number, longitude: number, tags: Record<string, string> = {}) {
  const record = recordOf({ type: "node", id, tags: { amenity: "cafe", name, ...tags }, latitude, longitude });
  assert.ok(record);
  return { place: record };
}
