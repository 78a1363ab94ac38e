import assert from "node:assert/strict";
import { test } from "node:test";
import { renderPlace } from "../../../places/render/render.ts";
import { readGeoJson } from "../geojson/geojson.ts";
import { read } from "../read.ts";

const feature = (properties: object, id = "a1") => ({
  type: "Feature",
  id,
  properties: { ref: "7", "@spider": "adler_li", ...properties },
  geometry: { type: "Point", coordinates: [9.52, 47.14] },
});

test("a place of AllThePlaces is read with what its format says", async (t) => {
  const place = await readOne(t, {
    name: "Adler",
    branch: "Vaduz Center",
    located_in: "Hilti Markt",
    brand: "Adler",
    "brand:wikidata": "Q42",
    nsi_id: "adler-123456",
    amenity: "fast_food",
    cuisine: "burger",
    "addr:street_address": "Städtle 5",
    "addr:housenumber": "5",
    "addr:city": "Vaduz",
    "addr:country": "LI",
    phone: "239 20 20",
    website: "https://adler.example/vaduz",
    image: "https://adler.example/vaduz.jpg",
    opening_hours: "Mo-Fr 08:00-18:00",
  });

  assert.equal(place?.sourceId, "alltheplaces:a1");
  assert.deepEqual(place.otherNames, ["Adler Vaduz Center", "Adler Hilti Markt"]);
  assert.equal(place.categories[0], "amenity/fast_food/burger");
  assert.deepEqual([place.address.street, place.address.city], ["Städtle 5", "Vaduz"]);
  assert.deepEqual(place.details.phones, ["+4232392020"]);
  assert.equal(place.details.featuredImageUrl, "https://adler.example/vaduz.jpg");
  assert.equal(place.details.knowledgeUrl, undefined, "the entry of a brand is not the place's");
  assert.equal(place.details.businessStatus, "OPERATIONAL");
  assert.equal(place.details.openingHours?.weekly?.monday?.length, 1);
});

test("a whole address is no street, and is shown as it is", async (t) => {
  const full = "Städtle 5, 9490 Vaduz";
  const place = await readOne(t, { name: "Adler", amenity: "pub", "addr:full": full });
  const both = await readOne(t, { name: "Adler", amenity: "pub", "addr:full": full, "addr:street_address": "Gasse 1" });
  assert.ok(place && both);

  const { address } = renderPlace(place, { hl: "de", observedAt: new Date(0) });
  assert.deepEqual([address.street, address.formatted], [null, full]);
  assert.match(renderPlace(both, { hl: "de", observedAt: new Date(0) }).address.formatted ?? "", /^Gasse 1/);
});

test("a place without a name is called after its brand, with or without a kind", async (t) => {
  const withKind = await readOne(t, { brand: "Bankomat AG", amenity: "atm" });
  const without = await readOne(t, { brand: "Adler", "brand:wikidata": "Q42" });

  assert.deepEqual([withKind?.name, withKind?.categories[0]], ["Bankomat AG", "amenity/atm"]);
  assert.deepEqual([without?.name, without?.categories], ["Adler", []]);
});

test("closed on an unknown day is closed, and closed all week is closed for a while", async (t) => {
  const status = async (properties: object) =>
    (await readOne(t, { name: "Adler", shop: "bakery", ...properties }))?.details.businessStatus;

  assert.equal(await status({ end_date: "yes" }), "CLOSED_PERMANENTLY");
  assert.equal(await status({ end_date: "2020-05-01" }), "CLOSED_PERMANENTLY");
  assert.equal(await status({ end_date: "2999-05-01" }), "OPERATIONAL");
  assert.equal(await status({ opening_hours: "Mo-Su closed" }), "CLOSED_TEMPORARILY");
});

async function readOne(t: Parameters<typeof read>[0], properties: object) {
  const { places } = await read(
    t,
    readGeoJson,
    JSON.stringify({ type: "FeatureCollection", features: [feature(properties)] }),
  );
  return places[0];
}
