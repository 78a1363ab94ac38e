import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

export type DataSet = {
  name: string;
  origin: string;
  importedAt: Date;
  /** Records that are open; those that another data set tells newer of are among them. */
  places: number;
  /** Records that left the data set. */
  closed: number;
  areas: number;
};

export async function listDataSets(db: Queryable): Promise<DataSet[]> {
  const { rows } = await db.query<Omit<DataSet, "importedAt"> & { imported_at: Date }>(sql`
    select d.name, d.origin, d.imported_at, coalesce(r.places, 0) as places, coalesce(r.closed, 0) as closed,
      coalesce(a.areas, 0) as areas
    from catalog_data_sets d
    left join (
      select data_set_id, count(*) filter (where closed_at is null) as places, count(closed_at) as closed
      from catalog_records
      group by data_set_id
    ) r on r.data_set_id = d.id
    left join (
      select data_set_id, count(*) as areas
      from catalog_areas
      group by data_set_id
    ) a on a.data_set_id = d.id
    order by d.name
  `);
  return rows.map(({ imported_at: importedAt, ...rest }) => ({ ...rest, importedAt }));
}

/** Rises with every import and removal. */
export async function readGeneration(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ generation: number }>(sql`select generation from catalog_state`);
  return rows[0]?.generation ?? 0;
}

export type CatalogStats = {
  /** Businesses that searches can find. */
  places: number;
  /** Of those, the ones that two data sets describe. */
  merged: number;
  closed: number;
  areas: number;
  blocks: number;
  indexBytes: number;
  countries: { country: string; places: number }[];
  categories: { category: string; places: number }[];
};

const topMax = 10;

export async function readStats(db: Queryable): Promise<CatalogStats> {
  const { rows } = await db.query<{
    places: number;
    merged: number;
    closed: number;
    areas: number;
    blocks: number;
    index_bytes: number;
  }>(sql`
    select count(*) filter (where closed_at is null and not superseded and place = number) as places,
      count(*) filter (where closed_at is null and not superseded and place <> number) as merged,
      count(closed_at) as closed,
      (select count(*) from catalog_areas) as areas,
      (select count(*) from catalog_blocks) as blocks,
      (select coalesce(sum(length(bytes)), 0) from catalog_blocks)::bigint as index_bytes
    from catalog_records
  `);
  const { rows: countries } = await db.query<CatalogStats["countries"][number]>(sql`
    select country_code as country, count(*) as places
    from catalog_records
    where closed_at is null and not superseded and place = number
    group by country_code
    order by places desc, country_code
    limit ${topMax}
  `);
  const { rows: categories } = await db.query<CatalogStats["categories"][number]>(sql`
    select categories[1] as category, count(*) as places
    from catalog_records
    where closed_at is null and not superseded and place = number and categories[1] not like '@%'
    group by categories[1]
    order by places desc, categories[1]
    limit ${topMax}
  `);
  const { index_bytes: indexBytes = 0, ...counts } = rows[0] ?? {
    places: 0,
    merged: 0,
    closed: 0,
    areas: 0,
    blocks: 0,
  };
  return { ...counts, indexBytes, countries, categories };
}
