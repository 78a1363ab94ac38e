import { asBinary, takeIntegers } from "../../../platform/postgres/binary-rows.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import type { CatalogBusiness } from "../../../places/place.ts";
import type { PlaceRecord } from "../../../places/record.ts";
import type { KnownArea } from "../../../gazetteer/known-area.ts";
import { isCurrent, isShown } from "../../../data-sets/current.ts";
import type { DataSetCoverage } from "./coverage.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { type Shape, unpackShape } from "../../../geography/shape.ts";

export type StoredBlock = {
  firstCell: number;
  lastCell: number;
  version: number;
  places: number;
  countries: readonly string[];
  bounds: readonly number[];
};

export type StoredGroup = { firstCell: number; version: number; blocks: readonly number[] };

type BlockRow = [firstCell: number, lastCell: number, version: number, places: number, string[], bounds: number[]];
type GroupRow = [firstCell: number, version: number, blocks: number[]];

/** The generation, its blocks and their dictionaries, from one statement, so that they belong together. */
export async function readDirectory(db: Queryable): Promise<Directory> {
  // As JSON, which is read at one go: rows with arrays in them take ten times as long.
  const { rows } = await db.query<{ generation: number; blocks: BlockRow[] | null; groups: GroupRow[] | null }>(sql`
    select generation,
      (
        select json_agg(
          json_build_array(first_cell, last_cell, version, places, countries, bounds) order by first_cell
        )
        from catalog_blocks
        where ${isCurrent}
      ) as blocks,
      (
        select json_agg(json_build_array(first_cell, version, blocks))
        from catalog_word_groups
        where ${isCurrent}
      ) as groups
    from catalog_state
  `);
  const { generation = 0, blocks, groups } = rows[0] ?? {};
  return createDirectory(
    generation,
    (blocks ?? []).map(([firstCell, lastCell, version, places, countries, bounds]) => ({
      firstCell,
      lastCell,
      version,
      places,
      countries,
      bounds,
    })),
    (groups ?? []).map(([firstCell, version, members]) => ({ firstCell, version, blocks: members })),
  );
}

export async function readGeneration(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ generation: number }>(sql`select generation from catalog_state`);
  return rows[0]?.generation ?? 0;
}

/** The places that changed from one generation to another; undefined when that is not known. */
export async function readChangedPlaces(db: Queryable, from: number, to: number): Promise<Set<number> | undefined> {
  const { rows } = await db.query<{ places: number[] | null }>(sql`
    select to_json(places) as places
    from catalog_changed_places
    where generation > ${from} and generation <= ${to}
  `);
  if (rows.length !== to - from || rows.some(({ places }) => places === null)) return undefined;
  return new Set(rows.flatMap(({ places }) => places ?? []));
}

export async function hasBlocks(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(sql`
    select exists (select from catalog_blocks where ${isCurrent}) as found
  `);
  return rows[0]?.found ?? false;
}

export async function readBlocks(db: Queryable, wanted: readonly Pick<StoredBlock, "firstCell" | "version">[]) {
  const statement = sql`
    select first_cell, version, bytes
    from catalog_blocks
    where first_cell = any(${wanted.map(({ firstCell }) => firstCell)}::integer[])
      and version = any(${wanted.map(({ version }) => version)}::bigint[])
  `;
  const { rows } = await db.query<{ first_cell: number; version: number; bytes: Uint8Array }>(
    asBinary(statement, { first_cell: "integer", version: "bigint", bytes: "bytea" }),
  );
  return rows.map(({ first_cell: firstCell, version, bytes }) => ({ firstCell, version, bytes }));
}

/** The groups that are still there, each with those of the buckets that it has. */
export async function readPostings(
  db: Queryable,
  buckets: readonly number[],
  groups: readonly Pick<StoredGroup, "firstCell" | "version">[],
) {
  const statement = sql`
    select g.first_cell, g.version, p.bucket, p.bytes
    from catalog_word_groups g
    left join catalog_word_postings p
      on p.group_cell = g.first_cell
      and p.version = g.version
      and p.bucket = any(${buckets}::smallint[])
    where g.first_cell = any(${groups.map(({ firstCell }) => firstCell)}::integer[])
      and g.version = any(${groups.map(({ version }) => version)}::bigint[])
  `;
  const { rows } = await db.query<{
    groupCell: number;
    version: number;
    bucket: number | null;
    bytes: Uint8Array | null;
  }>(asBinary(statement, { groupCell: "integer", version: "bigint", bucket: "smallint", bytes: "bytea" }));
  return rows;
}

/** The words of one length that came after a generation, one after the other, and the generation they were read in. */
export async function readWords(
  db: Queryable,
  { length, after, wordsMax }: { length: number; after: number; wordsMax: number },
): Promise<{ words: string; generation: number }> {
  const { rows } = await db.query<{ words: string | null; generation: number }>(sql`
    select string_agg(word, '') as words, (select generation from catalog_state) as generation
    from (
      select word
      from catalog_words
      where length = ${length}
        and version > ${after}
        and version <= (select generation from catalog_state)
      limit ${wordsMax}
    ) newer
  `);
  return { words: rows[0]?.words ?? "", generation: rows[0]?.generation ?? 0 };
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
    select id, imported_at, to_json(coverage) as coverage, coverage_shift, coverage_countries
    from catalog_data_sets
    where not is_pending
  `);
  return rows.map(({ id, imported_at: importedAt, coverage: tiles, coverage_shift: shift, ...row }) => ({
    id,
    importedAt,
    coverage: tiles === null || shift === null ? null : { tiles, shift, countries: row.coverage_countries ?? [] },
  }));
}

export type FoundRecord = {
  place: number;
  isLead: boolean;
  dataSetId: number;
  countryCode: string;
  /** The source ids of the areas it lies in, the widest first. */
  areas: readonly string[];
  record: PlaceRecord;
  /** Undefined of a catalog that an older program stored, until its places are listed. */
  business: CatalogBusiness | undefined;
};

/**
 * The records of these places, and the generation they were read in: a search that chose the places
 * by another generation must choose again.
 */
export async function readPlaces(db: Queryable, places: readonly number[]) {
  // One text of all records, read at one go, and one array for each of their other columns: as rows and columns they
  // cost the driver twice as much, and JSON of each row costs PostgreSQL a third more.
  const { rows } = await db.query<{ generation: number; columns: Columns; records: string | null }>(sql`
    select (select generation from catalog_state) as generation,
      json_build_array(
        array_agg(place), array_agg(number), array_agg(data_set_id), array_agg(country_code),
        array_agg(array_to_string(areas, E'\\n')), array_agg(business_id), array_agg(revision)
      ) as columns,
      string_agg(record, ',') as records
    from catalog_records
    left join (
      select lead, business_id, revision
      from catalog_places
    ) known on known.lead = catalog_records.place
    where place = any(${places}::integer[]) and closed_at is null and not superseded and ${isShown}
  `);
  const { generation = 0, columns = [[], [], [], [], [], [], []], records } = rows[0] ?? {};
  const parsed = JSON.parse(`[${records ?? ""}]`) as PlaceRecord[];
  return { generation, records: parsed.map((record, row) => foundOf(columns, row, record)) };
}

/** What a record is beside its text; neighbors mostly share one. */
export type RecordState = Pick<FoundRecord, "dataSetId" | "countryCode" | "areas">;

/** The records of a range of places in the order of these, the leading one of a place first. */
export type RecordRange = {
  generation: number;
  places: Int32Array;
  states: RecordState[];
  /**
   * A line each: the id and revision of the business with a space after each, and JSON, which has no line breaks as an
   * import writes it.
   */
  lines: Uint8Array;
};

/** Each column comes as one value, which costs the server a third of what it takes to make a text of each row. */
export async function readRange(db: Queryable, first: number, last: number): Promise<RecordRange> {
  const statement = sql`
    select (select generation from catalog_state)::bigint, string_agg(int4send(place), ''::bytea),
      string_agg(int4send(data_set_id), ''::bytea),
      convert_to(string_agg(replace(country_code, chr(10), ' '), chr(10)), 'UTF8'),
      convert_to(string_agg(array_to_string(areas, chr(10)), chr(10) || chr(10)), 'UTF8'),
      convert_to(string_agg(concat(business_id || ' ' || revision || ' ', record), chr(10)) || chr(10), 'UTF8')
    from (
      select place, data_set_id, country_code, areas, record, business_id, revision
      from catalog_records
      left join (
        select lead, business_id, revision
        from catalog_places
      ) known on known.lead = catalog_records.place
      where place between ${first}::integer and ${last}::integer
        and closed_at is null and not superseded and ${isShown}
      order by place, number <> place
    ) ordered
  `;
  const { rows } = await db.query<
    { generation: number } & Record<keyof typeof rangeColumns, Uint8Array<ArrayBuffer> | null>
  >(asBinary(statement, { generation: "bigint", ...rangeColumns }));
  const { generation = 0, places, dataSetIds, countryCodes, areas, lines } = rows[0] ?? {};
  if (!lines) return { generation, places: new Int32Array(), states: [], lines: new Uint8Array() };
  return {
    generation,
    places: takeIntegers(places),
    states: statesOf(takeIntegers(dataSetIds), countryCodes, areas),
    lines,
  };
}

const rangeColumns = {
  places: "bytea",
  dataSetIds: "bytea",
  countryCodes: "bytea",
  areas: "bytea",
  lines: "bytea",
} as const;

type Sent = Uint8Array | null | undefined;

/** One for all rows that are the same. */
function statesOf(dataSetIds: Int32Array, countryCodes: Sent, areas: Sent): RecordState[] {
  const countries = Buffer.from(countryCodes ?? [])
    .toString()
    .split("\n");
  const areaLists = Buffer.from(areas ?? [])
    .toString()
    .split("\n\n");
  const known = new Map<string, RecordState>();
  return Array.from(dataSetIds, (dataSetId, row) => {
    const [countryCode = "", list = ""] = [countries[row], areaLists[row]];
    const key = `${dataSetId} ${countryCode} ${list}`;
    let state = known.get(key);
    if (!state) known.set(key, (state = { dataSetId, countryCode, areas: list === "" ? noAreas : list.split("\n") }));
    return state;
  });
}

/** The same rows in each; area ids are lines of a text, as an import writes them. */
type Columns = [
  place: number[],
  number: number[],
  dataSetId: number[],
  countryCode: string[],
  areas: string[],
  businessId: (string | null)[],
  revision: number[],
];

function foundOf(
  [places, numbers, dataSetIds, countryCodes, areas, businessIds, revisions]: Columns,
  row: number,
  record: PlaceRecord,
): FoundRecord {
  const place = places[row] ?? 0;
  const areaIds = areas[row] ? areas[row].split("\n") : noAreas;
  const isLead = numbers[row] === place;
  return {
    place,
    isLead,
    dataSetId: dataSetIds[row] ?? 0,
    countryCode: countryCodes[row] ?? "",
    areas: areaIds,
    record,
    business: businessOf(businessIds[row], revisions[row]),
  };
}

export function businessOf(id: string | null | undefined, revision: number | undefined): CatalogBusiness | undefined {
  return id && revision !== undefined ? { id, revision } : undefined;
}

const noAreas: readonly string[] = [];

/** The areas of every data set, the largest first. */
export async function readAreas(db: Queryable, areasMax: number): Promise<KnownArea[]> {
  const { rows } = await db.query<KnownArea>(sql`
    select source_id as "sourceId", name, names, kind, latitude, longitude, box, population,
      country_code as "countryCode", level, case when shape is not null then hash::text end as "shapeKey"
    from catalog_areas
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
  `);
  return rows[0]?.version ?? "";
}

/** Undefined when an import has replaced it. */
export async function readShape(db: Queryable, key: string): Promise<Shape | undefined> {
  const { rows } = await db.query<{ shape: string }>(sql`
    select shape
    from catalog_areas
    where hash = ${key}::uuid and shape is not null
    limit 1
  `);
  return rows[0] && unpackShape(rows[0].shape);
}
