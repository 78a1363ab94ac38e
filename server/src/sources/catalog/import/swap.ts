import type { BulkConnection } from "../../../platform/postgres/bulk.ts";
import { type Sql, sql } from "../../../platform/postgres/sql.ts";
import { changeColumns } from "./change-records.ts";
import { type Next, rowsPerTransaction } from "./next.ts";
import { changeAreas, removeAreas } from "./swap-areas.ts";

export type Swapped = { added: number; changed: number; closed: number; unchanged: number; areas: number };

/**
 * Keeps, for as long as the connection lasts, what the change touches, so that each later step looks only
 * there: the cells whose places change, the source ids that another data set may have too, and the
 * extents of changed areas, which are single points where an area has no shape.
 */
export async function createChangeTables(db: BulkConnection): Promise<void> {
  await db.execute(`
    create temporary table catalog_changed_cells (cell integer not null);
    create temporary table catalog_touched_ids (at integer generated always as identity, source_id text not null);
    create temporary table catalog_changed_extents (extent box not null, has_shape boolean not null);
  `);
}

/**
 * Refreshes the planner's statistics when more than a tenth of a table changed; of smaller changes the
 * server's autovacuum keeps count. Of records only what statements compare: the other columns took two
 * thirds of the time.
 */
export async function refreshStatistics(db: BulkConnection): Promise<void> {
  await db.execute(`
    do $$
    begin
      if (select count(*) from catalog_changed_cells) * 10
        > (select reltuples from pg_class where oid = 'catalog_records'::regclass) then
        analyze catalog_records (number, data_set_id, source_id, dataset_kind, cell, place, superseded, closed_at);
      end if;
      if (select count(*) from catalog_changed_extents) * 10
        > (select reltuples from pg_class where oid = 'catalog_areas'::regclass) then
        analyze catalog_areas;
      end if;
      analyze catalog_record_changes;
      analyze catalog_area_changes;
    end
    $$
  `);
}

/** Writes the data set as it is staged to the next generation, range by range; rows that say the same stay as they are. */
export async function stageNext(
  db: BulkConnection,
  { next, table, dataSetId, now }: { next: Next; table: string; dataSetId: number; now: Date },
): Promise<Swapped> {
  const { rows: known } = await db.query<{ hasRecords: boolean; hasOthers: boolean }>(sql`
    select exists (select from catalog_records where data_set_id = ${dataSetId}) as "hasRecords",
      exists (select from catalog_data_sets where id <> ${dataSetId}) as "hasOthers"
  `);
  const { hasRecords = false, hasOthers = false } = known[0] ?? {};
  const isPlace = sql`kind = 'place'`;
  const shards = await listShards(db, sql`catalog_stage`, isPlace);
  if (shards.length > 1) await db.execute(`create index on ${table} (cell)`);
  let changed = 0;
  for (const shard of shards) {
    await db.execute("begin");
    // Each statement looks up the few rows of its range; joined by hash it would read all records.
    await db.execute("set local enable_hashjoin = off; set local enable_mergejoin = off");
    if (hasRecords) changed += await changeShard(db, next, dataSetId, shard);
    await insertShard(db, dataSetId, shard, hasRecords);
    if (hasOthers) await touchShard(db, dataSetId, shard);
    await db.execute("commit");
  }
  const closed = hasRecords ? await closeMissing(db, { next, table, dataSetId, now }) : 0;
  await db.query(sql`
    insert into catalog_changed_cells (cell)
    select cell
    from catalog_records
    where number > ${next.lastNumber}
  `);
  const areas = await changeAreas(db, dataSetId);
  const { rows } = await db.query<{ staged: number; added: number }>(sql`
    select (select count(*) from catalog_stage where ${isPlace}) as staged,
      (select count(*) from catalog_records where number > ${next.lastNumber}) as added
  `);
  const { staged = 0, added = 0 } = rows[0] ?? {};
  return { added, changed, closed, unchanged: staged - added - changed, areas };
}

/** A range of cells with so many rows that they are one transaction. */
type Shard = { first: number; last: number };

async function listShards(db: BulkConnection, relation: Sql, condition: Sql): Promise<Shard[]> {
  const { rows } = await db.query<Shard>(sql`
    select min(cell) as first, max(cell) as last
    from (
      select cell, div(sum(count(*)) over (order by cell) - 1, ${rowsPerTransaction}) as shard
      from ${relation}
      where ${condition}
      group by cell
    ) cells
    group by shard
    order by shard
  `);
  return rows;
}

/** Notes what the shard says otherwise of records that searches read, and the cells where those were and will be. */
async function changeShard(db: BulkConnection, next: Next, dataSetId: number, { first, last }: Shard): Promise<number> {
  const { rows } = await db.query<{ changed: number }>(sql`
    with changed as (
      insert into catalog_record_changes (${changeColumns}, record)
      select r.number, r.data_set_id, r.source_id, r.dataset_kind, s.hash, s.cell, s.latitude, s.longitude,
        s.country_code, s.rank, s.name_words, s.other_words, s.categories, s.contacts, r.areas, r.place, r.superseded,
        null, s.record
      from catalog_stage s
      join catalog_records r on r.source_id = s.source_id and r.data_set_id = ${dataSetId}
      where s.kind = 'place'
        and s.cell between ${first} and ${last}
        and r.number <= ${next.lastNumber}
        and (r.hash <> s.hash or r.closed_at is not null)
      returning number, cell
    ),
    cells as (
      insert into catalog_changed_cells (cell)
      select cell
      from changed
      union all
      select r.cell
      from changed
      join catalog_records r using (number)
    )
    select count(*) as changed
    from changed
  `);
  return rows[0]?.changed ?? 0;
}

/** In the order of the cells, so that neighbors, which are found together, lie together. */
async function insertShard(
  db: BulkConnection,
  dataSetId: number,
  { first, last }: Shard,
  mayBeThere: boolean,
): Promise<void> {
  const isNew = mayBeThere
    ? sql`not exists (
        select
        from catalog_records r
        where r.data_set_id = ${dataSetId} and r.source_id = catalog_stage.source_id
      )`
    : sql`true`;
  await db.query(sql`
    insert into catalog_records (
      number, place, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank,
      name_words, other_words, categories, contacts, record
    )
    select n.number, n.number, ${dataSetId}, n.source_id, split_part(n.source_id, ':', 1), n.hash, n.cell,
      n.latitude, n.longitude, n.country_code, n.rank, n.name_words, n.other_words, n.categories, n.contacts,
      n.record
    from (
      select nextval('catalog_record_numbers') as number, s.source_id, s.hash, s.cell, s.latitude, s.longitude,
        s.country_code, s.rank, s.name_words, s.other_words, s.categories, s.contacts, s.record
      from (
        select source_id, hash, cell, latitude, longitude, country_code, rank, name_words, other_words,
          categories, contacts, record
        from catalog_stage
        where kind = 'place' and cell between ${first} and ${last} and ${isNew}
        order by cell, source_id
      ) s
    ) n
  `);
}

/** Even an unchanged record now comes from the data set imported last. */
async function touchShard(db: BulkConnection, dataSetId: number, { first, last }: Shard): Promise<void> {
  await db.query(sql`
    insert into catalog_touched_ids (source_id)
    select s.source_id
    from catalog_stage s
    where s.kind = 'place'
      and s.cell between ${first} and ${last}
      and exists (
        select
        from catalog_records r
        where r.source_id = s.source_id and r.data_set_id <> ${dataSetId}
      )
  `);
}

async function closeMissing(
  db: BulkConnection,
  { next, table, dataSetId, now }: { next: Next; table: string; dataSetId: number; now: Date },
): Promise<number> {
  await db.execute(`create index on ${table} (source_id)`);
  const isMissing = sql`not exists (
    select
    from catalog_stage s
    where s.kind = 'place' and s.source_id = catalog_records.source_id
  )`;
  return closeRecords(db, { next, dataSetId, now, isMissing });
}

/** Closes records of the data set in the next generation. */
async function closeRecords(
  db: BulkConnection,
  { next, dataSetId, now, isMissing }: { next: Next; dataSetId: number; now: Date; isMissing: Sql },
): Promise<number> {
  const isOpen = sql`data_set_id = ${dataSetId} and closed_at is null and number <= ${next.lastNumber}`;
  let closed = 0;
  for (const { first, last } of await listShards(db, sql`catalog_records`, isOpen)) {
    const { rows } = await db.query<{ closed: number }>(sql`
      with closed as (
        insert into catalog_record_changes (${changeColumns})
        select number, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank,
          name_words, other_words, categories, contacts, areas, place, superseded, ${now}::timestamptz
        from catalog_records
        where ${isOpen} and cell between ${first} and ${last} and ${isMissing}
        returning cell, source_id
      ),
      touched as (
        insert into catalog_touched_ids (source_id)
        select source_id
        from closed
      ),
      cells as (
        insert into catalog_changed_cells (cell)
        select cell
        from closed
      )
      select count(*) as closed
      from closed
    `);
    closed += rows[0]?.closed ?? 0;
  }
  return closed;
}

/** Leaves a data set out of the next generation. */
export async function leaveOut(db: BulkConnection, next: Next, dataSetId: number, now: Date): Promise<void> {
  await removeAreas(db, dataSetId);
  await closeRecords(db, { next, dataSetId, now, isMissing: sql`true` });
}
