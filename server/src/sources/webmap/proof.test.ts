import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { writeRecord } from "../../../../e2e/webmap/record.ts";
import { cafe } from "../../../../e2e/webmap/town.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import type { SourceQuery } from "../source.ts";
import { parseEnvelope } from "./envelope.ts";
import { startMap } from "./testing.ts";

type Root = any[]; // as JSON has it: the tests below take it apart

const metadata = () => [null, null, null, null, null, null, null, null, "token", "token", ["cafés", 0]];
const row = (record: unknown) => [...Array.from({ length: 14 }, () => null), record];

/** An answer about so many cafés in Vaduz. */
function answerOf(count: number): Root {
  const rows = Array.from({ length: count }, (_, index) => row(writeRecord(cafe(index + 1))));
  return [
    ["cafés", count === 1 ? rows : [metadata(), ...rows], null, 1],
    [[3000, 9.521, 47.141], [0, 0, 0], [1024, 1024], 13.1],
  ];
}

const shift = (record: unknown[]) => void record.unshift(null);

/** What the source makes of an answer: the class it counts, and how many listings. */
async function judge(t: TestContext, root: Root, asked: Partial<SourceQuery> = {}) {
  const body = Buffer.from(`)]}'\n${JSON.stringify(root)}`);
  const request: Outbound["request"] = async ({ url }) => ({ status: 200, headers: {}, body, truncated: false, url });
  const outbound: Outbound = { request, check: async () => {}, close: async () => {} };
  const { source, counts } = await startMap(t, { outbound });
  const query = { q: "cafés", page: 1, hl: "en", extra: false, ...asked };
  const page = await source.search(query, new AbortController().signal).catch(() => undefined);
  const answered = [...counts.keys()].find((key) => key.startsWith("answers_total"));
  return { kind: answered?.split(" ").at(-1), page, listings: page?.listings ?? [], counts };
}

test("no list, or an empty one, beside the query and the camera proves that there is nothing", async (t) => {
  const [bare, none, short] = [answerOf(0), answerOf(0), answerOf(0)];
  bare[0][1] = [];
  none[0][1] = null;
  short[0].length = 1;
  const otherForm: Root = [["cafés"], [[3000, 9.521, 47.141]]];
  otherForm[64] = [];

  for (const root of [answerOf(0), bare, none, short, otherForm]) assert.equal((await judge(t, root)).kind, "empty");
  assert.equal((await judge(t, answerOf(0), { q: " CAFES" })).kind, "empty");
  assert.equal((await judge(t, answerOf(0), { q: "caffés" })).kind, "empty"); // the map corrects a typo
});

test("a query of blanks alone is repeated too, and is no new layout", async (t) => {
  for (const q of ["   ", "\u00a0\n", "\u0000\u0000"]) {
    const root = answerOf(0);
    root[0][0] = q;
    assert.equal((await judge(t, root, { q })).kind, "empty", JSON.stringify(q));
  }
  const silent = answerOf(0);
  silent[0][0] = null;
  assert.equal((await judge(t, silent, { q: "   " })).kind, "layout_unknown");
});

const unproved: [what: string, change: (root: Root) => unknown][] = [
  ["the list is inside an object", (root) => (root[0][1] = { rows: root[0][1] })],
  [
    "the list is elsewhere and its records are shifted",
    (root) => {
      for (const entry of root[0][1].slice(1)) shift(entry[14]);
      [root[0][1], root[0][3]] = [null, root[0][1]];
    },
  ],
  [
    "an empty list stands where the list was",
    (root) => {
      for (const entry of root[0][1].slice(1)) shift(entry[14]);
      [root[0][1], root[0][3]] = [[], root[0][1]];
    },
  ],
  ["the list is a string", (root) => (root[0][1] = "none")],
  ["the list is a number", (root) => (root[0][1] = 0)],
  ["the rows are objects", (root) => (root[0][1] = root[0][1].map((entry: object) => ({ ...entry })))],
  ["the query is another", (root) => (root[0] = ["plumber in Oslo", [metadata()]])],
  [
    "the only place has moved within its row",
    (root) => {
      const [, entry] = root[0][1];
      [entry[14], entry[15]] = [null, [null, ...entry[14]]];
      root[0][1] = [entry];
    },
  ],
  [
    "the only place has moved and its id has another shape",
    (root) => {
      const [, entry] = root[0][1];
      entry[14][10] = "ChIJ";
      entry[14][227] = null;
      [entry[14], entry[15]] = [null, entry[14]];
      root[0][1] = [entry];
    },
  ],
];

for (const [what, change] of unproved) {
  test(`${what}: the answer is a layout that is not known, and never an empty page`, async (t) => {
    const root = answerOf(20);
    change(root);

    assert.equal((await judge(t, root)).kind, "layout_unknown");
  });
}

test("a page with some unreadable rows is trimmed, and the rows are counted as drift", async (t) => {
  const root = answerOf(20);
  for (const entry of root[0][1].slice(-3)) shift(entry[14]);

  const { kind, listings, counts } = await judge(t, root);

  assert.deepEqual([kind, listings.length], ["trimmed", 17]);
  assert.equal(counts.get("field_drift_total record unreadable"), 3);
  assert.equal(counts.get("records_total"), 20);
  // The rows that can be read are whole: what they lack, the business lacks.
  assert.equal(Reflect.get(listings[2]?.fieldStates ?? {}, "phone"), "absent");
});

test("a page of mostly unreadable rows is a layout that is not known", async (t) => {
  const root = answerOf(20);
  for (const entry of root[0][1].slice(-19)) shift(entry[14]);

  const { kind, counts } = await judge(t, root);

  assert.equal(kind, "layout_unknown");
  assert.equal(counts.get("field_drift_total record unreadable"), 19);
});

test("unreadable rows of the other form, and of a list that has moved, are missed too", async (t) => {
  const otherForm: Root = [["cafés"], [[3000, 9.521, 47.141]]];
  otherForm[64] = answerOf(4)[0][1].map((entry: unknown[]) => [null, entry[14]]);
  shift(otherForm[64][4][1]);
  const moved = answerOf(4);
  shift(moved[0][1][4][14]);
  [moved[0][1], moved[0][3]] = [null, moved[0][1]];

  for (const root of [otherForm, moved]) {
    const { kind, listings } = await judge(t, root);
    assert.deepEqual([kind, listings.length], ["trimmed", 3]);
  }
});

test("rows that hold no business, and a business that is listed twice, spoil nothing", async (t) => {
  const root = answerOf(3);
  root[0][1].push(null, [], metadata(), root[0][1][1]);

  const { kind, listings } = await judge(t, root);

  assert.deepEqual([kind, listings.length], ["ok", 3]);
});

test("a query that names a place is not measured by the window, and one that names none is", async (t) => {
  const athens = "@37.98,23.73,14z";
  const asked = async (q: string, root = answerOf(20)) => {
    root[0][0] = q;
    return (await judge(t, root, { q, ll: athens })).kind;
  };

  // No address of the answer has the name that these ask for.
  for (const q of ["coffee in Oberland", "coffee, Oberland", "coffee Oberland", "Oberland coffee"]) {
    assert.equal(await asked(q), "ok", q);
    assert.equal(await asked(q, answerOf(0)), "empty", q);
  }
  for (const q of ["coffee", "coffee near me", "cafés in my area", "vegan restaurants", "Replay", "Replay cafés"]) {
    assert.equal(await asked(q), "wrong_place", q);
  }
  assert.equal(await asked("coffee near me", answerOf(0)), "wrong_place");
});

test("a cell of a collection with nothing near it has nothing, as long as the map looked there", async (t) => {
  const within = { box: [37.97, 23.72, 37.99, 23.74] as const, contains: () => true };
  const cell = { ll: "@37.98,23.73,14z", within };
  const looked = answerOf(20);
  looked[1][0] = [3000, 23.73, 37.98];

  assert.equal((await judge(t, looked, cell)).kind, "ok");
  assert.equal((await judge(t, looked, { ll: cell.ll })).kind, "wrong_place");
  assert.equal((await judge(t, answerOf(20), cell)).kind, "wrong_place");
});

test("a page tells how many rows it had, with the repeated and the unreadable", async (t) => {
  const root = answerOf(20);
  shift(root[0][1][4][14]);
  root[0][1][9] = root[0][1][10];

  const { page } = await judge(t, root);

  assert.deepEqual([page?.listings.length, page?.rowCount, page?.unreadableCount], [18, 20, 1]);
});

const capture = join(import.meta.dirname, "../../../../../shared/data/captures/webmap/output.json");

test("a real answer is judged by its list, its rows and the place that is named", async (t) => {
  if (!existsSync(capture)) return t.skip("the real data is not here");
  const real = () => parseEnvelope(readFileSync(capture, "utf8")) as Root;
  const far = "@47.14,9.52,14z";
  const kindOf = async (change: (root: Root) => unknown, asked: Partial<SourceQuery> = {}) => {
    const root = real();
    change(root);
    return (await judge(t, root, { q: "coffee", ...asked })).kind;
  };

  assert.equal(await kindOf(() => {}), "ok");
  assert.equal(await kindOf((root) => root[0][1].splice(1)), "empty");
  for (const [what, change] of unproved) assert.equal(await kindOf(change), "layout_unknown", what);
  assert.equal(await kindOf((root) => root[0][1].slice(-9).forEach((entry: Root) => shift(entry[14]))), "trimmed");
  assert.equal(await kindOf(() => {}, { q: "coffee in Athens", ll: far }), "ok");
  assert.equal(await kindOf(() => {}, { ll: far }), "wrong_place");
});
