import assert from "node:assert/strict";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { isShown } from "../current.ts";

export type CatalogPlace = {
  place: number;
  lead: number;
  /** Of the record that leads, then of the others. */
  keys: string[];
  id: string;
  revision: number;
  shown: string | null;
};

/** The places by the source id of the record that leads each, after what is true of all of them has been checked. */
export async function readPlaces(db: Database): Promise<Record<string, CatalogPlace>> {
  const { rows } = await db.query<CatalogPlace & { cell: number }>(sql`
    select p.place, p.lead, p.business_id as id, p.revision, p.shown,
      (array_agg(r.cell order by r.number <> p.lead, r.number))[1] as cell,
      array_agg(r.source_id order by r.number <> p.lead, r.number) as keys
    from catalog_places p
    join catalog_records r on r.place = p.lead and r.closed_at is null and not r.superseded and ${isShown}
    group by p.place
    order by p.place
  `);
  const { rows: counted } = await db.query<Record<"listed" | "places" | "ids" | "generations", number>>(sql`
    select (select count(*) from catalog_places) as listed,
      (select count(distinct business_id) from catalog_places) as ids,
      (
        select count(distinct place)
        from catalog_records
        where closed_at is null and not superseded and ${isShown}
      ) as places,
      (select count(*) from catalog_generations where generation = (select generation from catalog_state)) as generations
  `);
  const places = rows.length;
  assert.deepEqual(counted, [{ listed: places, places, ids: places, generations: 1 }]);
  return Object.fromEntries(
    rows.map(({ cell, ...place }) => {
      assert.equal(Math.floor(place.place / 2 ** 20), cell);
      return [place.keys[0] ?? "", place];
    }),
  );
}

/** The places that the last generation lists as other than before. */
export async function readChanged(db: Database): Promise<number[] | null> {
  const { rows } = await db.query<{ places: number[] | null }>(sql`
    select to_json(places) as places
    from catalog_generations
    order by generation desc
    limit 1
  `);
  return rows[0]?.places ?? null;
}
