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
  const countries = await listCountries(db, dataSetId);
  for (const shift of shifts) {
    const { rows } = await db.query<{ tiles: number[] }>(sql`
      select to_json(array(
        select distinct cell >> ${shift}::integer as tile
        from catalog_next_records
        where data_set_id = ${dataSetId} and closed_at is null
        order by tile
      )) as tiles
    `);
    const tiles = rows[0]?.tiles ?? [];
    if (tiles.length <= tilesMax || shift === shifts.at(-1)) return { tiles, shift, countries };
  }
  throw new Error("There is a coarsest tile.");
}

async function listCountries(db: BulkConnection, dataSetId: number): Promise<string[]> {
  const { rows } = await db.query<{ countries: string[] }>(sql`
    select array(
      select country_code
      from (
        select country_code, count(*) / sum(count(*)) over () as share
        from catalog_next_records
        where data_set_id = ${dataSetId} and closed_at is null
        group by country_code
      ) shares
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
  return rows[0]?.countries ?? [];
}
