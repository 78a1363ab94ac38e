import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOf } from "../geography/cells.ts";
import { boxesAround } from "../geography/points.ts";
import type { Clause, Found, Search } from "./port.ts";
import { placesPerCell } from "./schema.ts";
import { givenFile, givenRow } from "./testing.ts";

const count = 6_000;
const center = { latitude: 46.5, longitude: 8.5 };

/** Every second is a hotel, every third central, and every fifth begins like a hundred other words. */
function nameOf(at: number): string {
  const words = [at % 2 === 0 ? "hotel" : "", at % 3 === 0 ? "central" : "", at % 5 === 0 ? `rest${at % 700}` : ""];
  return words.filter((word) => word !== "").join(" ") || "other";
}

const used = new Map<number, number>();
const places = Array.from({ length: count }, (_, at) => {
  const point = { latitude: 45 + (at % 61) / 20, longitude: 7 + (at % 83) / 27 };
  const cell = cellOf(point);
  const sequence = used.get(cell) ?? 0;
  used.set(cell, sequence + 1);
  return { at, ...point, place: cell * placesPerCell + sequence, name: nameOf(at), rank: 1 + ((at * 37) % 200) };
});
const rows = places
  .map(({ place, latitude, longitude, name, rank }) => givenRow(place, { latitude, longitude, rank, nameWords: name }))
  .toSorted((one, other) => one.place - other.place);

const word = (text: string, prefix = false): Clause => {
  return { any: [{ type: "word", text }], must: true, typos: 0, prefix, worth: 0, well: 12 };
};
const near = { by: "nearness", center, scaleM: 4_000 } as const;
const quality = { by: "quality" } as const;

function searchOf(all: readonly Clause[], order: Search["order"], limit: number): Search {
  const boxes = order.by === "nearness" ? boxesAround(center, 60_000) : ([[-90, -180, 90, 180]] as const);
  const window = { boxes, country: null, circle: null, areas: [] };
  return { all, least: 0, base: 300, whole: 440, coverage: 10, window, order, limit };
}

test("two common words, and a beginning of many words, find all places that have them, the best first", (t) => {
  const { ask } = givenFile(t, rows);
  const find = (search: Search) => (ask({ ask: "search", search }) as Found).hits;
  const cases: [Clause[], (name: string) => boolean][] = [
    [[word("hotel"), word("central")], (name) => /hotel/.test(name) && /central/.test(name)],
    [[word("hotel"), word("cen", true)], (name) => /hotel/.test(name) && /central/.test(name)],
    [[word("rest", true)], (name) => /rest/.test(name)],
    [[word("central"), word("rest", true)], (name) => /central/.test(name) && /rest/.test(name)],
  ];
  for (const [clauses, isMeant] of cases) {
    for (const order of [near, quality]) {
      const all = find(searchOf(clauses, order, count));
      const boxes = searchOf(clauses, order, 1).window.boxes;
      const meant = places.filter(({ name, latitude, longitude }) => {
        const isInside = boxes.some(
          ([s, w, n, e]) => latitude >= s && latitude <= n && longitude >= w && longitude <= e,
        );
        return isInside && isMeant(name);
      });
      const said = `${JSON.stringify(clauses.map(({ any }) => any))} ${order.by}`;

      assert.ok(meant.length > 50, said);
      assert.deepEqual(new Set(all.map(({ place }) => place)), new Set(meant.map(({ place }) => place)), said);
      assert.equal(all.length, meant.length, said);
      assert.deepEqual(find(searchOf(clauses, order, 20)), all.slice(0, 20), said);
    }
  }
});
