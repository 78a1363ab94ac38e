import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { isGeneral, isNoBusinessOfOverture } from "../../../kinds/index.ts";
import { readGeoJson } from "../geojson/geojson.ts";
import { read } from "../read.ts";
import { newProgress } from "../reader.ts";
import { wkbPoint } from "../parquet/sample.ts";
import { kindOfOverture } from "./overture-kinds.ts";
import { isNoBusiness, overtureRecord } from "./overture-record.ts";

test("Overture's kinds are read as ours where there is one", () => {
  const ids = ["coffee_shop", "pizza_restaurant", "hotel", "dui_law", "shoe_store", "roman_catholic_place_of_worshop"];

  assert.deepEqual(
    ids.map((id) => kindOfOverture(id)),
    [
      "amenity/cafe",
      "amenity/restaurant/pizza",
      "tourism/hotel",
      "office/lawyer",
      "shop/shoes",
      "amenity/place_of_worship/christian",
    ].map((category) => ({ category, isExact: true })),
  );
});

test("a kind that is narrower than ours keeps its name, and one that nobody knows is not guessed", () => {
  const place = (primary: string, hierarchy: string[] = []) =>
    overtureRecord({
      id: "1",
      geometry: wkbPoint(9, 47),
      names: { primary: "Adler" },
      taxonomy: { primary, hierarchy: [...hierarchy, primary] },
    });

  assert.deepEqual(kindOfOverture("peruvian_restaurant"), { category: "amenity/restaurant", isExact: false });
  assert.deepEqual(place("peruvian_restaurant")?.categoryLabels, ["Peruvian restaurant"]);
  assert.equal(kindOfOverture("balloon_service"), undefined);
  assert.deepEqual(place("balloon_service")?.categories, []);
  assert.deepEqual(place("balloon_service")?.categoryLabels, ["Balloon service"]);
  // What nobody knows is a sort of what stands above it, and is called by its own name.
  const unheard = place("moon_food", ["food_and_drink", "restaurant"]);
  assert.deepEqual([unheard?.categories[0], unheard?.categoryLabels], ["amenity/restaurant", ["Moon food"]]);
});

test("a lake is no business, and a beach is what it is", async (t) => {
  assert.ok(isNoBusiness({ taxonomy: { primary: "lake" } }));
  assert.ok(isNoBusiness({ categories: { primary: "structure_and_geography", alternate: ["hotel"] } }));
  assert.ok(!isNoBusiness({ categories: { primary: "hotel", alternate: ["lake"] } }));
  assert.deepEqual(kindOfOverture("beach"), { category: "natural/beach", isExact: true });

  const features = ["lake", "cafe"].map((primary) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [9, 47] },
    properties: { id: primary, names: { primary }, categories: { primary } },
  }));
  const progress = newProgress();
  const { places } = await read(t, readGeoJson, features.map((each) => JSON.stringify(each)).join("\n"), { progress });

  assert.deepEqual(
    places.map(({ name }) => name),
    ["cafe"],
  );
  assert.equal(progress.skipped.count, 0);
});

const folder = join(import.meta.dirname, "../../../../../../shared/data/overture/taxonomy");

test("at least 97 % of Overture's places get a real kind, in the taxonomy's names and in the older ones", (t) => {
  if (!existsSync(folder)) return t.skip("the publisher's tables are not here");
  const counts = tableOf("2025-12-05-counts.csv");
  const ids = tableOf("2026-03-04-categories-hierarchies.csv").flatMap((row) => row["New Primary Category"] || []);

  for (const column of ["primary", "primary_category"]) {
    let [places, kinds, general] = [0, 0, 0];
    for (const row of counts) {
      const [id = "", count] = [row[column], Number(row["_col0"])];
      if (isNoBusinessOfOverture(id)) continue;
      places += count;
      const kind = kindOfOverture(id);
      if (kind) kinds += count;
      if (kind && (isGeneral(kind.category) || kind.category === "office/company")) general += count;
    }
    t.diagnostic(`${column}: ${((100 * kinds) / places).toFixed(2)} % have a kind of ours`);
    t.diagnostic(
      `${column}: ${((100 * general) / places).toFixed(2)} % have a general one alone, such as shop or office`,
    );
    assert.ok(kinds / places >= 0.97);
  }
  const known = ids.filter((id) => kindOfOverture(id) !== undefined || isNoBusinessOfOverture(id));
  t.diagnostic(`${known.length} of ${ids.length} kinds of the taxonomy`);
  assert.ok(known.length / ids.length > 0.7);
});

function tableOf(name: string): Record<string, string>[] {
  return parse(readFileSync(join(folder, name)), { columns: true, bom: true });
}
