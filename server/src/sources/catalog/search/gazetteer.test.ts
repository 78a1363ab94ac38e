import assert from "node:assert/strict";
import { test } from "node:test";
import { openGazetteer } from "./gazetteer.ts";
import { readPackageTowns } from "./towns/package-towns.ts";

test("a list of towns that could not be read is read again by the next search", async () => {
  const tooManyFiles = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });

  await assert.rejects(
    openGazetteer(() => Promise.reject(tooManyFiles)),
    tooManyFiles,
  );

  const gazetteer = await openGazetteer();
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
