import assert from "node:assert/strict";
import { test } from "node:test";
import { assertShort, longestTaskMs } from "../../../../test/loop-watch.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { givenCatalog, place, town } from "../testing.ts";
import { createAreaLoader } from "./area-loader.ts";

test("an import that changes no area leaves the areas as they are loaded", async (t) => {
  const { db, load } = await givenCatalog(t);
  const loadAreas = createAreaLoader(1_000_000);
  await load([town("Vaduz", 47.141, 9.521), place({ sourceId: "osm:n1", name: "One" })]);
  const first = await loadAreas(db);

  await load([town("Vaduz", 47.141, 9.521), place({ sourceId: "osm:n1", name: "Two" })]);
  const second = await loadAreas(db);
  assert.equal(second.addresses, first.addresses);
  assert.ok(second.bytes > 0);

  await load([town("Neudorf", 47.141, 9.521), place({ sourceId: "osm:n1", name: "Two" })]);
  const third = await loadAreas(db);
  assert.notEqual(third.addresses, first.addresses);
  const here = { latitude: 47.141, longitude: 9.521, address: { city: null, region: null } };
  assert.equal(third.addresses.addressAt(here, { areas: ["osm:n-Neudorf"], countryCode: "LI" }, "en").city, "Neudorf");
});

test("searches go on while many areas are loaded", async (t) => {
  const { db, load } = await givenCatalog(t);
  await load([town("Vaduz", 47.141, 9.521), place({ sourceId: "osm:n1", name: "One" })]);
  await db.query(sql`
    insert into catalog_areas (data_set_id, source_id, name, names, kind, latitude, longitude)
    select data_set_id, 'osm:n' || number, 'Dorf', array['sankt dorf ' || number, 'село ' || number], 'village', 46, 9
    from catalog_areas, generate_series(1, 50000) as number
  `);
  const loadAreas = createAreaLoader(1_000_000_000);
  await loadAreas(db); // the list of towns is read, and what it needs compiled
  await db.query(sql`update catalog_areas set country_code = 'LI'`);

  const longest = await longestTaskMs(() => loadAreas(db));

  assertShort(longest);
});
