import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";

const areaColumns = sql`
  data_set_id, source_id, hash, name, names, kind, latitude, longitude, box, population, country_code, level, extent,
  shape, names_by_language
`;

/** Makes the data set's areas of the next generation what was staged, and notes the extents of those that are not as before. */
export async function changeAreas(db: BulkConnection, dataSetId: number): Promise<number> {
  await db.query(sql`
    with gone as (
      insert into catalog_area_changes (${areaColumns}, is_gone)
      select ${areaColumns}, true
      from catalog_areas a
      where a.data_set_id = ${dataSetId}
        and not exists (
          select
          from catalog_stage s
          where s.kind = 'area' and s.source_id = a.source_id and s.hash = a.hash
        )
      returning extent
    )
    insert into catalog_changed_extents (extent, has_shape)
    select extent, true from gone where extent is not null
  `);
  await db.query(sql`
    with inserted as (
      insert into catalog_area_changes (${areaColumns})
      select ${dataSetId}, s.source_id, s.hash, r.record ->> 'name', s.categories, r.record ->> 'kind', s.latitude,
        s.longitude,
        case json_typeof(r.record -> 'box')
          when 'array' then array(select json_array_elements_text(r.record -> 'box')::double precision)
        end,
        (r.record ->> 'population')::numeric::integer, nullif(s.country_code, ''),
        (r.record ->> 'level')::smallint, (r.record ->> 'extent')::box, r.record ->> 'shape',
        (r.record ->> 'namesByLanguage')::json
      from catalog_stage s
      cross join lateral (select s.record::json as record) r
      where s.kind = 'area'
        and not exists (
          select
          from catalog_areas a
          where a.data_set_id = ${dataSetId} and a.source_id = s.source_id and a.hash = s.hash
        )
      on conflict (data_set_id, source_id) do update
      set hash = excluded.hash, name = excluded.name, names = excluded.names, kind = excluded.kind,
        latitude = excluded.latitude, longitude = excluded.longitude, box = excluded.box,
        population = excluded.population, country_code = excluded.country_code, level = excluded.level,
        extent = excluded.extent, shape = excluded.shape, names_by_language = excluded.names_by_language,
        is_gone = false
      returning extent, longitude, latitude
    )
    insert into catalog_changed_extents (extent, has_shape)
    select coalesce(extent, box(point(longitude, latitude))), extent is not null from inserted
  `);
  await db.execute("analyze catalog_area_changes (data_set_id, source_id, hash, kind, extent)");
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) as count
    from catalog_next_areas
    where data_set_id = ${dataSetId} and kind <> 'landmark'
  `);
  return rows[0]?.count ?? 0;
}

export async function removeAreas(db: BulkConnection, dataSetId: number): Promise<void> {
  await db.query(sql`
    with gone as (
      insert into catalog_area_changes (${areaColumns}, is_gone)
      select ${areaColumns}, true
      from catalog_areas
      where data_set_id = ${dataSetId}
      returning extent
    )
    insert into catalog_changed_extents (extent, has_shape)
    select extent, true from gone where extent is not null
  `);
}

/** Gives areas of the next generation their country. */
export async function changeCountry(db: BulkConnection, sourceIds: readonly string[], code: string): Promise<void> {
  await db.query(sql`
    insert into catalog_area_changes (${areaColumns})
    select ${areaColumns}
    from catalog_areas
    where source_id = any(${sourceIds}::text[])
    on conflict (data_set_id, source_id) do nothing
  `);
  await db.query(sql`
    update catalog_area_changes
    set country_code = ${code}
    where source_id = any(${sourceIds}::text[])
  `);
}

/** Within the transaction that switches. */
export async function switchAreas(db: BulkConnection): Promise<void> {
  await db.query(sql`
    delete from catalog_areas a
    using catalog_area_changes c
    where c.data_set_id = a.data_set_id and c.source_id = a.source_id
  `);
  await db.query(sql`
    insert into catalog_areas (${areaColumns})
    select ${areaColumns}
    from catalog_area_changes
    where not is_gone
  `);
}
