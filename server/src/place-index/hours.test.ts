import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { readOpeningHours } from "../places/opening-hours.ts";
import { openIndexFile } from "./index-file.ts";
import type { Clause, Found, Search } from "./port.ts";
import { openReader } from "./reader.ts";
import { givenFile, givenRow } from "./testing.ts";

const stop = new Int32Array(new SharedArrayBuffer(4));

function opening(hours: string | null, details: object = {}, rest: object = {}) {
  const openingHours = hours === null ? null : readOpeningHours(hours);
  const record = { address: { street: null }, details: { openingHours, ...details }, otherNames: [], ...rest };
  return { text: JSON.stringify(record), categories: ["amenity/bar"], nameWords: "adler" };
}

const clause = (type: "kind" | "word" | "hours", text: string, rest: Partial<Clause> = {}): Clause => ({
  any: [{ type, text }],
  must: true,
  typos: 0,
  prefix: false,
  worth: 10,
  well: type === "kind" && !text.startsWith("@") ? 20 : 0,
  ...rest,
});
const kind = (text: string) => clause("kind", text);

function searchOf(all: readonly Clause[], whole: number | null = null): Search {
  const window = { boxes: [[-90, -180, 90, 180] as const], country: null, circle: null, areas: [] };
  const order = { by: "quality" as const };
  return {
    all,
    least: 0,
    base: 300,
    whole,
    coverage: 0,
    window,
    order,
    limit: 50,
  };
}

function find(path: string, search: Search) {
  const reader = openReader(path);
  try {
    return (reader.answer({ ask: "search", search }, { until: Infinity, stop }) as Found).hits;
  } finally {
    reader.close();
  }
}

const placesOf = (path: string, search: Search) => new Set(find(path, search).map(({ place }) => place));
const [monday, tuesday, sunday] = [0, 24, 144];

test("a clause may say at which hours of the week a place is open, by its hours and those after midnight", (t) => {
  const { path } = givenFile(t, [
    givenRow(1, opening("Mo-Fr 08:30-12:00")),
    givenRow(2, opening("Su 20:00-02:00")),
    givenRow(3, opening("24/7")),
    givenRow(4, opening(null)),
    givenRow(5, opening("Mo 09:00-10:00,11:00-12:00; Jan off")),
    givenRow(6, opening("Mo 10:00-11:00")),
  ]);
  const openAt = (...hours: number[]) =>
    placesOf(path, searchOf([kind("amenity/bar"), clause("hours", hours.join(" "))]));

  assert.deepEqual(openAt(monday + 7), new Set([3]));
  assert.deepEqual(openAt(monday + 8), new Set([1, 3]));
  assert.deepEqual(openAt(monday + 10), new Set([1, 3, 6]));
  assert.deepEqual(openAt(monday + 12), new Set([3]));
  assert.deepEqual(openAt(sunday + 23), new Set([2, 3]));
  assert.deepEqual(openAt(monday + 1), new Set([2, 3]));
  assert.deepEqual(openAt(monday + 2), new Set([3]));
  assert.deepEqual(openAt(sunday + 23, tuesday + 9), new Set([1, 2, 3]));
  const preferred = find(path, searchOf([kind("amenity/bar"), clause("hours", `${sunday + 23}`, { must: false })]));
  assert.deepEqual(new Set(preferred.slice(0, 2).map(({ place }) => place)), new Set([2, 3]));
  assert.equal(preferred.length, 6);
});

const crowd = (count: number, hours: string | null) =>
  Array.from({ length: count }, (_, at) => givenRow(100 + at, opening(hours)));

function lists(t: TestContext, path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  t.after(() => db.close());
  const read = db.prepare(`
    select t.text, count(p.place) as places from terms t left join postings p on p.list = t.term * 2
    where t.text like '@%' group by t.text`);
  return () => Object.fromEntries(read.all().map(({ text, places }) => [String(text), Number(places)]));
}

test("kinds of hours that few places have lead to them", (t) => {
  const odd = ["Su 10:00-18:00", "Sa 22:00-04:00", "Mo 06:30-18:00", "24/7"].map((hours, at) =>
    givenRow(at + 1, opening(hours)),
  );
  const { path } = givenFile(t, [...odd, ...crowd(100, "Mo-Fr 09:00-18:00")]);

  assert.deepEqual(lists(t, path)(), { "@open_sunday": 2, "@open_late": 2, "@open_early": 2, "@always_open": 1 });
  for (const [id, places] of [
    ["@open_sunday", [1, 4]],
    ["@open_late", [2, 4]],
    ["@open_early", [3, 4]],
    ["@always_open", [4]],
  ] as const) {
    assert.deepEqual(placesOf(path, searchOf([kind(id)])), new Set(places), id);
    assert.deepEqual(placesOf(path, searchOf([kind("amenity/bar"), kind(id)])), new Set(places), id);
  }
});

test("kinds of hours that more than one place in twenty has are no lists, and answer the same", (t) => {
  const { path } = givenFile(t, [
    givenRow(1, opening("Su 10:00-18:00")),
    givenRow(2, opening("Su 10:00-18:00")),
    givenRow(3, opening("Sa 22:00-04:00")),
    ...crowd(20, "Mo-Fr 09:00-18:00"),
  ]);
  const listed = lists(t, path);
  assert.deepEqual(listed(), { "@open_sunday": 0, "@open_late": 1 });
  assert.deepEqual(placesOf(path, searchOf([kind("@open_sunday")])), new Set([1, 2]));
  assert.deepEqual(placesOf(path, searchOf([kind("amenity/bar"), kind("@open_sunday")])), new Set([1, 2]));

  const file = openIndexFile(path);
  file.transaction(() => {
    file.remove([1]);
    file.put([givenRow(4, opening("Su 12:00-13:00")), givenRow(3, opening("Su 12:00-13:00"))]);
  });
  file.close();

  assert.deepEqual(listed(), { "@open_sunday": 0, "@open_late": 0 });
  assert.deepEqual(placesOf(path, searchOf([kind("@open_sunday")])), new Set([2, 3, 4]));
  const preferred = find(path, searchOf([kind("amenity/bar"), clause("kind", "@open_sunday", { must: false })]));
  assert.equal(preferred.length, 23);
  assert.deepEqual(new Set(preferred.slice(0, 3).map(({ place }) => place)), new Set([2, 3, 4]));
});

test("what is closed for good answers no kind and loses a tier by its name; what is in doubt comes later", (t) => {
  const status = (businessStatus: string) => opening(null, { businessStatus });
  const { path } = givenFile(t, [
    givenRow(1, status("CLOSED_PERMANENTLY")),
    givenRow(2, status("CLOSED_TEMPORARILY")),
    givenRow(3, opening(null, {}, { confidence: 0.1 })),
    givenRow(4, opening(null, {}, { confidence: 0.4 })),
    givenRow(5, opening(null, {}, { confidence: 0.5 })),
    givenRow(6, status("OPERATIONAL")),
  ]);
  const scores = (all: readonly Clause[]) => {
    const hits = find(path, searchOf(all, 440));
    const best = hits[0]?.score ?? 0;
    return hits.map(({ place, score }) => [place, Math.round(score - best)]);
  };

  assert.deepEqual(scores([kind("amenity/bar")]), [
    [5, 0],
    [6, 0],
    [4, -30],
    [2, -40],
    [3, -60],
  ]);
  assert.deepEqual(scores([clause("word", "adler")]), [
    [5, 0],
    [6, 0],
    [4, -30],
    [2, -40],
    [3, -60],
    [1, -140],
  ]);
  assert.deepEqual(
    scores([kind("amenity/bar"), clause("word", "adler")]).map(([place]) => place),
    [5, 6, 4, 2, 3],
  );
});

test("of a place with several records OpenStreetMap's says when it is open, and the surest how sure they are", (t) => {
  const row = givenRow(1, opening("Mo 09:00-10:00", {}, { sourceId: "overture:1", confidence: 0.1 }));
  const other = givenRow(2, opening("Tu 09:00-10:00", {}, { sourceId: "osm:n1", confidence: 0.7 }));
  const { path } = givenFile(t, [{ ...row, records: [...row.records, ...other.records] }]);
  const at = (hour: number) => find(path, searchOf([kind("amenity/bar"), clause("hours", String(hour))]));

  assert.deepEqual(at(monday + 9), []);
  assert.ok((at(tuesday + 9)[0]?.score ?? 0) > 300);
});
