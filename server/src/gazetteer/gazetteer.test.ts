import assert from "node:assert/strict";
import { test } from "node:test";
import type * as gazetteerModule from "./gazetteer.ts";
import { openGazetteer } from "./gazetteer.ts";
import { phraseOf } from "../text/words.ts";
import { otherNames } from "./towns/other-names.ts";
import { largestTowns } from "./largest-towns.ts";
import { readLargestTowns, readPackageTowns } from "./towns/package-towns.ts";
import { states } from "./towns/states.ts";

test("a list of towns that could not be read is read again by the next search", async () => {
  // Not the list of this process: the test of another file may have read it.
  const unread = "./gazetteer.ts?unread";
  const { openGazetteer: openUnread } = (await import(unread)) as typeof gazetteerModule;
  const tooManyFiles = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });

  await assert.rejects(
    openUnread(() => Promise.reject(tooManyFiles)),
    tooManyFiles,
  );

  const gazetteer = await openUnread();
  assert.ok(gazetteer.townsNamed("vaduz").length > 0);
});

test("towns are found by the words of their names, however these are written", async () => {
  const { townsNamed } = await openGazetteer();

  for (const [phrase, countryCode] of [
    ["zurich", "CH"],
    ["new york city", "US"],
    ["sao paulo", "BR"],
    ["saint etienne", "FR"],
  ] as const) {
    assert.ok(
      townsNamed(phrase).some((town) => town.countryCode === countryCode && town.name === phrase),
      phrase,
    );
  }
  assert.deepEqual(townsNamed("xyzzy"), []);
});

test("towns are found in the letters of their country, and in no other country", async () => {
  const { townsNamed } = await openGazetteer();

  for (const [name, countryCode] of [
    ["Львів", "UA"],
    ["Пловдив", "BG"],
    ["Ναύπλιο", "GR"],
    ["Нижний Новгород", "RU"],
    ["Новосибирск", "RU"],
    ["Βόλος", "GR"],
    ["ბათუმი", "GE"],
  ] as const) {
    assert.deepEqual(new Set(townsNamed(phraseOf(name)).map((town) => town.countryCode)), new Set([countryCode]), name);
  }
  assert.deepEqual(townsNamed(phraseOf("Лима")), []); // of Peru, and of others in Latin letters
});

test("great cities are found by what they are called at home, abroad and for short", async () => {
  const { townsNamed } = await openGazetteer();
  const find = (name: string) => townsNamed(phraseOf(name));

  for (const [name, known, countryCode] of [
    ["München", "Munich", "DE"],
    ["Firenze", "Florence", "IT"],
    ["Genf", "Genève", "CH"],
    ["東京", "Tokyo", "JP"],
    ["Москва", "Moscow", "RU"],
    ["القاهرة", "Cairo", "EG"],
    ["เชียงใหม่", "Chiang Mai", "TH"],
    ["አዲስ አበባ", "Addis Ababa", "ET"],
    ["חיפה", "Haifa", "IL"],
    ["Galway", "Gaillimh", "IE"],
    ["Aarhus", "Århus", "DK"],
    ["Donostia", "Donostia / San Sebastián", "ES"],
    ["Plzeň", "Pilsen", "CZ"],
    ["Λεμεσός", "Limassol", "CY"],
    ["Petah Tikva", "Petaẖ Tiqwa", "IL"],
    ["NYC", "New York City", "US"],
    ["New York", "New York City", "US"],
    ["Washington", "Washington, D.C.", "US"],
  ] as const) {
    const { latitude, longitude } = find(known).find((town) => town.countryCode === countryCode) ?? {};
    const isSame = find(name).some((town) => town.latitude === latitude && town.longitude === longitude);
    assert.ok(isSame, name);
  }
  for (const { country, others } of otherNames) {
    for (const name of others)
      assert.ok(
        find(name).some(({ countryCode }) => countryCode === country),
        name,
      );
  }
});

test("a town is found by an abbreviation that the list has in full, and the other way round", async () => {
  const { townsNamed } = await openGazetteer();

  for (const name of ["st george", "saint george", "mt pleasant", "saint louis"]) {
    assert.ok(
      townsNamed(name).some(({ countryCode }) => countryCode === "US"),
      name,
    );
  }
});

test("a state is a box around its towns with its largest in the middle, and ends where another's towns are nearer", async () => {
  const { stateNamed, isInState } = await openGazetteer();

  for (const { name } of states) assert.equal(stateNamed(name)?.countryCode, "US", name);
  assert.equal(stateNamed("ca"), undefined, "a code means other things as well");
  const { latitude, longitude, box } = stateNamed("california") ?? {};
  assert.deepEqual([latitude, longitude], [34.05223, -118.24368]);
  const [south = 0, west = 0, north = 0, east = 0] = box ?? [];
  assert.ok(south > 32 && south < 32.6 && north > 41.7 && north < 42.5 && west < -124 && east > -115 && east < -114);
  const points: [string, number, number, string, boolean][] = [
    ["San Francisco", 37.77, -122.42, "CA", true],
    ["Reno", 39.53, -119.81, "CA", false],
    ["Tijuana", 32.52, -117.03, "CA", false],
    ["Manhattan", 40.76, -73.98, "NY", true],
    ["Jersey City", 40.72, -74.06, "NY", false],
    ["the desert of Nevada", 37.5, -116.5, "NV", true],
    ["Paris", 48.86, 2.35, "NY", false],
  ];
  for (const [place, y, x, code, isIn] of points) assert.equal(isInState(code)(y, x), isIn, place);
});

test("the list of towns says what the package says that it is made from", async () => {
  const { townsNamed } = await openGazetteer();

  for (const { phrase, country, ...town } of readPackageTowns({ every: 40 })) {
    const found = townsNamed(phrase).some(
      ({ latitude, longitude, population, countryCode }) =>
        countryCode === country &&
        population === town.population &&
        latitude === town.latitude &&
        longitude === town.longitude,
    );
    assert.ok(found, `${phrase} is missing; after an update of the package run npm run towns`);
  }
});

test("the large towns of each country and state are those of the package", () => {
  assert.deepEqual(largestTowns(), readLargestTowns(), "after an update of the package run npm run towns");
  assert.ok(largestTowns().some(({ name, country }) => name === "Vaduz" && country === "LI"));
  assert.ok(largestTowns().some(({ name, state }) => name === "Houston" && state === "TX"));
});
