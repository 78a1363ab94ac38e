import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type BlockPlace, decodeBlock } from "./block.ts";
import { encodeBlock } from "./pack-block.ts";
import { distanceM } from "../../../geography/points.ts";
import type { Question } from "../../query/question.ts";
import { regionsOf, type Where } from "./region.ts";
import { type Candidate, offerInside, searchBlock } from "./search-block.ts";
import { createTop } from "./top.ts";

const words = ["adler", "adlerhof", "alder", "krone", "kron", "hotel"];
const kinds = ["tourism/hotel", "amenity/cafe", "amenity/cafe/coffee"];

const placeArbitrary = fc.record({
  latitude: fc.double({ min: 46, max: 48, noNaN: true }),
  longitude: fc.double({ min: 8, max: 10, noNaN: true }),
  rank: fc.integer({ min: 0, max: 255 }),
  nameWords: fc.subarray(words),
  otherWords: fc.subarray(words),
  categories: fc.subarray(kinds),
});
const questionArbitrary: fc.Arbitrary<Question> = fc.oneof(
  fc.subarray(words, { minLength: 1, maxLength: 2 }).map((asked) => ({
    words: asked,
    restMask: (1 << asked.length) - 1,
    categories: [],
    isKind: false,
    attributes: [],
  })),
  fc
    .constantFrom(...kinds)
    .map((kind) => ({ words: ["hotel"], restMask: 0, categories: [kind], isKind: true, attributes: [] })),
  fc.constantFrom(...kinds).map((kind) => ({
    words: ["hotel", "krone"],
    restMask: 2,
    categories: [kind],
    isKind: false,
    attributes: [],
  })),
);
const where: Where = { kind: "circle", center: { latitude: 47, longitude: 9 }, radiusM: 40_000 };

test("stopping early, and widening in steps, finds the same as looking at everything", () => {
  fc.assert(
    fc.property(
      fc.array(placeArbitrary, { minLength: 1, maxLength: 120 }),
      questionArbitrary,
      fc.constantFrom("exact" as const, "typos" as const, "partial" as const),
      (given, question, leniency) => {
        const places = given.map((place, index): BlockPlace => ({ ...place, number: index + 1, countryCode: "CH" }));
        const blocks = blocksOf(places);
        const [narrow, wide] = regionsOf(where);
        assert.ok(narrow && wide);
        const ask = (limit: number, steps: readonly (typeof narrow)[]) => {
          const top = createTop(limit);
          const distances = question.words.map(() => new Map<string, number>());
          const visited = new Set<object>();
          let outside: Candidate[] = [];
          const widest = steps.at(-1) ?? wide;
          for (const region of steps) {
            outside = offerInside(outside, region, top);
            const search = { question, region, outside, widest, leniency, top, distances };
            for (const { block, bounds } of blocks) {
              if (!visited.has(block)) searchBlock(block, bounds, search);
              visited.add(block);
            }
          }
          return top.list();
        };

        const everything = ask(10_000, [wide]);
        assert.deepEqual(ask(5, [wide]), everything.slice(0, 5));
        assert.deepEqual(ask(10_000, [narrow, wide]), everything);
        for (const { number } of ask(10_000, [narrow])) {
          const { latitude = 0, longitude = 0 } = places[number - 1] ?? {};
          assert.ok(distanceM(47, 9, latitude, longitude) <= 40_000 * 1.001);
        }
      },
    ),
    { numRuns: 400 },
  );
});

/** Some blocks side by side, as an import would cut them. */
function blocksOf(places: readonly BlockPlace[]) {
  const byColumn = Map.groupBy(places, ({ longitude }) => Math.floor(longitude * 3));
  return [...byColumn.values()].map((column) => ({
    block: decodeBlock(encodeBlock(column)),
    bounds: [
      Math.floor(Math.min(...column.map(({ latitude }) => latitude)) * 1e7),
      Math.floor(Math.min(...column.map(({ longitude }) => longitude)) * 1e7),
      Math.ceil(Math.max(...column.map(({ latitude }) => latitude)) * 1e7),
      Math.ceil(Math.max(...column.map(({ longitude }) => longitude)) * 1e7),
    ],
  }));
}
