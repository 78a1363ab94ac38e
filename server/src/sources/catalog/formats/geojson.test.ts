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

test("towns and boundaries are areas, as in an extract of OpenStreetMap; a business there and a line are none", async (t) => {
  const point = { type: "Point", coordinates: [9.52, 47.14] };
  const ring = [
    [9.5, 47.1],
    [9.6, 47.1],
    [9.6, 47.2],
    [9.5, 47.2],
    [9.5, 47.1],
  ];
  const feature = (id: string | null, properties: object, geometry: object = point) => ({
    type: "Feature",
    ...(id === null ? {} : { id }),
    geometry,
    properties,
  });
  const boundary = { name: "Land", boundary: "administrative", admin_level: "8" };
  const features = [
    feature("node/5", { name: "Vaduz", "name:ru": "Вадуц", place: "town", population: "5696" }),
    feature("t1", { name: "Triesen", place: "village" }),
    feature("relation/9", boundary, { type: "Polygon", coordinates: [ring] }),
    feature("relation/10", { ...boundary, place: "city" }, { type: "MultiPolygon", coordinates: [[ring]] }),
    feature("way/11", boundary, { type: "LineString", coordinates: ring.slice(0, 3) }),
    feature("node/12", { name: "Rathaus", place: "town", amenity: "townhall" }),
    feature("c1", { name: "Adler", place: "village", category: "restaurant" }),
    feature("c2", { name: "Adler", place: "Vaduz" }),
  ];

  const { areas, places } = await read(t, readGeoJson, JSON.stringify({ type: "FeatureCollection", features }));

  assert.deepEqual(
    areas.map(({ name, kind, box, population, countryCode }) => [name, kind, box, population, countryCode]),
    [
      ["Vaduz", "town", null, 5696, "LI"],
      ["Triesen", "village", null, null, "LI"],
      ["Land", "town", [47.1, 9.5, 47.2, 9.6], null, "LI"],
      ["Land", "city", [47.1, 9.5, 47.2, 9.6], null, "LI"],
    ],
  );
  assert.deepEqual(areas[0]?.namesByLanguage, { ru: "Вадуц" });
  assert.deepEqual(
    areas.map(({ sourceId, shape }) => [sourceId.startsWith("osm:"), shape !== null]),
    [
      [true, false],
      [false, false],
      [true, true],
      [true, true],
    ],
  );
  assert.deepEqual(
    places.map(({ name }) => name),
    ["Land", "Rathaus", "Adler", "Adler"],
  );
});
