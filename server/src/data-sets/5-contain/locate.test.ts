import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../platform/postgres/sql.ts";
import { shapeOf } from "../../geography/shape.ts";
import { cellOf } from "../../geography/cells.ts";
import { givenCatalog, place, town } from "../../sources/catalog/testing.ts";
import { createLocate } from "./locate.ts";

const square = [
  [46, 9],
  [46, 10],
  [47, 10],
  [47, 9],
  [46, 9],
] as const;

test("towns that are points do not slow down where places lie", async (t) => {
  const { db, load } = await givenCatalog(t);
  await load([
    town("Mitte", 46.5, 9.5, { sourceId: "osm:r1", shape: shapeOf([square], 100) }),
    place({ sourceId: "osm:n1", name: "Sonne", categories: ["amenity/cafe"] }),
  ]);
  await db.query(sql`
    insert into catalog_areas (data_set_id, source_id, name, names, kind, latitude, longitude)
    select data_set_id, 'osm:n' || number, 'Dorf', '{dorf}', 'village', 46, 9
    from catalog_areas, generate_series(1, 50000) as number
  `);
  const places = Array.from({ length: 130 }, (_, index) => ({ latitude: 46.5, longitude: -60.5 + index }))
    .map((point) => ({ ...point, cell: cellOf(point), country_code: "" }))
    .sort((one, other) => one.cell - other.cell);

  const began = performance.now();
  const located = await createLocate(db)(places);
  const took = performance.now() - began;

  const inside = places.filter((_, index) => located[index]?.ids.includes("osm:r1"));
  assert.deepEqual(
    inside.map(({ longitude }) => longitude),
    [9.5],
  );
  assert.ok(took < 2_000, `${took} ms`);
});
