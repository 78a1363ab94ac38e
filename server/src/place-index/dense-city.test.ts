import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { cellOf } from "../geography/cells.ts";
import { boxesAround, distanceM, type Point } from "../geography/points.ts";
import type { Clause, Found, Search } from "./port.ts";
import { placesPerCell } from "./schema.ts";
import { givenFile, givenRow } from "./testing.ts";

const count = 6_000;
const middle = { latitude: 46.95, longitude: 7.44 };
const page = 20;

type Given = Point & { place: number; at: number; rank: number };

/** A city of some 4 km: half of it in a few streets of the middle, and three hundred places on one spot. */
function city(): Given[] {
  const used = new Map<number, number>();
  return Array.from({ length: count }, (_, at): Given => {
    const spread = at % 40 === 0 ? 0 : at % 2 === 0 ? 0.002 : 0.02;
    const latitude = middle.latitude + spread * Math.sin(at) * ((at % 97) / 97);
    const longitude = middle.longitude + spread * Math.cos(at * 1.3) * ((at % 89) / 89);
    const cell = cellOf({ latitude, longitude });
    const sequence = used.get(cell) ?? 0;
    used.set(cell, sequence + 1);
    return { place: cell * placesPerCell + sequence, at, latitude, longitude, rank: 1 + ((at * 37) % 200) };
  }).toSorted((one, other) => one.place - other.place);
}

const kindsOf = (at: number) => [
  at % 3 === 0 ? "amenity/restaurant" : at % 4_001 === 1 ? "shop/piano" : "shop/clothes",
  ...(at % 2 === 0 ? ["@takeaway"] : []),
  ...(at % 501 === 0 ? ["@vegan"] : []),
];
const nameOf = (at: number) => `${at % 3 === 0 ? "hotel" : "house"} ${at % 5 === 0 ? "central" : `old${at % 900}`}`;

const clause = (type: "kind" | "word", text: string, rest: Partial<Clause> = {}): Clause => {
  return { any: [{ type, text }], must: true, typos: 0, prefix: false, worth: 10, well: 20, ...rest };
};
const restaurant = clause("kind", "amenity/restaurant");

/** What is asked, and which places answer. */
const questions: [string, Clause[], (at: number) => boolean][] = [
  ["a common kind", [restaurant], (at) => at % 3 === 0],
  ["a rare kind", [clause("kind", "shop/piano")], (at) => kindsOf(at)[0] === "shop/piano"],
  [
    "several kinds",
    [
      {
        ...restaurant,
        any: ["amenity/restaurant", "shop/clothes", "shop/piano"].map((text) => ({ type: "kind", text })),
      },
    ],
    () => true,
  ],
  ["a common attribute", [restaurant, clause("kind", "@takeaway")], (at) => at % 6 === 0],
  ["a rare attribute", [restaurant, clause("kind", "@vegan")], (at) => at % 501 === 0],
  ["two common words", [clause("word", "hotel"), clause("word", "central")], (at) => at % 15 === 0],
  ["a beginning", [clause("word", "old", { prefix: true })], (at) => at % 5 !== 0],
  ["a mistyped word", [clause("word", "centrel", { typos: 1 })], (at) => at % 5 === 0],
];

/** Around the middle, around the spot's edge, at the border of the city and anywhere by quality. */
const orders: [string, Search["order"], number][] = [
  ["from the middle", { by: "nearness", center: middle, scaleM: 300 }, 400],
  ["from the middle, far", { by: "nearness", center: middle, scaleM: 4_000 }, 8_000],
  [
    "from the border",
    { by: "nearness", center: { latitude: middle.latitude + 0.03, longitude: middle.longitude }, scaleM: 1_000 },
    6_000,
  ],
  ["by quality", { by: "quality" }, 8_000],
];

function given(t: TestContext) {
  const places = city();
  const rows = places.map(({ place, at, latitude, longitude, rank }) =>
    givenRow(place, { latitude, longitude, rank, nameWords: nameOf(at), categories: kindsOf(at) }),
  );
  const { ask } = givenFile(t, rows);
  return { places, find: (search: Search) => ask({ ask: "search", search }) as Found };
}

test("each page of a dense city is that of a full scan of its records", (t) => {
  const { places, find } = given(t);

  for (const [what, all, isMeant] of questions) {
    for (const [where, order, radiusM] of orders) {
      const said = `${what}, ${where}`;
      const center = order.by === "nearness" ? order.center : middle;
      const window = { boxes: boxesAround(center, radiusM), country: null, circle: { center, radiusM }, areas: [] };
      const search = { all, least: 0, base: 300, whole: 440, coverage: 10, window, order, limit: page };
      const answering = places.filter(
        ({ at, latitude, longitude }) =>
          isMeant(at) && distanceM(center.latitude, center.longitude, latitude, longitude) <= radiusM,
      );

      const scanned = find({ ...search, limit: count });
      const { hits, isComplete } = find(search);

      assert.deepEqual(
        new Set(scanned.hits.map(({ place }) => place)),
        new Set(answering.map(({ place }) => place)),
        said,
      );
      assert.equal(scanned.hits.length, answering.length, said);
      assert.deepEqual(hits, scanned.hits.slice(0, page), said);
      assert.equal(isComplete, true, said);
    }
  }
});
