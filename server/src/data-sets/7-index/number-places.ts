import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { rangesOfTiles, tilesTouching } from "../../geography/cells.ts";
import { type Next, rowsPerTransaction } from "../next-generation/generation.ts";
import { fillShown } from "./fill-shown.ts";
import { createPlaceTables, derivedId, namesOfAreas, shownOfRecord } from "./next-places.ts";

/** How many numbers a cell has; a further place gets one of the next cell. */
export const sequenceBits = 20;

/**
 * Lists the places of the next generation whose records are other than before, gives each the number and the business
 * of the place that has been there under its key, and new numbers to the others.
 */
export async function numberPlaces(db: BulkConnection, next: Next, bits = sequenceBits): Promise<void> {
  await createPlaceTables(db);
  const records = next.lastNumber === 0 ? sql`catalog_records` : sql`catalog_next_records`;
  const tables = { records, areas: sql`catalog_next_areas`, addedAfter: next.lastNumber };
  if (await isEmpty(db)) await addFirstPlaces(db, tables, bits);
  else {
    await listTouched(db, next);
    await fillShown(db);
    await forEachTouched(db, async (leads) => {
      await listBefore(db, leads);
      await addPlaces(db, tables, sql`place = any(${leads})`);
    });
  }
  await followPlaces(db);
  await giveNumbers(db, bits);
}

/** The places of a catalog that an older program has stored. Nobody knows yet what clients can read of them. */
export async function numberStoredPlaces(db: BulkConnection): Promise<void> {
  await createPlaceTables(db);
  const records = sql`
    (
      select *
      from catalog_records
      where number <= (select last_number from catalog_state)
        and data_set_id in (select id from catalog_data_sets where not is_pending)
    )
  `;
  await addFirstPlaces(db, { records, areas: sql`catalog_areas`, addedAfter: 0 }, sequenceBits);
  await followPlaces(db);
  await giveNumbers(db, sequenceBits);
}

/** Whether no place has ever had a number. */
async function isEmpty(db: BulkConnection): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    (select from catalog_places limit 1)
    union all
    (select from catalog_left_places limit 1)
  `);
  return rowCount === 0;
}

/** The places that records leave, stay in with other contents, or come to, and those in areas that are named otherwise. */
async function listTouched(db: BulkConnection, { lastNumber }: Next): Promise<void> {
  await db.query(sql`
    insert into catalog_touched_places (lead)
    select place
    from catalog_record_changes
    union
    select r.place
    from catalog_record_changes c
    join catalog_records r on r.number = c.number
    union
    select place
    from catalog_records
    where number > ${lastNumber}
    union
    select place
    from (${await listInRenamedAreas(db)}) renamed
  `);
  await db.execute("create index on catalog_touched_places (at); analyze catalog_touched_places");
}

/** A tile is 64 by 64 cells. */
const tileShift = 12;

async function listInRenamedAreas(db: BulkConnection): Promise<Sql> {
  type Renamed = { id: string; south: number; west: number; north: number; east: number };
  const { rows } = await db.query<Renamed>(sql`
    select c.source_id as id, (c.extent[1])[1] as south, (c.extent[1])[0] as west, (c.extent[0])[1] as north,
      (c.extent[0])[0] as east
    from catalog_area_changes c
    join catalog_areas a on a.data_set_id = c.data_set_id and a.source_id = c.source_id
    where c.extent is not null
      and not c.is_gone
      and (c.name, c.kind, c.level) is distinct from (a.name, a.kind, a.level)
  `);
  const tiles = rows.flatMap(({ south, west, north, east }) => [
    ...tilesTouching([south, west, north, east], tileShift),
  ]);
  const ranges = rangesOfTiles(new Set(tiles), tileShift);
  return sql`
    select r.place
    from unnest(
      ${ranges.map(([first]) => first)}::integer[],
      ${ranges.map(([, last]) => last)}::integer[]
    ) as t (first_cell, last_cell)
    cross join lateral (
      select place
      from catalog_records
      where cell between t.first_cell and t.last_cell
        and closed_at is null
        and not superseded
        and areas && ${rows.map(({ id }) => id)}::text[]
    ) r
  `;
}

/** As many places at once as one transaction writes records of. */
async function forEachTouched(db: BulkConnection, run: (leads: Sql) => Promise<void>): Promise<void> {
  const { rows } = await db.query<{ last: number }>(sql`
    select coalesce(max(at), 0) as last
    from catalog_touched_places
  `);
  for (let at = 0; at < (rows[0]?.last ?? 0); at += rowsPerTransaction) {
    const some = sql`
      select lead
      from catalog_touched_places
      where at > ${at} and at <= ${at + rowsPerTransaction}
    `;
    await run(sql`array(${some})`);
  }
}

/** What these places are in the generation that searches read. */
async function listBefore(db: BulkConnection, leads: Sql): Promise<void> {
  const isOpen = sql`closed_at is null and not superseded and number <= (select last_number from catalog_state)`;
  await db.query(sql`
    with members as materialized (
      select r.place as lead, r.number, r.source_id, r.cell, r.shown, r.country_code, r.areas
      from catalog_records r
      where r.place = any(${leads}) and ${isOpen}
    ),
    -- Of places that an older program has stored.
    unknown as (
      select r.lead, string_agg(${shownOfRecord}, E'\\n' order by r.number <> r.lead, r.source_id) as shown
      from members r
      left join lateral (
        select ${namesOfAreas(sql`catalog_areas`)} as names
        from (select r.areas where cardinality(r.areas) > 0) areas_listed
      ) l on true
      where r.lead = any(array(select lead from catalog_places where lead = any(${leads}) and shown is null))
      group by r.lead
    ),
    listed as (
      insert into catalog_places_before (place, lead, revision, shown, cell)
      select p.place, p.lead, p.revision, coalesce(p.shown, md5(unknown.shown)::uuid), r.cell
      from catalog_places p
      join catalog_records r on r.number = p.lead
      left join unknown on unknown.lead = p.lead
      where p.lead = any(${leads})
      returning place, lead
    )
    insert into catalog_members_before (place, source_id, is_lead)
    select p.place, m.source_id, m.number = m.lead
    from listed p
    join members m on m.lead = p.lead
  `);
}

/** Records with higher numbers than `addedAfter` are new, and get an id at once. */
type Tables = { records: Sql; areas: Sql; addedAfter: number };

/** Puts the records of each place together. One that is led by a record that is not shown has its first as key. */
async function addPlaces(db: BulkConnection, { records, areas, addedAfter }: Tables, which: Sql): Promise<void> {
  await db.query(sql`
    with r as materialized (
      select place as lead, number, source_id, cell, shown, country_code, areas
      from ${records} as known
      where ${which} and closed_at is null and not superseded
    )
    insert into catalog_next_places (lead, source_id, cell, shown, business_id, others)
    select lead, source_id, cell, shown, case when lead > ${addedAfter} then ${derivedId(sql`source_id`)} end, others
    from (
      select lead, (array_agg(source_id order by number <> lead, number))[1] as source_id,
        (array_agg(cell order by number <> lead, number))[1] as cell,
        md5(string_agg(${shownOfRecord}, E'\\n' order by number <> lead, source_id))::uuid as shown,
        case when count(*) > 1 then (array_agg(source_id order by number <> lead, number))[2:] end as others
      from r
      left join (
        select areas_listed.areas, ${namesOfAreas(areas)} as names
        from (select distinct areas from r where cardinality(areas) > 0) areas_listed
      ) l using (areas)
      group by lead
    ) places
  `);
}

/** The same for a catalog without places. Where no two records are one place, each is numbered as it is read. */
async function addFirstPlaces(db: BulkConnection, tables: Tables, bits: number): Promise<void> {
  const { records, areas } = tables;
  const { rows } = await db.query<{ hasOthers: boolean; hasOutlines: boolean }>(sql`
    select exists (
      select
      from ${records} as known
      where number <> place and closed_at is null and not superseded
    ) as "hasOthers", exists (select from ${areas} as area where extent is not null) as "hasOutlines"
  `);
  if (rows[0]?.hasOthers !== false) {
    await addPlaces(db, tables, sql`true`);
    return;
  }
  const listed = sql`(select distinct areas from ${records} as known where cardinality(areas) > 0)`;
  const names = rows[0].hasOutlines
    ? sql`(select areas_listed.areas, ${namesOfAreas(areas)} as names from ${listed} areas_listed)`
    : sql`(select null::text[] as areas, null::text as names where false)`;
  await db.query(sql`
    insert into catalog_next_places (lead, source_id, cell, shown, place, business_id)
    select number, source_id, cell, md5(${shownOfRecord})::uuid,
      case when position < 1 << ${bits}::integer then (cell::bigint << ${bits}::integer) + position end,
      ${derivedId(sql`source_id`)}
    from (
      select number, source_id, cell, shown, country_code, areas,
        row_number() over (partition by cell order by number) - 1 as position
      from ${records} as known
      where closed_at is null and not superseded
    ) r
    left join ${names} l on l.areas = r.areas
  `);
}

/** A place follows the one that had its key. The first that had it is followed; it takes over the number and the id. */
async function followPlaces(db: BulkConnection): Promise<void> {
  await db.execute(`
    create index on catalog_next_places (lead);
    analyze catalog_next_places, catalog_places_before, catalog_members_before
  `);
  await db.query(sql`
    update catalog_places_before b
    set successor = s.lead
    from (
      select distinct on (m.place) m.place, n.lead
      from catalog_members_before m
      join catalog_members n on n.source_id = m.source_id
      order by m.place, m.is_lead desc, n.is_lead desc, n.lead
    ) s
    where s.place = b.place
  `);
  await db.query(sql`
    update catalog_next_places n
    set place = case when b.cell = n.cell then b.place end, place_before = b.place, business_id = p.business_id,
      revision = b.revision + (b.shown is distinct from n.shown)::integer
    from (
      select distinct on (successor) successor, place, cell, revision, shown
      from catalog_places_before
      where successor is not null
      order by successor, lead <> successor, place
    ) b
    join catalog_places p on p.place = b.place
    where b.successor = n.lead
  `);
  await db.query(sql`
    update catalog_next_places n
    set split_from = whole.place
    from (
      select distinct on (part.lead) part.lead, m.place
      from catalog_members part
      join catalog_members_before m on m.source_id = part.source_id
      order by part.lead, part.is_lead desc, m.place
    ) whole
    where whole.lead = n.lead and n.place_before is null
  `);
}

/**
 * Numbers go on after the highest that its cell has ever had. Those of a full cell go on in the next one, which is
 * mostly beside it.
 */
async function giveNumbers(db: BulkConnection, bits: number): Promise<void> {
  for (let further = 0; ; further += 1) {
    const { rowCount: left } = await db.query(sql`select from catalog_next_places where place is null limit 1`);
    if (left === 0) return;
    if (further === 0) await db.execute("create index on catalog_next_places (place)");
    await db.query(sql`
      with wanted as (
        select lead, cell + ${further}::integer as cell, row_number() over (partition by cell order by lead) as position
        from catalog_next_places
        where place is null
      ),
      cells as (
        select cell, (cell::bigint << ${bits}::integer) as first, ((cell::bigint + 1) << ${bits}::integer) as after
        from (select distinct cell from wanted) listed
      ),
      used as (
        select cell, after, greatest(
          first - 1,
          (select last from catalog_left_places left_places where left_places.cell = cells.cell),
          (select max(place) from catalog_places where place >= first and place < after),
          (select max(place) from catalog_next_places where place >= first and place < after)
        ) as last
        from cells
      )
      update catalog_next_places n
      set place = used.last + wanted.position, business_id = coalesce(n.business_id, ${derivedId(sql`n.source_id`)})
      from wanted
      join used on used.cell = wanted.cell
      where n.lead = wanted.lead and used.last + wanted.position < used.after
    `);
  }
}
