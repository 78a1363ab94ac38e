import assert from "node:assert/strict";
import { test } from "node:test";
import type { Search } from "../place-index/port.ts";
import { answer } from "./answer.ts";
import type { Interpretation } from "./spans.ts";

const view = {
  circle: { center: { latitude: 47.14, longitude: 9.52 }, radiusM: 1_000 },
  country: null,
  isCovered: true,
};

test("a question costs eight searches at most, none of them twice, whatever it may mean", async () => {
  const made: string[] = [];
  const ask = async (search: Search) => {
    made.push(JSON.stringify(search));
    return { hits: [], isComplete: true };
  };
  const readings = Array.from({ length: 12 }, (_, at) => called(["adler", `word${at % 6}`], at / 10));

  const { hits, probes } = await answer(readings, { view, limit: 20, ask, before: [] });

  assert.deepEqual([hits.length, made.length, new Set(made).size], [0, 8, 8]);
  const again = await answer(readings, { view, limit: 20, ask, before: probes });
  assert.deepEqual([again.probes.length, made.length], [8, 8], "what is read again goes on with what is left");
});

function called(words: readonly string[], cost: number): Interpretation {
  const want = { kinds: [], isLoose: false, words, brand: null, contact: null };
  return { want, where: [], attributes: [], open: null, cost, spans: [] };
}
