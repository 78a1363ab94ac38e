import { test } from "node:test";
import { until } from "../../../test/database-door.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { givenCatalog } from "../../sources/catalog/testing.ts";
import { createSettle } from "./set-hint-bits.ts";

// Not at every time: the server marks no row while transactions that others commit at the same moment are not on disk.
test("after records are settled, reading them changes no page", async (t) => {
  const [settled, other] = [await givenCatalog(t), await givenCatalog(t)];
  const settle = await createSettle(settled.db);

  await until(async () => {
    await addRecords(other.db);
    return (await countChangedByReading(other.db)) > 10;
  });

  await until(async () => {
    await addRecords(settled.db);
    await settle(settled.db);
    return (await countChangedByReading(settled.db)) === 0;
  });
});

test("each time only what was added since is read", async (t) => {
  const { db } = await givenCatalog(t);

  await until(async () => {
    await addRecords(db);
    const settle = await createSettle(db);
    await settle(db);
    return (await countChangedByReading(db)) > 10; // what was there before is left alone
  });
});

const recordsAdded = 300;

/** Adds records whose commit has been flushed, and which the server itself does not read meanwhile to analyze them. */
async function addRecords(db: Database): Promise<void> {
  await db.query(sql`alter table catalog_records set (autovacuum_enabled = false)`);
  await db.query(sql`
    insert into catalog_records (
      number, place, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank,
      name_words, other_words, categories, contacts, record
    )
    select number, number, 1, 'osm:n' || number, 'osm', gen_random_uuid(), 1, 47, 9, 'LI', 1, 'cafe', '', '{}', '{}',
      repeat('x', 1000)
    from generate_series(
      (select count(*) from catalog_records) + 1,
      (select count(*) from catalog_records) + ${recordsAdded}::integer
    ) as number
  `);
  await db.query(sql`checkpoint`);
}

/** How many pages a reader marks, once all that were written before are on disk. */
async function countChangedByReading(db: Database): Promise<number> {
  await db.query(sql`checkpoint`);
  const { rows } = await db.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(sql`
    explain (analyze, buffers, format json)
    select count(*)
    from catalog_records
  `);
  return rows[0]?.["QUERY PLAN"][0]?.Plan["Shared Dirtied Blocks"] ?? -1;
}
