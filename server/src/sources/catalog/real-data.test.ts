import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { systemClock } from "../../platform/clock.ts";
import { Place } from "../../places/place.ts";
import { detectFormat, readItems } from "../../data-sets/2-read/index.ts";
import { importItems } from "../../data-sets/import.ts";
import { givenCatalog } from "./testing.ts";

const folder = fileURLToPath(new URL("../../../../../shared/data/", import.meta.url));
const skip = existsSync(folder) ? false : `the real data is not there (${folder})`;

test("real extracts answer the questions people ask of them", { skip }, async (t) => {
  const { find } = await givenRealData(t);
  const asked: [q: string, hl: string, category: RegExp, where: RegExp][] = [
    ["restaurants in Vaduz", "en", /Restaurant/, /Vaduz/],
    ["coffee in Vaduz", "en", /Cafe|Coffee/, /Vaduz/],
    ["Hotel Vaduz", "de", /Hotel/, /Vaduz/],
    ["Apotheke in Schaan", "de", /Apotheke/, /Schaan/],
    ["pharmacie monaco", "fr", /Pharmacie/, /Monaco/],
    ["pizzza in monaco", "en", /Pizza/, /Monaco/],
  ];

  for (const [q, hl, category, where] of asked) {
    const found = await find(q, { hl });
    assert.ok(found.length >= 5, q);
    assert.match(found[0]?.category ?? "", category, q);
    const ofKind = found.slice(0, 5).filter((place) => place.categories.some((label) => category.test(label)));
    assert.equal(ofKind.length, Math.min(5, found.length), q);
    assert.match(found[0]?.address.formatted ?? "", where, q);
  }
  for (const zoom of [17, 15, 13, 10]) {
    const [nearest] = await find("supermarket", { ll: `@47.141,9.521,${zoom}z` });
    assert.match(nearest?.address.formatted ?? "", /Vaduz/, `zoom ${zoom}`);
  }
});

test("every listing of real extracts is valid, and no business is told twice over all pages", { skip }, async (t) => {
  const { find } = await givenRealData(t);
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(JSON.stringify(Place)));

  for (const [q, hl] of [
    ["restaurants", "en"],
    ["hotel", "de"],
    ["shop", "fr"],
    ["bank in Liechtenstein", "en"],
  ] as const) {
    const ids: (string | null)[] = [];
    for (let page = 1; page <= 10; page += 1) {
      for (const place of await find(q, { hl, page })) {
        assert.ok(isValid(place), `${place.placeId} ${ajv.errorsText(isValid.errors)}`);
        ids.push(place.placeId);
      }
    }
    assert.ok(ids.length > 5, q);
    assert.equal(new Set(ids).size, ids.length, q);
  }
});

async function givenRealData(t: TestContext) {
  const catalog = await givenCatalog(t);
  const { signal } = new AbortController();
  const files = ["osm/liechtenstein-2024.osm.pbf", "osm/monaco-2025.osm.pbf"];
  for (const file of [...files, "overture/overture-places-sample-2025-02.parquet"]) {
    const path = folder + file;
    await importItems({ name: file, origin: path }, readItems(path, await detectFormat(path), { signal }), {
      connection: catalog.connection,
      clock: systemClock,
      signal,
    });
  }
  return catalog;
}
