import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";

/** From tiles of some 8 by 5 km on to coarser ones, until there are few enough. */
const shifts = [6, 8, 10, 12] as const;
const tilesMax = 50_000;
/** A country with fewer of the places is one whose border the data set passes. */
const shareOfCountryMin = 0.1;

/** Which area the data set covers in the next generation, as far as its places and boundaries tell. */
export type Coverage = { tiles: number[]; shift: number; countries: string[] };

export async function coverageOf(db: BulkConnection, dataSetId: number): Promise<Coverage> {
  const [finest] = shifts;
  const { rows } = await db.query<{ tiles: number[]; countries: string[] }>(sql`
    with counted as materialized (
      select cell >> ${finest}::integer as tile, country_code, count(*) as places
      from catalog_next_records
      where data_set_id = ${dataSetId} and closed_at is null
      group by 1, 2
    ),
    shares as (
      select country_code, sum(places) / sum(sum(places)) over () as share
      from counted
      group by country_code
    )
    select to_json(array(select distinct tile from counted order by tile)) as tiles,
      array(
        select country_code
        from shares
        where country_code <> ''
          and (
            share >= ${shareOfCountryMin}::double precision
            or exists (
              select
              from catalog_next_areas a
              where a.data_set_id = ${dataSetId}
                and a.kind = 'country'
                and a.country_code = shares.country_code
                and a.shape is not null
            )
          )
        order by country_code
      ) as countries
  `);
  const { tiles = [], countries = [] } = rows[0] ?? {};
  return { ...coarsen(tiles), countries };
}

/** Tiles of the finest size, or of the first that makes them few enough. */
function coarsen(finest: number[]): Pick<Coverage, "tiles" | "shift"> {
  let tiles = finest;
  for (const shift of shifts) {
    if (shift > shifts[0]) tiles = [...new Set(finest.map((tile) => tile >> (shift - shifts[0])))];
    if (tiles.length <= tilesMax || shift === shifts.at(-1)) return { tiles, shift };
  }
  throw new Error("There is a coarsest tile.");
}
