import type { Queryable } from "../../platform/postgres/database.ts";
import { sql, type Sql } from "../../platform/postgres/sql.ts";
import type { AreaRow, PlaceRow, RecordRow } from "../rows.ts";

const areasAtOnce = 5_000;

/** The catalog at one moment. */
export type CatalogState = {
  installation: string;
  generation: number;
  generationId: string;
  /** When it got this generation. */
  since: Date;
  hasPlaces: boolean;
};

/** Undefined while the catalog has no generation that can be followed. */
export async function readCatalogState(db: Queryable): Promise<CatalogState | undefined> {
  const { rows } = await db.query<CatalogState>(sql`
    select installation.value as installation, s.generation, g.id as "generationId", g.created_at as since,
      exists (select from catalog_places) as "hasPlaces"
    from catalog_state s
    join catalog_generations g on g.generation = s.generation
    cross join installation
    where installation.name = 'identity'
  `);
  return rows[0];
}

/** Which installation the database is of. A restored backup is another. */
export async function readInstallation(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ value: string }>(sql`select value from installation where name = 'identity'`);
  if (!rows[0]) throw new Error("the installation has no identity");
  return rows[0].value;
}

/** How many places there are, and how many of them come up to this one. */
export async function countPlaces(db: Queryable, upTo: number | null = null): Promise<{ all: number; upTo: number }> {
  const { rows } = await db.query<{ all: number; upTo: number }>(sql`
    select count(*) as all, count(*) filter (where place <= ${upTo}) as "upTo"
    from catalog_places
  `);
  return rows[0] ?? { all: 0, upTo: 0 };
}

type Known = { generation: number; generationId: string };

/** Whether the catalog once had this generation, as far as it remembers. */
export async function isGenerationKnown(db: Queryable, { generation, generationId }: Known): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select
    from catalog_generations
    where generation = ${generation} and id = ${generationId}
  `);
  return rowCount > 0;
}

/** The places that are not the same in two generations, in the order of their numbers; undefined where nobody knows. */
export async function readChangedPlaces(db: Queryable, from: Known, to: Known): Promise<readonly number[] | undefined> {
  if (!(await isGenerationKnown(db, from))) return undefined;
  const between = sql`generation > ${from.generation} and generation <= ${to.generation}`;
  const { rows: counts } = await db.query<{ known: number }>(sql`
    select count(places) as known
    from catalog_generations
    where ${between}
  `);
  if (counts[0]?.known !== to.generation - from.generation) return undefined;
  const { rows } = await db.query<{ place: number }>(sql`
    select distinct unnest(places) as place
    from catalog_generations
    where ${between}
    order by place
  `);
  return rows.map(({ place }) => place);
}

/** The next places in the order of their numbers; those without a record that is shown have none. */
export function readPlacesAfter(db: Queryable, after: number | null, limit: number): Promise<PlaceRow[]> {
  return readPlaces(
    db,
    sql`
      select place, lead, business_id, revision
      from catalog_places
      where place > ${after ?? -1}
      order by place
      limit ${limit}
    `,
  );
}

/** Those of these places that the catalog has. */
export async function readPlacesOf(db: Queryable, places: readonly number[]): Promise<PlaceRow[]> {
  const known = await readPlaces(
    db,
    sql`
      select place, lead, business_id, revision
      from catalog_places
      where place = any(${places}::bigint[])
    `,
  );
  return known.filter(({ records }) => records.length > 0);
}

type JoinedRow = Pick<PlaceRow, "place" | "businessId" | "revision"> & (RecordRow | { number: null });

/** One statement, which sees one generation. */
async function readPlaces(db: Queryable, chosen: Sql): Promise<PlaceRow[]> {
  const { rows } = await db.query<JoinedRow>(sql`
    select p.place, p.business_id as "businessId", p.revision, r.number, r.data_set_id as "dataSetId",
      r.country_code as "countryCode", r.areas, r.rank, r.latitude, r.longitude, r.name_words as "nameWords",
      r.other_words as "otherWords", r.categories, r.record as text
    from (${chosen}) p
    left join catalog_records r on r.place = p.lead
      and r.closed_at is null
      and not r.superseded
      -- Records of the next generation may be led by a place of this one already.
      and r.number <= (select last_number from catalog_state)
    order by p.place, r.number <> p.lead, r.number
  `);
  const places: (PlaceRow & { records: RecordRow[] })[] = [];
  for (const { place, businessId, revision, ...record } of rows) {
    let last = places.at(-1);
    if (last?.place !== place) places.push((last = { place, businessId, revision, records: [] }));
    if (record.number !== null) last.records.push(record);
  }
  return places;
}

/** Areas and landmarks, some at a time: a country has hundreds of thousands. */
export async function* readAreas(db: Queryable): AsyncGenerator<AreaRow[], void, undefined> {
  let last: Pick<AreaRow, "dataSetId" | "sourceId"> = { dataSetId: -1, sourceId: "" };
  for (;;) {
    const { rows } = await db.query<AreaRow>(sql`
      select source_id as "sourceId", data_set_id as "dataSetId", name, names, kind, latitude, longitude, box, population,
        country_code as "countryCode", level
      from catalog_areas
      where (data_set_id, source_id) > (${last.dataSetId}, ${last.sourceId})
      order by data_set_id, source_id
      limit ${areasAtOnce}
    `);
    if (rows.length > 0) yield rows;
    if (rows.length < areasAtOnce) return;
    last = rows.at(-1) ?? last;
  }
}

/** Another text whenever an area is other than before. */
export async function readAreasDigest(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ digest: string }>(sql`
    select concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', data_set_id, source_id, hash), 0))) as digest
    from catalog_areas
  `);
  return rows[0]?.digest ?? "";
}
