import assert from "node:assert/strict";
import { test } from "node:test";
import { readGeoJson } from "./geojson.ts";
import { read } from "../read.ts";

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
  assert.deepEqual(place?.details.phones, ["+4232392020"]);
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

test("lists, truths and properties in an object of their own are read as tags", async (t) => {
  const at = (properties: object, id?: string) => ({
    type: "Feature",
    ...(id === undefined ? {} : { id }),
    geometry: { type: "Point", coordinates: [9.52, 47.14] },
    properties,
  });
  const features = [
    at({ name: "A", amenity: "cafe", phone: ["+423 239 20 20", "+423 239 20 21"], outdoor_seating: true }),
    at({ type: "node", id: 5, tags: { name: "B", amenity: "cafe" }, meta: { name: "x" } }, "node/5"),
    at({ name: "C", categories: ["cafe"], address: { street: "Weg 5", city: "Vaduz" }, contact: { phone: "2392020" } }),
    at({ "@osmId": "way/7", name: "D", addr: { street: "Weg", housenumber: "5" }, shop: "bakery" }),
    at({ osm_id: "8", name: "E", other_tags: '"amenity"=>"cafe","operator"=>"\\"E\\" GmbH"' }),
  ];

  const { places } = await read(t, readGeoJson, JSON.stringify({ type: "FeatureCollection", features }));

  assert.deepEqual(
    places.map(({ name, categories, address, details }) => [name, categories[0], address.street, details.phones]),
    [
      ["A", "amenity/cafe", null, ["+4232392020", "+4232392021"]],
      ["B", "amenity/cafe", null, undefined],
      ["C", "amenity/cafe", "Weg 5", ["+4232392020"]],
      ["D", "shop/bakery", "Weg 5", undefined],
      ["E", "amenity/cafe", null, undefined],
    ],
  );
  assert.deepEqual(places[0]?.details.features, { outdoor_seating: "yes" });
  assert.deepEqual(
    places.slice(1).map(({ sourceId }) => sourceId.slice(0, 4)),
    ["osm:", "geoj", "osm:", "osm:"],
  );
  assert.equal(places[4]?.details.owner?.name, '"E" GmbH');
});

test("an empty shop is closed, and no kind of shop", async (t) => {
  const geometry = { type: "Point", coordinates: [9.52, 47.14] };

  const { places } = await read(
    t,
    readGeoJson,
    JSON.stringify({ type: "Feature", geometry, properties: { name: "Once a bakery", shop: "vacant" } }),
  );

  const [place] = places;
  assert.deepEqual([place?.categories, place?.categoryLabels], [[], []]);
  assert.equal(place?.details.businessStatus, "CLOSED_PERMANENTLY");
});

test("a file without a usable feature is refused with what the first one lacks", async (t) => {
  const refusals: [geometry: object | null, properties: object, reason: RegExp][] = [
    [{ type: "Point", coordinates: [9.52, 47.14] }, { kind: "cafe" }, /feature 1: no name\)/],
    [null, { name: "A" }, /feature 1: no position\)/],
    [
      { type: "Point", coordinates: [2_759_000, 1_220_000] },
      { name: "A" },
      /no degrees of longitude and latitude \(WGS 84\)/,
    ],
    [{ type: "Polygon", coordinates: [[[1e6, 6e6]]] }, { name: "A" }, /no degrees of longitude and latitude/],
  ];
  for (const [geometry, properties, message] of refusals) {
    const reading = read(t, readGeoJson, JSON.stringify({ type: "Feature", geometry, properties }));
    await assert.rejects(reading, { name: "ImportProblem", message });
  }
});
