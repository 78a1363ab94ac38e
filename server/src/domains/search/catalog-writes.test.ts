import assert from "node:assert/strict";
import { test } from "node:test";
import { fileDatabase, startApi } from "../../../test/harness.ts";
import { importItems } from "../../data-sets/import.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase, type Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { givenPlaceIndex } from "../../../test/place-index.ts";
import { createCatalog } from "../../sources/catalog/catalog.ts";
import { place, yielded } from "../../sources/catalog/testing.ts";

const kinds = ["cafe", "bar", "bakery", "museum", "hotel"];

test("500 searches of the catalog write their charge, and nothing else", async (t) => {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 5, log: silentLog });
  t.after(() => db.end());
  const items = Array.from({ length: 300 }, (_, index) =>
    place({
      sourceId: `osm:n${index}`,
      name: `${kinds[index % 5]} ${index}`,
      latitude: 47.1 + index / 10_000,
      details: index % 3 === 0 ? { unreadable: ["phones"] } : {},
    }),
  );
  const { signal } = new AbortController();
  await importItems({ name: "test", origin: "" }, yielded(items), { connection, clock: systemClock, signal });
  const api = await startApi(t, {
    sources: { catalog: createCatalog({ db, index: await givenPlaceIndex(t, db) }) },
    allowance: 1_000,
  });
  const { text: key } = await api.givenKey({ environment: "live" });
  const before = await lastTransaction(db);

  const ids = new Set<string>();
  for (let index = 0; index < 500; index += 1) {
    const { status, body } = await api.searchAs(key, {
      q: `${kinds[index % 5]} ${index % 300}`,
      hl: index % 2 ? "de" : "en",
    });
    assert.equal(status, 200);
    for (const { businessId, revision } of body.data.businesses) {
      assert.equal(revision, 1);
      ids.add(businessId);
    }
  }

  assert.ok(ids.size > 250);
  const { rows } = await db.query<{ listed: number }>(sql`
    select count(*) as listed
    from catalog_places
    where business_id = any(${[...ids]}::uuid[])
  `);
  assert.equal(rows[0]?.listed, ids.size);
  // A key also notes now and then when it was last used.
  const { api_keys: _, ...written } = await rowsSince(db, before);
  assert.deepEqual(written, { ledger_entries: 500, usage_months: 1 });
});

async function lastTransaction(db: Database): Promise<number> {
  const { rows } = await db.query<{ id: number }>(sql`select pg_current_xact_id()::text::bigint as id`);
  return rows[0]?.id ?? 0;
}

/** How many rows of each table were inserted or updated after a transaction, where there are any. */
async function rowsSince(db: Database, transaction: number): Promise<Record<string, number>> {
  const { rows } = await db.query<{ name: string; written: number }>(sql`
    select tablename as name, (
      xpath(
        '/row/written/text()',
        query_to_xml(
          format('select count(*) as written from %I where xmin::text::bigint > %s', tablename, ${transaction}::bigint),
          true, true, ''
        )
      )
    )[1]::text::integer as written
    from pg_tables
    where schemaname = current_schema()
  `);
  return Object.fromEntries(rows.flatMap(({ name, written }) => (written > 0 ? [[name, written]] : [])));
}
