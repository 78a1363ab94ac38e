import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { openIndexFile } from "./index-file.ts";
import type { NameHit } from "./port.ts";
import { openReader } from "./reader.ts";
import { givenArea, givenFile, givenRow } from "./testing.ts";

const record = (parts: object) => ({
  text: JSON.stringify({ address: { street: null }, details: {}, otherNames: [], ...parts }),
});
const towns = [
  givenArea("vaduz", { names: ["vaduz"], population: 5_000, countryCode: "LI" }),
  givenArea("sankt moritz", { names: ["sankt moritz", "san murezzan"] }),
  givenArea("esch", { names: ["esch sur alzette"] }),
  givenArea("shibuya", { names: ["渋谷区"], kind: "suburb" }),
  givenArea("castle square", { names: ["castle square"], kind: "landmark" }),
];
const cafe = givenRow(1, {
  ...record({
    address: { street: "Hauptstrasse 12" },
    details: { phones: ["+4232321234"], website: "https://www.cafe.example/menu", emails: ["hello@cafe.example"] },
    otherNames: ["Coffee & Co"],
  }),
  nameWords: "cafe central",
  areas: ["liechtenstein", "vaduz"],
  categories: ["@postcode_9490"],
  countryCode: "LI",
  latitude: 47.14,
  longitude: 9.52,
});
const bar = givenRow(2, { nameWords: "bar central", areas: ["vaduz"] });

function givenLookup(t: TestContext) {
  const file = givenFile(t, [cafe, bar], towns);
  const lookup = (phrases: string[], edits: 0 | 1 | 2 = 0) =>
    (file.ask({ ask: "lookup", phrases, edits }) as { names: NameHit[] }).names;
  return { ...file, lookup };
}

const typesOf = (hits: readonly NameHit[]) => hits.map(({ type, places }) => `${type} ${places}`).toSorted();
const formsOf = (hits: readonly NameHit[]) => hits.flatMap((hit) => ("form" in hit ? `${hit.id} ${hit.form}` : []));

test("a phrase is told by everything that it is in the catalog, with how many places have it", (t) => {
  const { lookup } = givenLookup(t);

  assert.deepEqual(typesOf(lookup(["vaduz"])), ["area 2"]);
  assert.deepEqual(typesOf(lookup(["castle square"])), ["landmark 0"]);
  assert.deepEqual(typesOf(lookup(["central"])), ["word 2"]);
  assert.deepEqual(typesOf(lookup(["hauptstrasse"])), ["street 1"]);
  assert.deepEqual(typesOf(lookup(["coffee co"])), ["brand 1"]);
  assert.deepEqual(typesOf(lookup(["hauptstrasse 12"])), ["address 1"]);
  assert.deepEqual(typesOf(lookup(["12 hauptstrasse"])), ["address 1"]);
  for (const number of ["+4232321234", "2321234"]) assert.deepEqual(typesOf(lookup([number])), ["phone 1"]);
  for (const site of ["cafe.example", "hello@cafe.example"]) assert.deepEqual(typesOf(lookup([site])), ["site 1"]);
  assert.deepEqual(lookup(["9490"]), [{ type: "postcode", country: "LI", phrase: "9490", edits: 0, places: 1 }]);
  assert.deepEqual(lookup(["949", "hauptstrass", "xyzzy"]), []);
});

test("a whole name is told with the places that have it, whatever the order of its words", (t) => {
  const { lookup } = givenLookup(t);

  const spot = { place: 1, latitude: 47.14, longitude: 9.52, country: "LI" };
  for (const phrase of ["cafe central", "central cafe"])
    assert.deepEqual(lookup([phrase]), [{ type: "name", phrase, edits: 0, places: 1, at: [spot] }]);
});

test("an area is found as it is written, in full, without its unit, and by its first part", (t) => {
  const { lookup } = givenLookup(t);

  assert.deepEqual(formsOf(lookup(["sankt moritz", "san murezzan"])), ["sankt moritz written", "sankt moritz written"]);
  assert.deepEqual(formsOf(lookup(["saint moritz"])), ["sankt moritz plain"]);
  assert.deepEqual(formsOf(lookup(["esch"])), ["esch short"]);
  assert.deepEqual(formsOf(lookup(["渋谷"])), ["shibuya short"]);
});

test("what is misspelled is found where edits are asked for", (t) => {
  const { lookup } = givenLookup(t);

  assert.deepEqual(lookup(["vaduc"]), []);
  assert.deepEqual(
    lookup(["vaduc", "cofee co", "castel square"], 1).map(({ type, edits }) => `${type} ${edits}`),
    ["area 1", "brand 1", "landmark 1"],
  );
  assert.deepEqual(
    lookup(["vaduz"], 1).map(({ edits }) => edits),
    [0],
  );
});

test("of landmarks that begin alike only those are read whose whole name is near", (t) => {
  const stops = Array.from({ length: 300 }, (_, at) =>
    givenArea(`stop ${at}`, { names: [`haltestelle ${at} ${"abcdefgh".charAt(at % 8)}`], kind: "landmark" }),
  );
  const { path, ask } = givenFile(t, [], stops);
  const db = new DatabaseSync(path, { readOnly: true });
  t.after(() => db.close());
  const countEdits = db.prepare("select max(n) as most from (select count(*) as n from name_edits group by edit)");

  const { names } = ask({ ask: "lookup", phrases: ["haltestele 17 b"], edits: 1 }) as { names: NameHit[] };

  assert.deepEqual(
    names.map((hit) => ("id" in hit ? [hit.id, hit.edits] : [])),
    [["stop 17", 1]],
  );
  assert.ok(Number(countEdits.get()?.["most"]) < 30);
});

test("areas that change keep their places, and count them anew", (t) => {
  const { path, lookup } = givenLookup(t);
  const file = openIndexFile(path);
  t.after(file.close);

  file.transaction(() => {
    file.replaceAreas([
      { ...givenArea("vaduz", { names: ["vaduz", "fadoz"] }) },
      givenArea("balzers", { names: ["balzers"] }),
    ]);
    file.put([{ ...bar, records: bar.records.map((each) => ({ ...each, areas: ["balzers"] })) }]);
  });

  assert.deepEqual(typesOf(lookup(["vaduz"])), ["area 1"]);
  assert.deepEqual(typesOf(lookup(["fadoz"])), ["area 1"]);
  assert.deepEqual(typesOf(lookup(["balzers"])), ["area 1"]);
  assert.deepEqual(lookup(["castle square"]), []);
  file.transaction(() => file.remove([1]));
  assert.deepEqual(typesOf(lookup(["vaduz"])), ["area 0"]);
});

test("a window may name areas that all hold a place", (t) => {
  const { path } = givenLookup(t);
  const reader = openReader(path);
  t.after(reader.close);
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const find = (areas: string[]) => {
    const window = { boxes: [[-90, -180, 90, 180] as const], country: null, circle: null, areas };
    const all = [
      {
        any: [{ type: "word" as const, text: "central" }],
        must: true,
        typos: 0 as const,
        prefix: false,
        worth: 0,
        well: 1,
      },
    ];
    const search = {
      all,
      least: 0,
      base: 1,
      whole: null,
      coverage: 0,
      window,
      order: { by: "quality" as const },
      limit: 5,
    };
    const { hits } = reader.answer({ ask: "search", search }, { until: Infinity, stop }) as {
      hits: { place: number }[];
    };
    return hits.map(({ place }) => place);
  };

  assert.deepEqual(find([]), [1, 2]);
  assert.deepEqual(find(["vaduz"]), [1, 2]);
  assert.deepEqual(find(["esch"]), []);
  assert.deepEqual(find(["nowhere"]), []);
});
