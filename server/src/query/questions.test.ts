import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { failuresOf, type Page, type Question, readFeatures, readRows, type Row } from "../../test/questions.ts";
import { readItems } from "../data-sets/2-read/index.ts";
import { importItems } from "../data-sets/import.ts";
import { systemClock } from "../platform/clock.ts";
import { createCatalog } from "../sources/catalog/catalog.ts";
import { givenCatalog } from "../sources/catalog/testing.ts";

const folder = join(import.meta.dirname, "worlds");
const rows = readRows(readFileSync(join(import.meta.dirname, "questions.tsv"), "utf8"));
const rowsByWorld = Map.groupBy(rows, ({ world }) => world);
/** A Monday evening in Europe: what "open now" goes by. */
const now = new Date("2026-09-21T19:00:00Z");

test("every world is asked about, and there are at most eight", () => {
  const worlds = readdirSync(folder).map((file) => file.replace(".geojsonl", ""));

  assert.deepEqual([...rowsByWorld.keys()].toSorted(), worlds.toSorted());
  assert.ok(worlds.length <= 8);
});

test("no question stands in the table twice", () => {
  const keys = rows.map(({ world, hl, gl, map, q }) => [world, hl, gl, map, q].join("\t"));

  assert.deepEqual(
    keys.filter((key, at) => keys.indexOf(key) !== at),
    [],
  );
});

for (const [world, questions] of rowsByWorld) {
  test(`the questions of ${world} have the answers that people want`, async (t) => {
    const { answer, features } = await givenWorld(t, world);
    const failed: string[] = [];

    for (const row of questions) {
      const page = await answer(row);
      const failures = await failuresOf(row, page, features, answer);
      if (failures.length > 0) failed.push(reportOf(row, failures, page));
    }

    assert.equal(failed.length, 0, `${failed.length} of ${questions.length} rows\n${failed.join("\n")}`);
  });
}

test("a row that says what is not so is found", async (t) => {
  const { answer, features } = await givenWorld(t, "towns");
  const question = { line: 1, world: "towns", hl: "en", gl: "", map: "", q: "toy shop in Andermatt" };
  const page = await answer(question);
  const failuresFor = (wanted: string) =>
    failuresOf({ ...question, answer: wanted, why: "control" }, page, features, answer);

  const truth = "only shop=toys; order Purzelbaum; first shop=toys @Andermatt; last Purzelbaum; has Purzelbaum";
  assert.deepEqual(
    await failuresFor(`${truth}; all shop=*; no amenity=*; covered; same as toy store in Andermatt`),
    [],
  );
  for (const lie of [
    "empty",
    "uncovered",
    "only shop=toys | Hammer",
    "order Purzelbaum | Hammer",
    "first Hammer",
    "first shop=toys @Visby",
    "last Hammer",
    "has shop=toys | Hammer",
    "all amenity=*",
    "no shop=toys",
    "same as hardware store in Andermatt",
    "first as flummery in Andermatt",
  ]) {
    assert.deepEqual(await failuresFor(`${truth}; ${lie}`), [lie]);
  }
  await assert.rejects(failuresFor("frist Purzelbaum"), /no verb/);
  await assert.rejects(failuresFor("all shop=toys @Xyzzyville"), /no town/);
  assert.throws(() => readRows("world\thl\tgl\tmap\tquestion\tanswer\twhy\ntowns\ten\t\t\tcafe\tempty"), /Line 2/);
});

/** A catalog of the world's file, imported as an operator imports it. */
async function givenWorld(t: TestContext, world: string) {
  const { connection, db, index } = await givenCatalog(t);
  const { signal } = new AbortController();
  const path = join(folder, `${world}.geojsonl`);
  const progress = { name: world, origin: path };
  await importItems(progress, readItems(path, "geojson", { signal }), { connection, clock: systemClock, signal });
  const catalog = createCatalog({ db, index, now: () => now });
  const features = readFeatures(readFileSync(path, "utf8"));
  const featureById = new Map(features.map((feature) => [feature.id, feature]));

  async function answer({ q, hl, gl, map }: Question): Promise<Page> {
    const query = { q, hl, page: 1, extra: false, ...(gl ? { gl } : {}), ...(map ? { ll: map } : {}) };
    const { listings } = await catalog.search(query, signal);
    const hits = listings.map(({ placeId, name }) => {
      const feature = featureById.get(placeId ?? "");
      assert.ok(feature, `${name} is no feature of ${world}`);
      return feature;
    });
    return { hits, isCovered: () => catalog.hasDataFor(query, signal) };
  }

  return { answer, features };
}

function reportOf({ line, hl, gl, map, q }: Row, failures: readonly string[], { hits }: Page): string {
  const asked = [hl, gl, map].filter(Boolean).join(" ");
  const came = hits.slice(0, 6).map(({ tags }) => tags["name"]);
  const page = `${came.join(" | ") || "nothing"}${hits.length > 6 ? ` and ${hits.length - 6} more` : ""}`;
  return `  line ${line}: "${q}" (${asked})\n    expected ${failures.join("; ")}\n    came     ${page}`;
}
