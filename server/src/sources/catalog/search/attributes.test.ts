import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceRecord } from "../../../places/record.ts";
import { recordOf } from "../../../places/osm-tags/index.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place, town } from "../testing.ts";

const vaduz = { latitude: 47.141, longitude: 9.521 };
const ll = "@47.141,9.521,14z";
let lastId = 0;

/** A place as its tags describe it, a little farther from the middle with each. */
function tagged(name: string, tags: Record<string, string>): { place: PlaceRecord } {
  lastId += 1;
  const point = { latitude: vaduz.latitude + lastId / 20_000, longitude: vaduz.longitude };
  const record = recordOf({ type: "node", id: lastId, tags: { name, ...tags }, ...point });
  assert.ok(record, name);
  return { place: record };
}

const items = [
  tagged("Luce", { amenity: "restaurant" }),
  tagged("Torkel", {
    amenity: "restaurant",
    outdoor_seating: "yes",
    wheelchair: "yes",
    opening_hours: "Mo-Su 11:00-22:00",
  }),
  tagged("Green", {
    amenity: "restaurant",
    "diet:vegan": "only",
    "diet:gluten_free": "yes",
    opening_hours: "Mo-Fr 09:00-12:00",
  }),
  tagged("Saray", { amenity: "restaurant", "diet:halal": "yes", takeaway: "yes", delivery: "yes" }),
  tagged("Shalom", { amenity: "restaurant", "diet:kosher": "only", internet_access: "wlan", dog: "yes" }),
  tagged("Veggie Corner", { amenity: "restaurant", cuisine: "vegetarian" }),
  tagged("Tagapotheke", { amenity: "pharmacy", opening_hours: "Mo-Fr 08:00-18:00" }),
  tagged("Notapotheke", { amenity: "pharmacy", opening_hours: "24/7" }),
  tagged("Pension", { tourism: "hotel", stars: "2" }),
  tagged("Grand", { tourism: "hotel", stars: "5" }),
  tagged("Superior", { tourism: "hotel", stars: "4S" }),
  tagged("Landesbank", { amenity: "bank", atm: "yes" }),
  tagged("Privatbank", { amenity: "bank" }),
  tagged("Bankomat", { amenity: "atm" }),
  tagged("Burger", { amenity: "fast_food", drive_through: "yes" }),
  tagged("Imbiss", { amenity: "fast_food" }),
];

const asked: [q: string, hl: string, first: string[]][] = [
  ["vegan restaurant", "en", ["Green"]],
  ["veganes Restaurant", "de", ["Green"]],
  ["restaurant végan", "fr", ["Green"]],
  ["vegetarian restaurant", "en", ["Green", "Veggie Corner"]],
  ["restaurante sin gluten", "es", ["Green"]],
  ["halal restaurant", "en", ["Saray"]],
  ["takeaway restaurant", "en", ["Saray"]],
  ["kosher restaurant", "en", ["Shalom"]],
  ["restaurant with outdoor seating", "en", ["Torkel"]],
  ["Restaurant mit Terrasse", "de", ["Torkel"]],
  ["ristorante con tavoli all'aperto", "it", ["Torkel"]],
  ["restaurant takeaway", "en", ["Saray"]],
  ["restaurant met bezorging", "nl", ["Saray"]],
  ["wheelchair accessible restaurant", "en", ["Torkel"]],
  ["restaurant wifi", "en", ["Shalom"]],
  ["dog friendly restaurant", "en", ["Shalom"]],
  ["24 hour pharmacy", "en", ["Notapotheke"]],
  ["Apotheke 24 Stunden", "de", ["Notapotheke"]],
  ["pharmacie 24h/24", "fr", ["Notapotheke"]],
  ["farmacia 24 horas", "es", ["Notapotheke"]],
  ["5 star hotel", "en", ["Grand"]],
  ["five-star hotel", "en", ["Grand"]],
  ["hôtel 5 étoiles", "fr", ["Grand"]],
  ["4 Sterne Hotel", "de", ["Superior"]],
  ["hotel 5 stelle", "it", ["Grand"]],
  ["fast food drive through", "en", ["Burger"]],
];

test("a kind with an attribute is understood in any language read, whatever that of the request", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const q of ["restaurante vegano", "ristorante vegano", "veganistisch restaurant", "vegane Restaurants"]) {
    assert.equal((await names(q, { hl: "en", ll }))[0], "Green", q);
  }
});

test("what has the attribute of a query comes first, and the rest of the kind follows", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  for (const [q, hl, first] of asked) {
    const found = await names(q, { hl, ll });
    assert.deepEqual(found.slice(0, first.length).toSorted(), first, `${q}: ${found.join(", ")}`);
    assert.ok(found.length > first.length, q);
  }
});

test("a cash machine in a bank is a cash machine, after those that stand alone", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  assert.deepEqual(await names("atm", { ll }), ["Bankomat", "Landesbank"]);
});

test("an attribute alone finds whatever has it", async (t) => {
  const { load, names } = await givenCatalog(t);
  await load(items);

  assert.deepEqual(await names("vegan", { ll }), ["Green"]);
});

test("open now goes by the clock of the place: open, then unknown, then closed", async (t) => {
  const { load, db } = await givenCatalog(t);
  await load(items);
  let now = new Date();
  const catalog = createCatalog({ db, now: () => now });
  const at = async (time: string) => {
    now = new Date(time);
    const query = { q: "restaurants open now", page: 1, hl: "en", ll, extra: false };
    const { listings } = await catalog.search(query, new AbortController().signal);
    return listings.map(({ name }) => name ?? "");
  };

  const monday = await at("2026-09-21T09:30:00Z"); // half past eleven in Vaduz
  const evening = await at("2026-09-21T19:00:00Z");
  const night = await at("2026-09-21T23:00:00Z");

  assert.deepEqual(monday.slice(0, 2).toSorted(), ["Green", "Torkel"]);
  assert.equal(evening[0], "Torkel");
  assert.equal(evening.at(-1), "Green");
  assert.deepEqual(night.slice(-2).toSorted(), ["Green", "Torkel"]);
});

test("open now alone is whatever is open, then what nobody knows the hours of", async (t) => {
  const { load, db } = await givenCatalog(t);
  const called = place({ sourceId: "osm:n98", name: "Open", ...vaduz });
  await load([...items, called, town("Vaduz", vaduz.latitude, vaduz.longitude)]);
  const catalog = createCatalog({ db, now: () => new Date("2026-09-21T19:00:00Z") });
  const ask = async (q: string, hl = "en") => {
    const { listings } = await catalog.search({ q, page: 1, hl, ll, extra: false }, new AbortController().signal);
    return listings.map(({ name }) => name ?? "");
  };

  for (const q of ["open now", "open now in Vaduz", "geöffnet in Vaduz", "open now near me", "open"]) {
    const found = await ask(q);
    assert.deepEqual(found.slice(0, 2).toSorted(), ["Notapotheke", "Torkel"], q);
    assert.equal(found.length, items.length + 1, q);
  }
  assert.equal((await ask("open"))[2], "Open");
  assert.deepEqual(await ask("vegan open now"), ["Green"]);
});

test("a place that is called by an attribute is found by its name", async (t) => {
  const { load, names } = await givenCatalog(t);
  const named = place({
    sourceId: "osm:n99",
    name: "Hotel Vega",
    categories: ["tourism/hotel"],
    latitude: 47.3,
    longitude: 9.6,
  });
  const hotels = Array.from({ length: 25 }, (_, index) => tagged(`Hotel ${index}`, { tourism: "hotel" }));
  await load([...hotels, named]);

  assert.equal((await names("Hotel Vega", { ll }))[0], "Hotel Vega");
});
