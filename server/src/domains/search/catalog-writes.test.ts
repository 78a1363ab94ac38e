import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { startCollections } from "../../../test/collections.ts";
import { fileDatabase, startApi } from "../../../test/harness.ts";
import { givenPlaceIndex } from "../../../test/place-index.ts";
import { importItems } from "../../data-sets/import.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { type Connection, createDatabase, type Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { IndexUnavailable } from "../../place-index/file/threads.ts";
import { placeIndexOf } from "../../place-index/reader.ts";
import type { RecordItem } from "../../places/record.ts";
import { createCatalog } from "../../sources/catalog/catalog.ts";
import { place, town, yielded } from "../../sources/catalog/testing.ts";

const kinds = ["cafe", "restaurant", "bar", "pharmacy", "bank"];
const places = Array.from({ length: 400 }, (_, at) =>
  place({
    sourceId: `osm:n${at}`,
    name: `Number ${at}`,
    categories: [`amenity/${kinds[at % kinds.length] ?? ""}`],
    latitude: 47.1 + (at % 20) / 500,
    longitude: 9.5 + Math.floor(at / 20) / 500,
  }),
);

/** From here on every row that anybody writes is counted, by table. */
async function countWrites(db: Database) {
  await db.query(sql`create table if not exists counted_writes (relation name not null, operation text not null)`);
  await db.query(sql`
    create or replace function count_write() returns trigger language plpgsql as $$
    begin
      insert into counted_writes values (tg_table_name, lower(tg_op));
      return null;
    end
    $$
  `);
  await db.query(sql`
    do $$
    declare
      name name;
    begin
      for name in
        select c.relname
        from pg_class c
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> 'counted_writes'
      loop
        execute format(
          'create or replace trigger count_writes after insert or update or delete on %I for each row execute function count_write()',
          name
        );
      end loop;
    end
    $$
  `);
  await db.query(sql`truncate counted_writes`);
  return async () => {
    const { rows } = await db.query<{ write: string; rows: number }>(sql`
      select operation || ' ' || relation as write, count(*) as rows from counted_writes group by 1 order by 1
    `);
    return Object.fromEntries(rows.map((row) => [row.write, row.rows]));
  };
}

function importPlaces(connection: Connection, items: readonly RecordItem[]) {
  const { signal } = new AbortController();
  const all = yielded([town("Vaduz", 47.14, 9.52), ...items]);
  return importItems({ name: "test", origin: "test" }, all, { connection, clock: systemClock, signal });
}

async function givenStoring(t: TestContext) {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 5, log: silentLog });
  t.after(() => db.end());
  await importPlaces(connection, places);
  const api = await startCollections(t, { source: createCatalog({ db, index: await givenPlaceIndex(t, db) }) });
  return { api, db, load: (items: readonly RecordItem[]) => importPlaces(connection, items) };
}

async function givenSearches(t: TestContext) {
  const { api, db } = await givenStoring(t);
  return { ...api, db };
}

test("five hundred searches of the catalog write their charges and nothing else", async (t) => {
  const { db, givenKey, call } = await givenSearches(t);
  const { text: key } = await givenKey({ environment: "live" });
  const search = async (at: number) => {
    const json = { q: `${kinds[at % kinds.length] ?? ""} in Vaduz`, page: 1 + (at % 3) };
    const asked = at % 2 === 0 ? { q: `Number ${at % 400}` } : json;
    const { status, body } = await call("/api/v1/search", { key, json: asked });
    assert.equal(status, 200, JSON.stringify(body));
    return JSON.stringify(body["data"]);
  };
  await search(1);
  const writes = await countWrites(db);

  let shown = "";
  for (let first = 0; first < 500; first += 10)
    shown += (await Promise.all(Array.from({ length: 10 }, (_, at) => search(first + at)))).join();

  assert.ok(shown.includes("Number 398"));
  const { "insert ledger_entries": charges, "update usage_months": counts = 0, ...rest } = await writes();
  assert.equal(charges, 500);
  assert.ok(counts <= 500, `${counts} counts`);
  // When the key was last used, which is written once in a while.
  const { "update api_keys": used = 0, ...others } = rest;
  assert.ok(used < 100, `${used} uses`);
  assert.deepEqual(others, {});
});

test("searches with a test key are businesses of another namespace, and write nothing", async (t) => {
  const { db, givenKey, call } = await givenSearches(t);
  const { text: key } = await givenKey({ environment: "test" });
  const idsOf = async (q: string) => {
    const { status, body } = await call("/api/v1/search", { key, json: { q } });
    assert.equal(status, 200, JSON.stringify(body));
    return (body["data"].businesses as { businessId: string }[]).map(({ businessId }) => businessId);
  };
  await idsOf("cafe");
  const writes = await countWrites(db);

  const ids = new Set<string>();
  for (let at = 0; at < 50; at += 1) for (const id of await idsOf(`cafe ${at}`)) ids.add(id);

  const { rows } = await db.query<{ id: string }>(sql`select business_id as id from catalog_places`);
  assert.ok(ids.size > 20, `${ids.size} businesses`);
  assert.deepEqual(
    rows.filter(({ id }) => ids.has(id)),
    [],
  );
  const written = Object.keys(await writes());
  assert.deepEqual(
    written.filter((write) => /business|catalog|ledger/.test(write)),
    [],
  );
});

test("stored results stay as they were, whatever imports change and remove", async (t) => {
  const { api, load } = await givenStoring(t);
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { body } = await api.collect(key, { q: "cafe", area: { bbox: [47, 9, 48, 10] } });
  const { id } = await api.collected(key, body["data"].id);
  const before = JSON.stringify(await api.recordsOf(key, id));
  assert.ok(before.includes('"revision":1'));

  await load(places.slice(20).map(({ place: record }) => ({ place: { ...record, name: `Renamed ${record.name}` } })));

  assert.equal(JSON.stringify(await api.recordsOf(key, id)), before);
  const found = await api.call("/api/v1/search", { key, json: { q: "Renamed Number 25" } });
  const [renamed] = found.body["data"].businesses as { businessId: string; revision: number }[];
  assert.equal(renamed?.revision, 2);
  assert.ok(before.includes(renamed.businessId));
});

test("a place index that cannot answer is 503 with Retry-After, and costs nothing", async (t) => {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 5, log: silentLog });
  t.after(() => db.end());
  await importPlaces(connection, places);
  const index = placeIndexOf(async () => {
    throw new IndexUnavailable("There is no place index yet.");
  });
  const catalog = createCatalog({ db, index });
  const api = await startApi(t, { source: catalog });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });

  const { status, body, headers } = await api.call("/api/v1/search", { key, json: { q: "cafe in Vaduz" } });

  assert.deepEqual([status, body["error"].code], [503, "source_unavailable"]);
  assert.match(headers.get("Retry-After") ?? "", /^[1-9]\d*$/);
  assert.equal((await api.billing.balance(organizationId)).used, 0);
});
