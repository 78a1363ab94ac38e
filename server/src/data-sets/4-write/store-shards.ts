import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { changeColumns } from "../next-generation/change-records.ts";
import { hasOutlines } from "../5-contain/contain.ts";
import { type DifferenceCounts, type Shard, shardsOf } from "./differences.ts";
import { createLocate, type Locate, type Placed } from "../5-contain/locate.ts";
import type { Settle } from "./set-hint-bits.ts";

export type Storing = {
  dataSetId: number;
  now: Date;
  counts: DifferenceCounts;
  /** Records that are added are numbered from the next one on, by their position. */
  numbersAfter: number;
  /** So many sessions store at once. */
  sessions: number;
  /** Of all sessions together. */
  settle: Settle;
};

/** So many shards are settled together. */
const shardsPerSettling = 8;

/** Stores what is listed as different, shard by shard. A shard that is committed stays; none begins once it should stop. */
export async function storeDifferences(db: BulkConnection, storing: Storing, stopping?: AbortSignal): Promise<void> {
  const { counts, now, sessions, settle } = storing;
  const locate = counts.added > 0 && (await hasOutlines(db)) ? createLocate(db, sessions) : undefined;
  let unsettled = 0;
  for (const shard of shardsOf(counts)) {
    if (stopping?.aborted) return;
    // Each statement looks up the few rows of its range; joined by hash it would read all records.
    await db.execute("begin; set local enable_hashjoin = off; set local enable_mergejoin = off");
    if (counts.changed > 0) await changeShard(db, shard);
    if (locate) await locateShard(db, shard, locate);
    if (counts.added > 0) await insertShard(db, shard, storing);
    if (counts.closed > 0) await closeShard(db, shard, now);
    unsettled += 1;
    if (counts.added === 0 || unsettled < shardsPerSettling) {
      await db.execute("commit");
      continue;
    }
    // Of a row whose commit is not on disk nothing can be noted.
    await db.execute("set local synchronous_commit = on; commit");
    await settle(db);
    unsettled = 0;
  }
}

/** Takes so many numbers; resolves to the one before them. Of those that an interruption leaves unused nobody hears again. */
export async function reserveNumbers(db: BulkConnection, count: number): Promise<number> {
  const { rows } = await db.query<{ last: number }>(sql`
    select last_value - (not is_called)::integer as last
    from catalog_record_numbers
  `);
  const last = rows[0]?.last ?? 0;
  if (count > 0) await db.query(sql`select setval('catalog_record_numbers', ${last + count})`);
  return last;
}

/** Notes what the shard says otherwise of records that searches read. */
async function changeShard(db: BulkConnection, { first, last }: Shard): Promise<void> {
  await db.query(sql`
    insert into catalog_record_changes (${changeColumns}, record)
    select r.number, r.data_set_id, r.source_id, r.dataset_kind, s.hash, s.cell, s.latitude, s.longitude,
      s.country_code, s.rank, s.name_words, s.other_words, s.categories, s.contacts, r.areas, r.place, r.superseded,
      null, s.shown, s.record
    from catalog_differences d
    join catalog_stage s on s.row_id = d.row_id
    join catalog_records r on r.number = d.number
    where d.position between ${first} and ${last}
  `);
}

/** Notes which areas the places to add lie in: added without, each of them would be written twice. */
async function locateShard(db: BulkConnection, { first, last }: Shard, locate: Locate): Promise<void> {
  const { rows: places } = await db.query<Placed & { position: number }>(sql`
    select d.position, s.cell, s.latitude, s.longitude, s.country_code
    from catalog_differences d
    join catalog_stage s on s.row_id = d.row_id
    where d.position between ${first} and ${last} and d.number is null
    order by d.position
  `);
  const locations = await locate(places);
  await db.query(sql`
    update catalog_differences d
    set areas = string_to_array(l.areas, E'\\n'), country_code = l.country_code
    from unnest(
      ${places.map(({ position }) => position)}::integer[],
      ${locations.map(({ ids }) => ids.join("\n"))}::text[],
      ${locations.map(({ country }) => country)}::text[]
    ) as l (position, areas, country_code)
    where d.position = l.position
  `);
}

/** In the order of the cells, so that neighbors, which are found together, lie together. */
async function insertShard(
  db: BulkConnection,
  { first, last }: Shard,
  { dataSetId, numbersAfter }: Storing,
): Promise<void> {
  await db.query(sql`
    insert into catalog_records (
      number, place, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank,
      name_words, other_words, categories, contacts, areas, shown, record
    )
    select ${numbersAfter} + d.position, ${numbersAfter} + d.position, ${dataSetId}, s.source_id,
      split_part(s.source_id, ':', 1), s.hash, s.cell, s.latitude, s.longitude,
      coalesce(d.country_code, s.country_code), s.rank, s.name_words, s.other_words, s.categories, s.contacts,
      coalesce(d.areas, '{}'), s.shown, s.record
    from catalog_differences d
    join catalog_stage s on s.row_id = d.row_id
    where d.position between ${first} and ${last} and d.number is null
    order by d.position
  `);
}

/** Closes records in the next generation. */
async function closeShard(db: BulkConnection, { first, last }: Shard, now: Date): Promise<void> {
  await db.query(sql`
    with closed as (
      insert into catalog_record_changes (${changeColumns})
      select r.number, r.data_set_id, r.source_id, r.dataset_kind, r.hash, r.cell, r.latitude, r.longitude,
        r.country_code, r.rank, r.name_words, r.other_words, r.categories, r.contacts, r.areas, r.place, r.superseded,
        ${now}::timestamptz, r.shown
      from catalog_differences d
      join catalog_records r on r.number = d.number
      where d.position between ${first} and ${last} and d.row_id is null
      returning source_id
    )
    insert into catalog_touched_ids (source_id)
    select source_id
    from closed
  `);
}
