import assert from "node:assert/strict";
import { test } from "node:test";
import { readGeoJson } from "./geojson.ts";
import { read } from "./read.ts";

test("a feature whose kind is a tag of OpenStreetMap keeps what its other properties say", async (t) => {
  const contacts = { tel: "+423 239 20 20", homepage: "adler.example.org", mail: "post@example.org" };
  const address = { street: "Städtle", housenumber: "5", city: "Vaduz", zip: "9490" };
  const properties = { name: "Adler", type: "POI", ...address, ...contacts, hours: "Mo-Fr 08:00-18:00" };
  const feature = (more: object) => ({
    type: "Feature",
    id: 7,
    geometry: { type: "Point", coordinates: [9.52, 47.14] },
    properties: { ...properties, ...more },
  });

  const tagged = feature({ amenity: "pub", "addr:city": "Triesen", opening_hours: "24/7" });
  const { places } = await read(t, readGeoJson, JSON.stringify(tagged));

  const [place] = places;
  assert.deepEqual([place?.categories[0], place?.categoryLabels], ["amenity/pub", []]);
  assert.deepEqual(place?.details.phones, ["+423 239 20 20"]);
  assert.equal(place.details.website, "https://adler.example.org/");
  assert.deepEqual(place.details.emails, ["post@example.org"]);
  assert.deepEqual([place.address.street, place.address.postalCode], ["Städtle 5", "9490"]);
  assert.deepEqual([place.address.city, place.details.openingHours?.raw], ["Triesen", "24/7"], "its tags come first");
  assert.equal(place.details.mapsUrl, undefined);
});
