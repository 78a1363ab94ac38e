import assert from "node:assert/strict";
import { test } from "node:test";
import { iso1A2Code } from "@rapideditor/country-coder";
import { countryAt, countryOf, outlineOf, parentOf } from "./country.ts";
import { containmentOf } from "./shape.ts";

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
        const code = iso1A2Code([longitude, latitude], { level: "territory" });
        // The library has a code for Ceuta and Melilla that ISO 3166-1 only reserves.
        assert.equal(countryAt(latitude, longitude), code === "EA" ? "ES" : code, `${latitude} ${longitude}`);
      }
    }
  }
});

test("a territory with an ISO code has that code, and belongs to a country", () => {
  const territories: [code: string, parent: string | null, latitude: number, longitude: number][] = [
    ["HK", "CN", 22.2819, 114.1588],
    ["MO", "CN", 22.1938, 113.5399],
    ["PR", "US", 18.4655, -66.1057],
    ["AS", "US", -14.2781, -170.7025],
    ["RE", "FR", -20.8789, 55.4481],
    ["GF", "FR", 4.9224, -52.3135],
    ["GI", "GB", 36.1408, -5.3536],
    ["GG", "GB", 49.4555, -2.5365],
    ["SH", "GB", -15.9244, -5.7181],
    ["BQ", "NL", 12.1443, -68.2655],
    ["GL", "DK", 64.175, -51.7355],
    ["SJ", "NO", 78.2232, 15.6267],
    ["AX", "FI", 60.0973, 19.9348],
    ["TW", null, 25.033, 121.5654],
    ["XK", null, 42.6629, 21.1655],
    // Parts without a code of their own, or with one that is reserved only.
    ["ES", null, 28.4682, -16.2546],
    ["ES", null, 35.2923, -2.9381],
    ["US", null, 21.3099, -157.8581],
    ["GB", null, 55.9533, -3.1883],
    ["FR", null, 48.8566, 2.3522],
  ];
  for (const [code, parent, latitude, longitude] of territories) {
    assert.deepEqual([countryAt(latitude, longitude), parentOf(code)], [code, parent], `${latitude} ${longitude}`);
  }
  assert.deepEqual(["XX", "EU", "IC", ""].map(parentOf), [null, null, null, null]);
});

test("a place lies where its point does, unless the border is near that it says to lie beyond", () => {
  const zurich = [47.37, 8.54] as const;
  const geneva = [46.205, 6.14] as const;
  const saintDenis = [-20.8789, 55.4481] as const;
  const simferopol = [44.95, 34.1] as const;
  const atSea = [30, -40] as const;
  const places: [told: string | undefined, point: readonly [number, number], code: string | null][] = [
    [undefined, zurich, "CH"],
    ["ch", zurich, "CH"],
    ["US", zurich, "CH"],
    ["XX", zurich, "CH"],
    ["Switzerland", zurich, "CH"],
    ["FR", geneva, "CH"],
    ["FR", [46.2, 6.185], "FR"], // two kilometers from the border
    ["FR", saintDenis, "RE"],
    ["RE", saintDenis, "RE"],
    ["UK", [51.5, -0.1], "GB"],
    ["UA", simferopol, "UA"],
    ["US", simferopol, "RU"],
    ["US", atSea, "US"],
    ["XX", atSea, null],
  ];
  for (const [told, point, code] of places) assert.equal(countryOf(told, ...point), code, `${told} ${point.join(" ")}`);
});

test("the outline of a country holds what lies in it, its far parts included, and nothing of its neighbors", () => {
  const points: [code: string, inside: [number, number][], outside: [number, number][]][] = [
    [
      "LI",
      [
        [47.141, 9.521],
        [47.21, 9.53],
      ],
      [
        [47.167, 9.477],
        [47.237, 9.597],
      ],
    ],
    ["MC", [[43.735, 7.42]], [[43.72, 7.4]]],
    ["SG", [[1.3, 103.85]], [[1.48, 103.76]]],
    [
      "US",
      [
        [38.9, -77],
        [21.31, -157.86],
        [61.2, -149.9],
      ],
      [
        [18.4, -66.1],
        [49.28, -123.12],
      ],
    ],
    [
      "NZ",
      [
        [-41.29, 174.78],
        [-43.95, -176.56],
      ],
      [[-33.87, 151.2]],
    ],
  ];
  for (const [code, inside, outside] of points) {
    const rings = outlineOf(code).flat();
    const isIn = containmentOf(rings.map((ring) => Int32Array.from(ring.flatMap(([x, y]) => [y * 1e6, x * 1e6]))));
    for (const point of inside) assert.ok(isIn(...point), `${code} ${point.join(" ")}`);
    for (const point of outside) assert.ok(!isIn(...point), `${code} ${point.join(" ")}`);
  }
  assert.deepEqual(outlineOf("XX"), []);
});
