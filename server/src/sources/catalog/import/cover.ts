import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";

/** From tiles of some 8 by 5 km on to coarser ones, until there are few enough. */
const shifts = [6, 8, 10, 12] as const;
const tilesMax = 50_000;
/** A country with fewer of the places is one whose border the data set passes. */
const shareOfCountryMin = 0.1;

/** Writes down which area the data set covers, as far as its places and boundaries tell. */
export async function updateCoverage(db: BulkConnection, dataSetId: number): Promise<void> {
  for (const shift of shifts) {
    const { rowCount } = await db.query(sql`
      with tiles as (
        select distinct cell >> ${shift}::integer as tile
        from catalog_records
        where data_set_id = ${dataSetId} and closed_at is null
      )
      update catalog_data_sets
      set coverage = array(select tile from tiles order by tile),
        coverage_shift = ${shift},
        coverage_countries = array(
          select country_code
          from (
            select country_code, count(*) / sum(count(*)) over () as share
            from catalog_records
            where data_set_id = ${dataSetId} and closed_at is null
            group by country_code
          ) shares
          where country_code <> ''
            and (
              share >= ${shareOfCountryMin}::double precision
              or exists (
                select
                from catalog_areas a
                where a.data_set_id = ${dataSetId}
                  and a.kind = 'country'
                  and a.country_code = shares.country_code
                  and a.shape is not null
              )
            )
          order by country_code
        )
      where id = ${dataSetId}
        and ((select count(*) from tiles) <= ${tilesMax} or ${shift === shifts.at(-1)})
    `);
    if (rowCount > 0) return;
  }
}
