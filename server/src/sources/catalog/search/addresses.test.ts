import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOf } from "../../../places/osm-tags/index.ts";
import { shapeOf } from "../../../geography/shape.ts";
import { type GivenPlace, givenCatalog, place, town } from "../testing.ts";

const silent = { street: null, city: null, region: null, postalCode: null, countryCode: null };
const restaurant = (id: number, latitude: number, longitude: number, rest: Partial<GivenPlace> = {}) =>
  place({
    sourceId: `osm:n${id}`,
    name: `Restaurant ${id}`,
    categories: ["amenity/restaurant"],
    address: silent,
    latitude,
    longitude,
    ...rest,
  });

/** A boundary with these corners; the west and the east of Bend lie around the south of Notch. */
function boundary(name: string, level: number, corners: [number, number][], rest: object = {}) {
  const latitudes = corners.map(([latitude]) => latitude);
  const longitudes = corners.map(([, longitude]) => longitude);
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  return town(name, (south + north) / 2, (west + east) / 2, {
    sourceId: `osm:r-${name}`,
    box: [south, west, north, east],
    level,
    population: null,
    countryCode: "AD",
    shape: shapeOf([[...corners, corners[0] ?? [0, 0]]], 100),
    ...rest,
  });
}

const bend = boundary("Bend", 8, [
  [42.5, 1.5],
  [42.5, 1.6],
  [42.6, 1.6],
  [42.6, 1.58],
  [42.53, 1.55],
  [42.6, 1.52],
  [42.6, 1.5],
]);
const notch = boundary("Notch", 8, [
  [42.6, 1.58],
  [42.6, 1.52],
  [42.53, 1.55],
]);
const valley = boundary(
  "Upper Valley",
  4,
  [
    [42.4, 1.4],
    [42.4, 1.7],
    [42.7, 1.7],
    [42.7, 1.4],
  ],
  { kind: "region" },
);
const country = boundary(
  "Andorra",
  2,
  [
    [42.4, 1.4],
    [42.4, 1.75],
    [42.7, 1.75],
    [42.7, 1.4],
  ],
  { kind: "country" },
);

test("a silent address is filled by the areas around the place, and what tags say stays", async (t) => {
  const { load, find } = await givenCatalog(t);
  const told = { ...silent, city: "Elsewhere", region: "Far" };
  await load([bend, notch, valley, country, restaurant(1, 42.51, 1.51), restaurant(2, 42.52, 1.52, { address: told })]);

  const found = new Map((await find("restaurants in Bend")).map((each) => [each.name, each]));

  const { formatted: _, ...address } = found.get("Restaurant 1")?.address ?? {};
  assert.deepEqual(address, {
    street: null,
    city: "Bend",
    region: "Upper Valley",
    postalCode: null,
    countryCode: "AD",
    municipality: "Bend",
  });
  assert.equal(found.get("Restaurant 2")?.address.city, "Elsewhere");
  assert.equal(found.get("Restaurant 2")?.address.region, "Far");
  assert.equal(found.get("Restaurant 2")?.address.municipality, "Bend");
});

test("a town and a region are called as in the language asked for, where the data knows how", async (t) => {
  const { load, find } = await givenCatalog(t);
  const named = { area: { ...bend.area, name: "ベンド", namesByLanguage: { en: "Bend", de: "Biegung" } } };
  const told = { ...silent, city: "ベンド", region: "Far" };
  await load([named, valley, restaurant(1, 42.51, 1.51), restaurant(2, 42.52, 1.52, { address: told })]);
  const addressIn = async (name: string, hl: string) => (await find(name, { hl }))[0]?.address;

  assert.deepEqual((await addressIn("Restaurant 1", "en"))?.city, "Bend");
  assert.deepEqual((await addressIn("Restaurant 1", "de-AT"))?.city, "Biegung");
  assert.deepEqual((await addressIn("Restaurant 1", "fr"))?.city, "ベンド");
  assert.match((await addressIn("Restaurant 2", "en"))?.formatted ?? "", /^Bend, .*Andorra$/);
  assert.equal((await addressIn("Restaurant 2", "en"))?.region, "Far");
});

test("a place on an island is of the island's town, or of the island, and of no town across the water", async (t) => {
  const { load, find } = await givenCatalog(t);
  const isle = boundary(
    "Isle",
    2,
    [
      [4, 73],
      [4, 73.01],
      [4.01, 73.01],
      [4.01, 73],
    ],
    { kind: "region", level: null, countryCode: "MV" },
  );
  const across = town("Across", 4.02, 73.02, { countryCode: "MV" });
  const port = town("Port", 4.005, 73.005, { countryCode: "MV" });
  const cityOf = async () => (await find("Restaurant 1"))[0]?.address.city;

  await load([isle, across, restaurant(1, 4.009, 73.009)]);
  assert.equal(await cityOf(), "Isle");
  await load([isle, across, port, restaurant(1, 4.009, 73.009)]);
  assert.equal(await cityOf(), "Port");
});

test("a place inside a country's outline has its code and time zone, whatever a rough map says", async (t) => {
  const { load, find } = await givenCatalog(t);
  // Of Spain by the world's rough borders, and inside the country of this import.
  const near = restaurant(1, 42.41, 1.41, { address: { ...silent, countryCode: "ES" } });
  const tagged = restaurant(2, 42.41, 1.42, { address: { ...silent, countryCode: "FR" } });
  await load([country, near, tagged]);

  const [first] = await find("Restaurant 1");
  const [second] = await find("Restaurant 2");

  assert.equal(first?.address.countryCode, "AD");
  assert.equal(first?.timeZone, "Europe/Andorra");
  assert.equal(second?.address.countryCode, "FR", "somebody wrote it");
  assert.ok((await find("restaurants", { gl: "ad" })).some(({ name }) => name === "Restaurant 1"));
});

test("areas that come later, change or go move the places of other data sets", async (t) => {
  const { load, find } = await givenCatalog(t);
  const cityOf = async () => (await find("Restaurant 1"))[0]?.address.city;
  await load([restaurant(1, 42.57, 1.55, { sourceId: "overture:1" })], "overture");
  assert.equal(await cityOf(), null);

  await load([bend, notch, restaurant(9, 42.51, 1.55)], "osm");
  assert.equal(await cityOf(), "Notch");
  await load([bend, { area: { ...notch.area, name: "Renamed" } }, restaurant(9, 42.51, 1.55)], "osm");
  assert.equal(await cityOf(), "Renamed");
  await load([bend, restaurant(9, 42.51, 1.55)], "osm");
  assert.notEqual(await cityOf(), "Renamed");
});

test("a country's outline that goes takes its code from the places of other data sets", async (t) => {
  const { load, find } = await givenCatalog(t);
  const countries = async () =>
    Promise.all([1, 2, 3].map(async (id) => (await find(`Restaurant ${id}`))[0]?.address.countryCode));
  const places = [
    restaurant(1, 42.41, 1.41, { sourceId: "overture:1", address: { ...silent, countryCode: "ES" } }),
    restaurant(2, 42.41, 1.42, { sourceId: "overture:2", address: { ...silent, countryCode: "FR" } }),
    restaurant(3, 42.42, 1.43, { sourceId: "overture:3", address: { ...silent, countryCode: null } }),
  ];
  await load(places, "overture");
  const before = await countries();
  assert.deepEqual(before.slice(0, 2), ["ES", "FR"]);

  await load([country, restaurant(9, 42.51, 1.55)], "osm");
  assert.deepEqual(await countries(), ["AD", "FR", "AD"]);
  await load([restaurant(9, 42.51, 1.55)], "osm");

  assert.deepEqual(await countries(), before);
});

test("which unit is a municipality hangs on the country", () => {
  const kindAt = (latitude: number, longitude: number, level: number) => {
    const tags = { name: "Unit", boundary: "administrative", admin_level: String(level) };
    return areaOf({ type: "relation", id: 1, tags, latitude, longitude }, { box: null })?.kind;
  };
  const kinds: [land: string, latitude: number, longitude: number, kindByLevel: Record<number, string>][] = [
    ["Portugal", 38.57, -7.91, { 4: "region", 6: "region", 7: "town", 8: "suburb" }],
    ["Iceland", 65.0, -18.5, { 4: "region", 6: "town" }],
    ["Slovenia", 46.05, 14.5, { 6: "region", 8: "town", 10: "suburb" }],
    ["Cyprus", 34.9, 33.1, { 6: "region", 8: "town" }],
    ["Georgia", 41.9, 44.2, { 4: "region", 6: "region", 8: "town" }],
    ["Costa Rica", 9.95, -84.1, { 4: "region", 6: "region", 8: "town" }],
    ["Armenia", 40.2, 44.5, { 4: "region", 6: "town", 7: "village" }],
    ["Great Britain", 52.5, -1.5, { 6: "region", 8: "region", 10: "village" }],
    ["Lithuania", 55.2, 24.0, { 4: "region", 5: "town" }],
    ["Turkey", 39.5, 33.0, { 4: "region", 6: "town", 8: "suburb" }],
  ];
  for (const [land, latitude, longitude, kindByLevel] of kinds) {
    for (const [level, kind] of Object.entries(kindByLevel)) {
      assert.equal(kindAt(latitude, longitude, Number(level)), kind, `${land}, level ${level}`);
    }
  }
});

test("the area of a town is a circle or its box, and that of a country its outline", async (t) => {
  const { catalog, load } = await givenCatalog(t);
  await load([
    town("Vaduz", 47.141, 9.521, { box: [47.1, 9.5, 47.17, 9.57] }),
    town("Schaan", 47.165, 9.508),
    place({ sourceId: "osm:n1", name: "Adler" }),
  ]);
  const kindOf = async (name: string, gl?: string) =>
    (await catalog.findArea?.(name, { hl: "en", ...(gl === undefined ? {} : { gl }) }, new AbortController().signal))
      ?.kind;

  assert.equal(await kindOf("Vaduz"), "box");
  assert.equal(await kindOf("Schaan, Liechtenstein"), "circle");
  assert.equal(await kindOf("Liechtenstein"), "polygons");
  assert.equal(await kindOf("Singapour"), "polygons");
  assert.equal(await kindOf("Nowhere at all"), undefined);
});
