import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type Box, boxesAround, distanceM } from "../geography/points.ts";
import type { Clause, PlaceIndex, Search, Window } from "./port.ts";

/** A place as its index was made from it. */
export type IndexedPlace = {
  place: number;
  latitude: number;
  longitude: number;
  /** How much is known of it. */
  rank: number;
  nameWords: readonly string[];
  otherWords: readonly string[];
  /** The first says more than the others. */
  kinds: readonly string[];
};

type Given = { index: Pick<PlaceIndex, "search">; places: readonly IndexedPlace[] };

const kind = (text: string): Clause => ({
  any: [{ type: "kind", text }],
  must: true,
  typos: 0,
  prefix: false,
  worth: 10,
  well: 20,
});
const word = (text: string, rest: Partial<Clause> = {}): Clause => ({
  any: [{ type: "word", text }],
  must: true,
  typos: 0,
  prefix: false,
  worth: 0,
  well: 12,
  ...rest,
});

/**
 * The contract of a place index, by comparing each place one by one. It fixes which places answer and which of two
 * comes first where one is better in every respect; how much nearness weighs against quality is the index's own matter.
 */
export function placeIndexConformance(name: string, open: (t: TestContext) => Promise<Given>): void {
  void test(`${name} finds the best of all places that meet the clauses`, async (t) => {
    const { index, places } = await open(t);

    for (const search of searchesOver(places)) {
      const { hits, isComplete } = await index.search(search, limits());

      const said = JSON.stringify({ all: search.all, boxes: search.window.boxes, order: search.order });
      const answering = places.filter((each) => answers(each, search));
      const found = hits.map(({ place }) => answering.find((each) => each.place === place));
      assert.ok(!found.includes(undefined), `${said}: a place that does not meet it`);
      assert.equal(new Set(found).size, Math.min(search.limit, answering.length), said);
      assert.equal(isComplete, true, said);
      assert.deepEqual(
        hits.map(({ score }) => score),
        hits.map(({ score }) => score).sort((a, b) => b - a),
        said,
      );
      const rest = answering.filter((each) => !found.includes(each));
      for (const [at, worse] of found.entries()) {
        if (!worse) continue;
        const passedOver = [...found.slice(at + 1), ...rest].find(
          (better) => better && isBetter(better, worse, search),
        );
        assert.equal(passedOver, undefined, `${said}: ${JSON.stringify(passedOver)} after ${JSON.stringify(worse)}`);
      }
    }
  });

  void test(`${name} gives the same places for a smaller page of the same search`, async (t) => {
    const { index, places } = await open(t);
    const [search] = searchesOver(places);
    assert.ok(search);

    const whole = await index.search(search, limits());
    const part = await index.search({ ...search, limit: 7 }, limits());

    assert.deepEqual(part.hits, whole.hits.slice(0, 7));
  });

  void test(`${name} ends when its caller leaves`, async (t) => {
    const { index, places } = await open(t);
    const [search] = searchesOver(places);
    assert.ok(search);

    const left = { ...limits(), signal: AbortSignal.abort(new Error("left")) };
    await assert.rejects(index.search(search, left), /left/);
  });
}

const limit = 60;
const samples = 4;

function searchesOver(places: readonly IndexedPlace[]): Search[] {
  const step = Math.ceil(places.length / samples);
  return places
    .filter((each, at) => at % step === 0 && each.nameWords.length > 0 && each.kinds.length > 0)
    .flatMap((given) => {
      const [first = ""] = given.nameWords;
      const [ownKind = ""] = given.kinds;
      const clauses: Clause[][] = [
        [kind(ownKind)],
        [{ ...kind(ownKind), any: [...new Set(places.map(({ kinds }) => kinds[0] ?? ""))].map(asKind) }],
        given.nameWords.map((each, at) => word(each, { prefix: at === given.nameWords.length - 1 })),
        [word(first, { prefix: true })],
        [word(first.slice(0, 3), { prefix: true })],
        [word(`${first.slice(0, 2)}q${first.slice(3)}`, { typos: 1, prefix: true })],
        [word("xyzzy", { prefix: true })],
      ];
      return clauses.flatMap((all) => orderedWindows(given).map((where) => ({ all, ...where, ...rest })));
    });
}

function asKind(text: string): { type: "kind"; text: string } {
  return { type: "kind", text };
}

const rest = { limit, least: 0, base: 300, whole: 440, coverage: 10 };

function limits() {
  return { until: Infinity, signal: new AbortController().signal };
}

function orderedWindows({ latitude, longitude }: IndexedPlace): Pick<Search, "window" | "order">[] {
  const center = { latitude, longitude };
  const around: Box = [latitude - 0.1, longitude - 0.1, latitude + 0.1, longitude + 0.1];
  const earth: Box = [-90, -180, 90, 180];
  const nearest = { by: "nearness", center, scaleM: 4_000 } as const;
  const nothing = { country: null, circle: null, areas: [] };
  return [
    { window: { ...nothing, boxes: boxesAround(center, 30_000) }, order: nearest },
    { window: { ...nothing, boxes: [around], circle: { center, radiusM: 5_000 } }, order: nearest },
    { window: { ...nothing, boxes: [earth] }, order: { by: "quality" } },
  ];
}

function answers(place: IndexedPlace, { all, window }: Search): boolean {
  return isInside(place, window) && all.every((clause) => !clause.must || meets(place, clause));
}

function isInside({ latitude, longitude }: IndexedPlace, { boxes, circle }: Window): boolean {
  const isInBox = boxes.some(
    ([south, west, north, east]) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
  if (!circle) return isInBox;
  const { center, radiusM } = circle;
  return isInBox && distanceM(center.latitude, center.longitude, latitude, longitude) <= radiusM;
}

function meets(place: IndexedPlace, clause: Clause): boolean {
  return clause.any.some(({ type, text }) =>
    type === "kind"
      ? place.kinds.includes(text)
      : [...place.nameWords, ...place.otherWords].some((each) => isWordMet(each, text, clause)),
  );
}

function isWordMet(own: string, text: string, { typos, prefix }: Clause): boolean {
  return own === text || (prefix && own.startsWith(text)) || (typos > 0 && edits(own, text) <= typos);
}

/** Edits from one word to another: insertions, deletions, replacements, swaps of neighbors. */
function edits(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (rows[i - 1]?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j] ?? 0) + 1));
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? Infinity;
}

/** Whether a place is better in some respect and worse in none, of two that meet the clauses by the same. */
function isBetter(one: IndexedPlace, other: IndexedPlace, search: Search): boolean {
  if (how(one, search) !== how(other, search)) return false;
  const [oneAway, otherAway] = [away(one, search), away(other, search)];
  return one.rank >= other.rank && oneAway <= otherAway && (one.rank > other.rank || oneAway < otherAway);
}

/** What a place meets the clauses by, and how much of its name they are. */
function how({ kinds, nameWords, otherWords }: IndexedPlace, { all }: Search): string {
  const texts = all.flatMap(({ any }) => any.map(({ text }) => text));
  const isFirst = texts.includes(kinds[0] ?? "");
  return JSON.stringify([isFirst, nameWords.toSorted(), otherWords.toSorted()]);
}

function away({ latitude, longitude }: IndexedPlace, { order }: Search): number {
  return order.by === "quality" ? 0 : distanceM(order.center.latitude, order.center.longitude, latitude, longitude);
}
