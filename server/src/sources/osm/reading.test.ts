import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { recordOf } from "../../places/osm-tags/index.ts";
import { SourceFailure } from "../source.ts";
import { writeQuery } from "./overpass-query.ts";
import { readTyped } from "../../query/typed.ts";
import { regionOfFound, regionOfView } from "./region.ts";
import { startWorld, type World } from "./testing.ts";

test("a query is taken apart into what and where, in the languages read and in others", () => {
  const questions: [hl: string, q: string, category: string, where: string | null, rest: string][] = [
    ["en", "coffee in Vaduz", "amenity/cafe", "Vaduz", ""],
    ["en", "pizza near the Old Town, Vaduz", "amenity/restaurant/pizza", "Old Town, Vaduz", ""],
    ["en", "restaurants, Vaduz", "amenity/restaurant", "Vaduz", ""],
    ["en", "Hotel Vaduz", "tourism/hotel", null, "Vaduz"],
    ["de", "Apotheke in Schaan", "amenity/pharmacy", "Schaan", ""],
    ["de", "Bäckereien bei Triesen", "shop/bakery", "Triesen", ""],
    ["fr", "pharmacie à Monaco", "amenity/pharmacy", "Monaco", ""],
    ["fr", "pharmacie monaco", "amenity/pharmacy", null, "monaco"],
    ["es", "restaurantes cerca de Málaga", "amenity/restaurant", "Málaga", ""],
    ["it", "farmacie a Roma", "amenity/pharmacy", "Roma", ""],
    ["pt", "hotéis em Lisboa", "tourism/hotel", "Lisboa", ""],
    ["nl", "supermarkt in Utrecht", "shop/supermarket", "Utrecht", ""],
    ["ru", "ресторан в Москве", "amenity/restaurant", "Москве", ""],
    ["pl", "restauracja w Krakowie", "amenity/restaurant", "Krakowie", ""],
    ["ar", "مطعم في القاهرة", "amenity/restaurant", "القاهرة", ""],
    ["de", "coffee in Wien", "amenity/cafe", "Wien", ""],
    ["en", "coffee near me", "amenity/cafe", null, ""],
    ["de", "Apotheke in der Nähe", "amenity/pharmacy", null, ""],
    ["fr", "pharmacie près de moi", "amenity/pharmacy", null, ""],
  ];
  for (const [hl, q, category, where, rest] of questions) {
    const question = readTyped(q, hl);
    assert.deepEqual([question.categories[0], question.where, question.rest], [category, where, rest], q);
  }
});

test("words that say neither what nor where are left as a name", () => {
  assert.deepEqual(readTyped("in", "en"), { categories: [], rest: "in", where: null, what: "in" });
  assert.deepEqual(readTyped("Zum goldenen Xyzzy", "de").rest, "Zum goldenen Xyzzy");
  assert.deepEqual(readTyped("🍕 ,", "en").categories, []);
});

test("whatever the words, a query for Overpass stays one query", () => {
  const region = { kind: "around", latitude: 47, longitude: 9, meters: 300 } as const;
  const hostile = fc.string({ unit: fc.constantFrom('"', "\\", "]", "(", ";", "\n", "\u0000", "a", "é", "$", ".") });
  fc.assert(
    fc.property(fc.array(fc.oneof(hostile, fc.string()), { minLength: 1, maxLength: 4 }), (words) => {
      const query = writeQuery(["amenity/cafe"], words, region);
      const withoutTexts = query.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
      const names = '[""~"",i]'.repeat(words.length);
      assert.equal(withoutTexts, `(nwr[""=""][""]${names}(around:300,47.000000,9.000000););out tags center 200;`);
    }),
  );
});

test("each character of a name means itself to Overpass", () => {
  const region = { kind: "box", box: [1, 2, 3, 4] } as const;

  const query = writeQuery([], ["a.b", '"', "\\", "x\ny"], region);

  assert.ok(query.includes(String.raw`["name"~"a\\.b",i]["name"~"\"",i]["name"~"\\\\",i]["name"~"x y",i]`), query);
});

test("a map's view is as wide as it shows, within bounds", () => {
  assert.equal(metersOf("@0,0,21z"), 300);
  assert.equal(metersOf("@0,0,1z"), 50_000);
  assert.equal(metersOf("@60,0,14z"), Math.round(((156_543 * 0.5) / 2 ** 14) * 512));
  assert.equal(metersOf("@90,180,14z"), 300);
  assert.equal(regionOfView("somewhere"), undefined);
});

test("a town is searched within its boundary, a hamlet in its box, a country around its center", () => {
  const found = {
    type: "relation",
    id: 5,
    latitude: 47,
    longitude: 9,
    box: [46.9, 8.9, 47.1, 9.1],
    isArea: true,
  } as const;

  assert.deepEqual(regionOfFound(found), { kind: "area", relationId: 5 });
  assert.equal(regionOfFound({ ...found, type: "node", box: [47, 9, 47, 9] }).kind, "box");
  assert.equal(regionOfFound({ ...found, box: [40, 0, 50, 10] }).kind, "around");
  assert.equal(regionOfFound({ ...found, box: [46.9, 8.9, 48.4, 9.1] }).kind, "area");
  assert.equal(regionOfFound({ ...found, box: [46.9, 8.9, 48.401, 9.1] }).kind, "around");
});

const captures = join(import.meta.dirname, "../../../../../shared/data/captures");

test("answers that the services really gave are read for what they are", async (t) => {
  if (!existsSync(captures)) return t.skip("the real data is not here");
  const world = await startWorld(t);
  const overpass = (file: string) => ask(world, { overpass: readFileSync(join(captures, "overpass", file), "utf8") });
  const nominatim = (file: string) =>
    ask(world, { nominatim: readFileSync(join(captures, "geocoders", file), "utf8") });

  const chain = await overpass("retail-chain-2020.json");
  assert.ok(!(chain instanceof SourceFailure) && chain.length === 20);
  for (const file of ["node-01.json", "area-01.json", "relation-03.json", "way-03.json"]) {
    assert.ok(!((await overpass(file)) instanceof SourceFailure), file);
  }
  assert.deepEqual(outcome(await overpass("remark-runtime-error-01.json")), ["try_again", "source_timeout"]);
  assert.deepEqual(outcome(await nominatim("nominatim_no_results")), []);
  assert.deepEqual(outcome(await nominatim("nominatim_over_limit")), ["slow_down", "source_unavailable"]);
});

test("places of a real answer become records", (t) => {
  const file = join(captures, "overpass/retail-chain-2020.json");
  if (!existsSync(file)) return t.skip("the real data is not here");

  const { elements } = JSON.parse(readFileSync(file, "utf8"));
  const records = elements.flatMap((element: { lat?: number; center?: object; tags?: object }) => {
    const { lat: latitude, lon: longitude } = { ...element, ...element.center } as { lat?: number; lon?: number };
    return latitude === undefined ? [] : (recordOf({ tags: {}, ...element, latitude, longitude } as never) ?? []);
  });

  t.diagnostic(`${records.length} records of ${elements.length} elements`);
  assert.ok(records.length > 500);
});

function metersOf(ll: string) {
  return regionOfView(ll)?.meters;
}

let turn = 0;

/** Asks a question of its own each time, so that nothing is remembered. */
async function ask(world: World, replies: { overpass?: string; nominatim?: string }) {
  turn += 1;
  world.advance(3_600_000);
  const { overpass, nominatim } = replies;
  const [usualOverpass, usualNominatim] = [world.overpass, world.nominatim];
  if (overpass !== undefined) world.overpass = () => ({ body: overpass });
  if (nominatim !== undefined) world.nominatim = () => ({ body: nominatim });
  const query = { q: `cafés in Vaduz ${turn}`, page: 1, hl: "en", extra: false };
  const found = await world.source.search(query, new AbortController().signal).then(
    ({ listings }) => listings,
    (error: unknown) => error as SourceFailure,
  );
  Object.assign(world, { overpass: usualOverpass, nominatim: usualNominatim });
  return found;
}

function outcome(found: Awaited<ReturnType<typeof ask>>) {
  return found instanceof SourceFailure ? [found.action, found.code] : found;
}
