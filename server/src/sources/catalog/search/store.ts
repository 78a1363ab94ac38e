import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import type { AddressArea } from "./addresses.ts";
import type { DataSetCoverage } from "./coverage.ts";

/** Whether there is anything to search. */
export async function hasPlaces(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(sql`
    select exists (select from catalog_places) as found
  `);
  return rows[0]?.found ?? false;
}

export type KnownDataSet = { id: number; importedAt: Date; coverage: DataSetCoverage | null };

export async function readDataSets(db: Queryable): Promise<KnownDataSet[]> {
  // The tiles as JSON: the driver takes 40 ms to read 14,000 of them from an array.
  const { rows } = await db.query<{
    id: number;
    imported_at: Date;
    coverage: number[] | null;
    coverage_shift: number | null;
    coverage_countries: string[] | null;
  }>(sql`
    select id, coalesce(observed_at, imported_at) as imported_at, to_json(coverage) as coverage, coverage_shift, coverage_countries
    from catalog_data_sets
    where not is_pending
  `);
  return rows.map(({ id, imported_at: importedAt, coverage: tiles, coverage_shift: shift, ...row }) => ({
    id,
    importedAt,
    coverage: tiles === null || shift === null ? null : { tiles, shift, countries: row.coverage_countries ?? [] },
  }));
}

/** The areas of every data set but landmarks, the largest first. */
export async function readAreas(db: Queryable, areasMax: number): Promise<AddressArea[]> {
  const { rows } = await db.query<AddressArea>(sql`
    select source_id as "sourceId", name, names, kind, latitude, longitude, box, population,
      country_code as "countryCode", level, case when shape is not null then hash::text end as "shapeKey",
      names_by_language::text as "namesByLanguage"
    from catalog_areas
    where kind <> 'landmark'
    order by array_position(array['country', 'region', 'city', 'town', 'village', 'suburb'], kind),
      population desc nulls last, source_id, data_set_id
    limit ${areasMax}
  `);
  return rows;
}

/** The same for the same areas: comparing it costs a twentieth of reading them. */
export async function readAreasVersion(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ version: string }>(sql`
    select concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', data_set_id, source_id, hash, country_code), 0)))
      as version
    from catalog_areas
    where kind <> 'landmark'
  `);
  return rows[0]?.version ?? "";
}
