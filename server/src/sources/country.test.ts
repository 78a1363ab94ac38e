import assert from "node:assert/strict";
import { test } from "node:test";
import { iso1A2Code } from "@rapideditor/country-coder";
import { countryAt } from "./country.ts";

test("a point lies in the country that its own coordinates say, on either side of a border and on the sides of a tile", () => {
  const steps = Array.from({ length: 120 }, (_, step) => step);
  // Around Liechtenstein, across the Strait of Gibraltar, at the antimeridian and at a pole.
  const corners = [
    [47, 9.4],
    [35.8, -5.7],
    [-17, 179.5],
    [89.5, 0],
  ] as const;
  for (const [south, west] of corners) {
    for (const row of steps) {
      for (const column of steps) {
        const [latitude, longitude] = [south + row / 160, west + column / 160];
        assert.equal(countryAt(latitude, longitude), iso1A2Code([longitude, latitude]), `${latitude} ${longitude}`);
      }
    }
  }
});
