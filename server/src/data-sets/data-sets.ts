import type { Queryable } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";
import { degreeM } from "../geography/points.ts";
import { boxOfTile } from "../geography/cells.ts";
import { licensesOf } from "../places/licenses.ts";
import { isShown } from "./current.ts";

export type DataSet = {
  name: string;
  origin: string;
  importedAt: Date;
  /** When its publisher last knew what it says; null where an earlier version imported it. */
  observedAt: Date | null;
  /** Records that are open; those that another data set tells newer of are among them. */
  places: number;
  /** Records that left the data set. */
  closed: number;
  areas: number;
};

export async function listDataSets(db: Queryable): Promise<DataSet[]> {
  const { rows } = await db.query<
    Omit<DataSet, "importedAt" | "observedAt"> & { imported_at: Date; observed_at: Date | null }
  >(sql`
    select d.name, d.origin, d.imported_at, d.observed_at, d.places, coalesce(r.closed, 0) as closed, coalesce(a.areas, 0) as areas
    from catalog_data_sets d
    left join (
      select data_set_id, count(*) as closed
      from catalog_records
      where closed_at is not null and ${isShown}
      group by data_set_id
    ) r on r.data_set_id = d.id
    left join (
      select data_set_id, count(*) as areas
      from catalog_areas
      where kind <> 'landmark'
      group by data_set_id
    ) a on a.data_set_id = d.id
    where not d.is_pending
    order by d.name
  `);
  return rows.map(({ imported_at: importedAt, observed_at: observedAt, ...rest }) => ({
    ...rest,
    importedAt,
    observedAt,
  }));
}

/** Where a data set came from; undefined when there is none of this name. */
export async function findOrigin(db: Queryable, name: string): Promise<string | undefined> {
  const { rows } = await db.query<{ origin: string }>(sql`
    select origin
    from catalog_data_sets
    where name = ${name} and not is_pending
  `);
  return rows[0]?.origin;
}

/** What a data set is brought up to date from; `version` is what its publisher calls what was imported last. */
export type DataSetSource =
  | { publisher: "overture"; area: string; minConfidence: number; version: string }
  | { publisher: "alltheplaces"; area: string | undefined; version: string }
  | { publisher: "openstreetmap"; region: string; base: string | undefined };

/** The data sets by name, with null for those that came from a file. */
export async function listSources(db: Queryable): Promise<{ name: string; source: DataSetSource | null }[]> {
  const { rows } = await db.query<{ name: string; source: DataSetSource | null }>(sql`
    select name, source
    from catalog_data_sets
    where not is_pending
    order by name
  `);
  return rows;
}

/** How old each data set is by its publisher's date; those without one are left out. */
export async function readAges(db: Queryable): Promise<{ name: string; seconds: number }[]> {
  const { rows } = await db.query<{ name: string; seconds: number }>(sql`
    select name, extract(epoch from now() - observed_at)::double precision as seconds
    from catalog_data_sets
    where not is_pending and observed_at is not null
    order by name
  `);
  return rows;
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
  countries: { country: string; places: number }[];
  categories: { category: string; places: number }[];
  coverage: CoveredArea[];
  /** By SPDX id; a place of several licenses counts for each, and one that nobody knows any of for an empty one. */
  licenses: { license: string; places: number }[];
  /** Overture's categories that none of ours says the same as, by how many places have them. */
  unmapped: { category: string; places: number }[];
};

/** What a data set covers. */
export type CoveredArea = {
  name: string;
  /** When its publisher last knew what it says; null where an earlier version imported it. */
  observedAt: Date | null;
  countries: string[];
  /** The tiles with places in them, together. */
  squareKilometers: number;
  /** South, west, north, east in degrees. */
  box: [number, number, number, number];
};

const topMax = 10;
const unmappedMax = 1_000;

/** Reads every record, which takes minutes in a large catalog. */
export async function readStats(db: Queryable): Promise<CatalogStats> {
  const { rows } = await db.query<{
    places: number;
    merged: number;
    closed: number;
    areas: number;
  }>(sql`
    select count(*) filter (where closed_at is null and not superseded and place = number) as places,
      count(*) filter (where closed_at is null and not superseded and place <> number) as merged,
      count(closed_at) as closed,
      (select count(*) from catalog_areas where kind <> 'landmark') as areas
    from catalog_records
    where ${isShown}
  `);
  const { rows: countries } = await db.query<CatalogStats["countries"][number]>(sql`
    select country_code as country, count(*) as places
    from catalog_records
    where closed_at is null and not superseded and place = number and ${isShown}
    group by country_code
    order by places desc, country_code
    limit ${topMax}
  `);
  const { rows: categories } = await db.query<CatalogStats["categories"][number]>(sql`
    select categories[1] as category, count(*) as places
    from catalog_records
    where closed_at is null and not superseded and place = number and ${isShown} and categories[1] not like '@%'
    group by categories[1]
    order by places desc, categories[1]
    limit ${topMax}
  `);
  const { rows: unmapped } = await db.query<CatalogStats["unmapped"][number]>(sql`
    select label as category, count(*) as places
    from catalog_records
    cross join lateral json_array_elements_text(record::json -> 'categoryLabels') as label
    where dataset_kind = 'overture'
      and closed_at is null
      and not superseded
      and ${isShown}
      and record not like '%"categoryLabels":[]%'
    group by label
    order by places desc, label
    limit ${unmappedMax}
  `);
  const counts = rows[0] ?? {
    places: 0,
    merged: 0,
    closed: 0,
    areas: 0,
  };
  return {
    ...counts,
    countries,
    categories,
    coverage: await listCoverage(db),
    licenses: await countLicenses(db),
    unmapped,
  };
}

async function countLicenses(db: Queryable): Promise<CatalogStats["licenses"]> {
  const { rows } = await db.query<{ kind: string; licenses: string[] | null; places: number }>(sql`
    select kind, licenses::json as licenses, count(*) as places
    from (
      select dataset_kind as kind, record::json ->> 'licenses' as licenses
      from catalog_records
      where closed_at is null and not superseded and ${isShown}
    ) shown
    group by kind, licenses
  `);
  const counts = new Map<string, number>();
  for (const { kind, licenses, places } of rows) {
    const known = licensesOf({ sourceId: `${kind}:`, ...(licenses === null ? {} : { licenses }) });
    for (const license of known.length === 0 ? [""] : known) counts.set(license, (counts.get(license) ?? 0) + places);
  }
  return [...counts]
    .map(([license, places]) => ({ license, places }))
    .sort((one, other) => other.places - one.places || (one.license < other.license ? -1 : 1));
}

async function listCoverage(db: Queryable): Promise<CoveredArea[]> {
  type Row = Pick<CoveredArea, "name" | "countries" | "observedAt"> & { tiles: number[]; shift: number };
  const { rows } = await db.query<Row>(sql`
    select name, observed_at as "observedAt", coverage as tiles, coverage_shift as shift, coverage_countries as countries
    from catalog_data_sets
    where cardinality(coverage) > 0
    order by name
  `);
  return rows.map(({ name, observedAt, tiles, shift, countries }) => {
    let squareKilometers = 0;
    const box: CoveredArea["box"] = [90, 180, -90, -180];
    for (const tile of tiles) {
      const [south, west, north, east] = boxOfTile(tile, shift);
      const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
      squareKilometers += ((north - south) * (east - west) * shrink * degreeM * degreeM) / 1e6;
      box[0] = Math.min(box[0], south);
      box[1] = Math.min(box[1], west);
      box[2] = Math.max(box[2], north);
      box[3] = Math.max(box[3], east);
    }
    return { name, observedAt, countries, squareKilometers: Math.round(squareKilometers), box };
  });
}
