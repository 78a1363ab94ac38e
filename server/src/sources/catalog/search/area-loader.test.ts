import assert from "node:assert/strict";
import { test } from "node:test";
import { givenCatalog, place, town } from "../testing.ts";
import { createAreaLoader } from "./area-loader.ts";

test("an import that changes no area leaves the areas as they are loaded", async (t) => {
  const { db, load } = await givenCatalog(t);
  const preference = { near: null, countryCode: null };
  const loadAreas = createAreaLoader(1_000_000);
  const everywhere = { point: () => true, country: () => true };
  await load([town("Vaduz", 47.141, 9.521), place({ sourceId: "osm:n1", name: "One" })]);
  const first = await loadAreas(db, everywhere);

  await load([town("Vaduz", 47.141, 9.521), place({ sourceId: "osm:n1", name: "Two" })]);
  const second = await loadAreas(db, everywhere);
  assert.equal(second.areas, first.areas);
  assert.ok(second.bytes > 0);

  await load([town("Neudorf", 47.141, 9.521), place({ sourceId: "osm:n1", name: "Two" })]);
  const third = await loadAreas(db, everywhere);
  assert.notEqual(third.areas, first.areas);
  assert.equal(third.areas.find("neudorf", preference)?.isOwn, true);
  assert.equal(third.areas.find("vaduz", preference)?.isOwn, false, "only the world's list has it now");
});
