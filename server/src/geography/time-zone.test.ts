import assert from "node:assert/strict";
import { test } from "node:test";
import { timeZoneAt } from "./time-zone.ts";

test("a zone is one of the country's, by the name it has today", () => {
  const zones: [zone: string, country: string | null, latitude: number, longitude: number][] = [
    ["Europe/Vaduz", "LI", 47.1, 9.52],
    ["Indian/Reunion", "RE", -20.8789, 55.4481],
    ["America/Nuuk", "GL", 64.175, -51.7355],
    // The map of zones is wrong, and the country has one zone.
    ["Pacific/Pago_Pago", "AS", -14.2781, -170.7025],
    ["Asia/Macau", "MO", 22.1938, 113.5399],
    ["Asia/Ho_Chi_Minh", "VN", 21.0278, 105.8342],
    // It is wrong, and the country has several.
    ["America/Argentina/Ushuaia", "AR", -54.8019, -68.303],
    ["America/Toronto", "CA", 43.25, -79.07],
    // Two countries have it.
    ["Europe/Simferopol", "RU", 44.95, 34.1],
    ["Europe/Zurich", null, 47.37, 8.54],
    ["Europe/Zurich", "ZZ", 47.37, 8.54],
  ];
  for (const [zone, country, ...point] of zones) assert.equal(timeZoneAt(...point, country), zone, `${country}`);
});

test("a country's only zone goes by the name of the zone database", () => {
  const names = ["ER", "FO", "IN", "MM", "NP", "VN"].map((country) => timeZoneAt(0, -30, country));

  assert.deepEqual(names, [
    "Africa/Asmara",
    "Atlantic/Faroe",
    "Asia/Kolkata",
    "Asia/Yangon",
    "Asia/Kathmandu",
    "Asia/Ho_Chi_Minh",
  ]);
});
