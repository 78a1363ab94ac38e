import assert from "node:assert/strict";
import { test } from "node:test";
import { listDataSets } from "../../data-sets/data-sets.ts";
import { givenCatalog, place, town } from "./testing.ts";

const limits = { until: Infinity, signal: new AbortController().signal };

test("a landmark is known by each of its names, and is no area where places lie", async (t) => {
  const { db, index, load, names } = await givenCatalog(t);
  const square = town("Peterplatz", 47.14, 9.52, {
    sourceId: "osm:n20",
    kind: "landmark",
    namesByLanguage: { en: "St Peter's Square" },
  });
  const cafe = { sourceId: "osm:n1", name: "Adler", categories: ["amenity/cafe"] };

  const result = await load([square, town("Vaduz", 47.14, 9.52), place(cafe)]);

  assert.deepEqual([result.areas, result.places], [1, 1]);
  assert.deepEqual(
    (await listDataSets(db)).map(({ areas }) => areas),
    [1],
  );
  const { names: hits } = await index.lookup(["peterplatz", "st peters square", "vaduz"], 0, limits);
  assert.deepEqual(
    hits.flatMap((hit) => ("form" in hit ? [[hit.type, hit.id, hit.phrase]] : [])),
    [
      ["landmark", "osm:n20", "peterplatz"],
      ["landmark", "osm:n20", "st peters square"],
      ["area", "osm:n-Vaduz", "vaduz"],
    ],
  );
  assert.deepEqual(await names("cafe in Vaduz"), ["Adler"]);
  const { names: misspelled } = await index.lookup(["peterplats"], 1, limits);
  assert.deepEqual(
    misspelled.map(({ type, edits }) => [type, edits]),
    [["landmark", 1]],
  );

  await load([town("Vaduz", 47.14, 9.52), place(cafe)]);

  assert.deepEqual((await index.lookup(["peterplatz"], 0, limits)).names, []);
});
