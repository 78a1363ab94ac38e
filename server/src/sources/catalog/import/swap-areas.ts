import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { sql } from "../../../platform/postgres/sql.ts";

/** Makes the areas of the data set what was staged, and notes the extents of those that are not as before. */
export async function swapAreas(db: BulkConnection, dataSetId: number): Promise<number> {
  await db.query(sql`
    with gone as (
      delete from catalog_areas a
      where a.data_set_id = ${dataSetId}
        and not exists (
          select
          from catalog_stage s
          where s.kind = 'area' and s.source_id = a.source_id and s.hash = a.hash
        )
      returning a.extent
    )
    insert into catalog_changed_extents (extent, has_shape)
    select extent, true from gone where extent is not null
  `);
  await db.query(sql`
    with inserted as (
      insert into catalog_areas (
        data_set_id, source_id, hash, name, names, kind, latitude, longitude, box, population, country_code, level,
        extent, shape
      )
      select ${dataSetId}, s.source_id, s.hash, r.record ->> 'name', s.categories, r.record ->> 'kind', s.latitude,
        s.longitude,
        case json_typeof(r.record -> 'box')
          when 'array' then array(select json_array_elements_text(r.record -> 'box')::double precision)
        end,
        (r.record ->> 'population')::numeric::integer, nullif(s.country_code, ''),
        (r.record ->> 'level')::smallint, (r.record ->> 'extent')::box, r.record ->> 'shape'
      from catalog_stage s
      cross join lateral (select s.record::json as record) r
      where s.kind = 'area'
        and not exists (
          select
          from catalog_areas a
          where a.data_set_id = ${dataSetId} and a.source_id = s.source_id
        )
      returning extent, longitude, latitude
    )
    insert into catalog_changed_extents (extent, has_shape)
    select coalesce(extent, box(point(longitude, latitude))), extent is not null from inserted
  `);
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) as count
    from catalog_areas
    where data_set_id = ${dataSetId}
  `);
  return rows[0]?.count ?? 0;
}

export async function deleteAreas(db: BulkConnection, dataSetId: number): Promise<void> {
  await db.query(sql`
    with gone as (
      delete from catalog_areas
      where data_set_id = ${dataSetId}
      returning extent
    )
    insert into catalog_changed_extents (extent, has_shape)
    select extent, true from gone where extent is not null
  `);
}
