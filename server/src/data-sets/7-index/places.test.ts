import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { shapeOf } from "../../geography/shape.ts";
import { until } from "../../../test/database-door.ts";
import { systemClock } from "../../platform/clock.ts";
import { openBulkConnection } from "../../platform/postgres/bulk.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { type Sql, sql } from "../../platform/postgres/sql.ts";
import { givenCatalog, type GivenPlace, place, town, yielded } from "../../sources/catalog/testing.ts";
import { sweepClosedRecords } from "../8-publish/closed-records.ts";
import { importItems } from "../import.ts";
import { removeDataSet } from "../remove.ts";
import { numberPlaces } from "./number-places.ts";
import { readChanged, readPlaces } from "./testing.ts";

const cafe = (number: number, rest: Partial<GivenPlace> = {}) =>
  place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"], ...rest });
const partner = (name: string, rest: Partial<GivenPlace> = {}) =>
  place({ sourceId: `overture:${name}`, name: "Cafe 1", categories: ["amenity/cafe"], ...rest });
const { signal } = new AbortController();

async function givenPlaces(t: TestContext) {
  const catalog = await givenCatalog(t);
  const { connection, db } = catalog;
  return {
    ...catalog,
    remove: (name: string) => removeDataSet(name, { connection, signal }),
    places: () => readPlaces(db),
    changed: () => readChanged(db),
  };
}

async function totalOf(db: Database, id: string): Promise<number> {
  const { rows } = await db.query<{ total: number }>(sql`
    select coalesce(p.revision, b.place_revision) + coalesce(b.revision, 0) as total
    from (select ${id}::uuid as id) known
    left join catalog_places p on p.business_id = known.id
    left join businesses b on b.id = known.id
  `);
  return rows[0]?.total ?? 0;
}

test("a place keeps its number, id and revision through imports that change nothing of it", async (t) => {
  const { load, places, changed, remove } = await givenPlaces(t);
  await load([cafe(1), cafe(2)]);
  const before = await places();
  await load([cafe(1), cafe(2), cafe(3)]);
  const { "osm:n3": added, ...others } = await places();
  assert.deepEqual(others, before);
  assert.deepEqual(await changed(), [added?.place]);

  await load([cafe(9)], "another");
  await remove("another");
  await load([cafe(1, { name: "New" }), cafe(2), cafe(3)]);

  const after = await places();
  assert.deepEqual(after["osm:n1"], { ...before["osm:n1"], revision: 2, shown: after["osm:n1"]?.shown });
  assert.deepEqual(after["osm:n2"], before["osm:n2"]);
  assert.deepEqual(await changed(), [before["osm:n1"]?.place]);
});

test("a first import leaves the indexes that the migrations make", async (t) => {
  const { db, load } = await givenPlaces(t);
  const indexes = async () =>
    (
      await db.query<{ indexdef: string }>(sql`
      select indexdef
      from pg_indexes
      where tablename = 'catalog_places' and schemaname = current_schema()
      order by indexname
    `)
    ).rows;
  const before = await indexes();

  await load([cafe(1), cafe(2)]);

  assert.deepEqual(await indexes(), before);
  assert.equal(before.length, 3);
});

test("the revision rises with what a client can read, and not with how we write it", async (t) => {
  const { load, places } = await givenPlaces(t);
  const hours = (monday: { opens: string; closes: string }[]) => ({
    raw: "Mo 08:00-12:00",
    weekly: { monday, tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] },
  });
  const revision = async (rest: Partial<GivenPlace>) => {
    await load([cafe(1, rest)]);
    return (await places())["osm:n1"]?.revision;
  };
  const details = { phones: ["+423 1234567"], openingHours: hours([]), features: { wifi: "yes", dog: "no" } };

  assert.equal(await revision({ details }), 1);
  const rewritten = {
    ...details,
    phones: ["+4231234567"],
    openingHours: hours([{ opens: "08:00", closes: "12:00" }]),
    features: { dog: "no", wifi: "yes" },
  };
  assert.equal(await revision({ details: rewritten }), 1);
  assert.equal(await revision({ details: rewritten, otherNames: ["only found by"] }), 1);
  assert.equal(await revision({ details: { ...rewritten, phones: ["+4237654321"] } }), 2);
  assert.equal(await revision({ namesByLanguage: { de: "Kaffeehaus" } }), 3);
});

test("what a changed record has and nobody can read keeps its value, and raises nothing", async (t) => {
  const { load, places, find } = await givenPlaces(t);
  await load([cafe(1, { details: { phones: ["+423 1234567"], website: "https://a.example/" } })]);
  await load([cafe(1, { details: { unreadable: ["phones"], website: "https://a.example/" } })]);
  const [kept] = await find("cafe");
  assert.deepEqual([kept?.phone, (await places())["osm:n1"]?.revision], ["+423 1234567", 1]);

  await load([cafe(1, { name: "Cafe New", details: { unreadable: ["phones", "website"] } })]);
  const [again] = await find("cafe");
  assert.deepEqual(
    [again?.phone, again?.website, (await places())["osm:n1"]?.revision],
    ["+423 1234567", "https://a.example/", 2],
  );

  await load([cafe(1, { name: "Cafe New", details: {} })]);
  assert.deepEqual([(await find("cafe"))[0]?.phone, (await places())["osm:n1"]?.revision], [null, 3]);
});

test("a place in an area that is named otherwise reads otherwise", async (t) => {
  const { load, places, changed } = await givenPlaces(t);
  const square = [
    [47, 9.4],
    [47, 9.6],
    [47.2, 9.6],
    [47.2, 9.4],
    [47, 9.4],
  ] as const;
  const shape = shapeOf([square], 100);
  const named = (name: string) => town(name, 47.1, 9.5, { sourceId: "osm:r1", kind: "city", level: 8, shape });
  await load([cafe(1), cafe(2, { latitude: 10 }), named("Vaduz")]);
  const before = await places();

  await load([cafe(1), cafe(2, { latitude: 10 }), named("Schaan")]);

  const after = await places();
  assert.deepEqual([after["osm:n1"]?.revision, after["osm:n2"]?.revision], [2, 1]);
  assert.deepEqual(await changed(), [before["osm:n1"]?.place]);
});

test("a number is never used again: a place that moves to another cell gets a new one", async (t) => {
  const { load, places, changed } = await givenPlaces(t);
  await load([cafe(1), cafe(2), cafe(3)]);
  const before = await places();
  const far = { latitude: -33.9, longitude: 151.2 };

  await load([cafe(1), cafe(2, far), cafe(3, far)]);
  const moved = await places();
  assert.deepEqual(
    await changed(),
    [before["osm:n2"], before["osm:n3"], moved["osm:n2"], moved["osm:n3"]]
      .map((each) => each?.place ?? 0)
      .sort((one, other) => one - other),
  );
  await load([cafe(1), cafe(2), cafe(3), cafe(4)]);

  const after = await places();
  const used = [before, moved, after].flatMap((each) => Object.values(each).map(({ place: number }) => number));
  assert.equal(new Set(used).size, 3 + 2 + 3, "all but that of the place that stayed are new");
  for (const key of ["osm:n2", "osm:n3"]) {
    assert.deepEqual([after[key]?.id, after[key]?.revision], [before[key]?.id, 3]);
  }
});

test("places of a full cell get numbers of the next ones", async (t) => {
  const { connection, db } = await givenPlaces(t);
  const bulk = await openBulkConnection(connection, signal);
  t.after(() => bulk.end());
  await db.query(sql`
    insert into catalog_records (
      number, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude, country_code, rank, name_words,
      other_words, categories, contacts, record, place, shown
    )
    select n, 1, 'osm:n' || n, 'osm', gen_random_uuid(), case when n > 9 then 8 else 7 end, 0, 0, '', 1, '', '', '{}',
      '{}', '{}', n, gen_random_uuid()
    from generate_series(1, 11) n
  `);
  const next = { generation: 2, lastNumber: 0, writtenBefore: 0 };

  await numberPlaces(bulk, next, 2);

  const { rows } = await bulk.query<{ place: number }>(sql`select place from catalog_next_places order by lead`);
  assert.deepEqual(
    rows.map(({ place: number }) => number),
    [28, 29, 30, 31, 34, 35, 36, 37, 38, 32, 33],
  );
});

test("ids and revisions belong to the key, whatever data set tells of it", async (t) => {
  const { db, load, places, remove, changed } = await givenPlaces(t);
  await load([cafe(1), cafe(2)], "first");
  await load([cafe(1, { name: "New" }), cafe(2)], "first");
  const before = await places();

  await load([cafe(1, { name: "New" })], "second");
  const taken = await places();
  assert.deepEqual(taken["osm:n1"], { ...before["osm:n1"], lead: taken["osm:n1"]?.lead });
  assert.notEqual(taken["osm:n1"]?.lead, before["osm:n1"]?.lead);

  await remove("first");
  assert.deepEqual(await places(), { "osm:n1": taken["osm:n1"] });
  assert.deepEqual(await changed(), [before["osm:n2"]?.place]);
  await remove("second");
  assert.deepEqual(await places(), {});
  const ids = Object.values(before).map(({ id }) => id);
  assert.deepEqual(await Promise.all(ids.map((id) => totalOf(db, id))), [2, 1]);

  await load([cafe(1, { name: "New" }), cafe(2, { name: "Other" })], "third");
  const back = await places();
  assert.deepEqual([back["osm:n1"]?.id, back["osm:n2"]?.id], [before["osm:n1"]?.id, before["osm:n2"]?.id]);
  const totals = await Promise.all(ids.map((id) => totalOf(db, id)));
  assert.deepEqual(totals, [2, 2], "one reads as it did, the other does not");
  assert.ok((back["osm:n1"]?.place ?? 0) > (before["osm:n2"]?.place ?? 0));
});

test("a place that was closed for long comes back as the business it was", async (t) => {
  const { db, load, places } = await givenPlaces(t);
  await load([cafe(1), cafe(2)]);
  const before = await places();
  await load([cafe(1)]);
  assert.equal(await sweepClosedRecords(db, new Date(Date.now() + 91 * 86_400_000)), 1);
  assert.deepEqual(await places(), { "osm:n1": before["osm:n1"] });

  await load([cafe(1), cafe(2)]);

  assert.equal((await places())["osm:n2"]?.id, before["osm:n2"]?.id);
  assert.equal(await totalOf(db, before["osm:n2"]?.id ?? ""), 1);
});

test("places that become one have one id, to which the other forwards; parts get theirs back and all rise", async (t) => {
  const { db, load, places } = await givenPlaces(t);
  const apart = { latitude: 47.2 };
  await load([cafe(1), cafe(1, { sourceId: "osm:n7", name: "Other", ...apart })], "osm");
  await load([cafe(1), cafe(1, { sourceId: "osm:n7", name: "Other 2", ...apart })], "osm");
  await load([partner("a", apart)], "overture");
  const [osm, overture] = [(await places())["osm:n1"], (await places())["overture:a"]];
  assert.ok(osm && overture);

  await load([partner("a")], "overture");
  const merged = await places();
  assert.deepEqual(merged["osm:n1"]?.keys, ["osm:n1", "overture:a"]);
  assert.deepEqual([merged["osm:n1"]?.place, merged["osm:n1"]?.id], [osm.place, osm.id]);
  assert.equal(await totalOf(db, osm.id), 2);
  assert.equal(await forwardOf(db, overture.id), osm.id);

  await load([partner("a", apart)], "overture");
  const split = await places();
  assert.deepEqual([split["osm:n1"]?.id, split["overture:a"]?.id], [osm.id, overture.id]);
  assert.notEqual(split["overture:a"]?.place, overture.place);
  assert.deepEqual([await totalOf(db, osm.id), await totalOf(db, overture.id)], [3, 3]);
  assert.equal(await forwardOf(db, overture.id), null);
});

test("an id that somebody minted for a key is that of the place, also where the places are one by now", async (t) => {
  const { db, load, places } = await givenPlaces(t);
  const [older, younger] = ["01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"];
  await db.query(sql`
    insert into businesses (id, revision, fingerprints, content)
    values (${older}, 4, '{}', '{}'), (${younger}, 7, '{}', '{}')
  `);
  await db.query(sql`
    insert into business_keys (key, business_id)
    values ('place:osm:n1', ${younger}), ('place:overture:a', ${older}), ('place:osm:n2', ${younger})
  `);
  await load([cafe(1)], "osm");
  assert.equal((await places())["osm:n1"]?.id, younger);
  assert.equal(await totalOf(db, younger), 8, "nobody knows whether it reads as it did");

  await load([partner("a")], "overture");
  const merged = (await places())["osm:n1"];
  assert.equal(merged?.id, older);
  assert.equal(await totalOf(db, older), 9);
  assert.equal(await forwardOf(db, younger), older);

  await load([cafe(1), cafe(2, { latitude: 10 })], "osm");
  const second = (await places())["osm:n2"];
  assert.equal(second?.id, younger, "nobody else has it");
  assert.equal(await forwardOf(db, younger), null);
});

async function forwardOf(db: Database, id: string): Promise<string | null | undefined> {
  const { rows } = await db.query<{ id: string | null }>(
    sql`select merged_into as id from businesses where id = ${id}`,
  );
  return rows[0]?.id;
}

/** Moments at which an import sleeps until it is killed. */
const moments: Record<string, Sql> = {
  "while records are stored": sql`before insert on catalog_records`,
  "while places are switched": sql`before insert on catalog_places`,
  "before the switch commits": sql`before update on catalog_state`,
};

for (const [moment, event] of Object.entries(moments)) {
  test(`an import that is killed ${moment} leaves the places as they were, and the next one makes them the same`, async (t) => {
    const { connection, db, load, places } = await givenPlaces(t);
    await load([cafe(1), cafe(2)], "osm");
    const before = await places();
    const items = [cafe(1, { name: "New" }), cafe(3)];
    const run = () =>
      importItems({ name: "osm", origin: "" }, yielded(items), {
        connection,
        clock: systemClock,
        signal,
        fingerprint: "a",
      });
    await db.query(sql`
      create function sleep_once() returns trigger language plpgsql as $$
      begin
        perform pg_sleep(600) from catalog_state where pending <> '';
        return new;
      end
      $$
    `);
    await db.query(sql`create trigger sleeping ${event} for each row execute function sleep_once()`);
    const killed = assert.rejects(run());
    await until(() => killSleeper(db), 120);
    await killed;
    await db.query(sql`drop function sleep_once cascade`);
    assert.deepEqual(await places(), before);

    await run();

    const after = await places();
    assert.deepEqual(Object.keys(after).toSorted(), ["osm:n1", "osm:n3"]);
    assert.deepEqual([after["osm:n1"]?.id, after["osm:n1"]?.revision], [before["osm:n1"]?.id, 2]);
    assert.equal(await totalOf(db, before["osm:n2"]?.id ?? ""), 1);
    assert.equal((await readChanged(db))?.length, 3);
  });
}

/** Ends the session that sleeps, as the kernel ends one; false while none does. */
async function killSleeper(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'
  `);
  return rowCount > 0;
}

test("an import of a program that knows nothing of places is refused, and changes nothing", async (t) => {
  const { db, load, places } = await givenPlaces(t);
  await load([cafe(1)]);
  const before = await places();

  const older = db.query(sql`update catalog_state set generation = generation + 1`);

  await assert.rejects(older, /older than the catalog/);
  assert.deepEqual(await places(), before);
});

test("a catalog that an older program has stored is listed before the next import, and rises with what changes then", async (t) => {
  const { db, load, places, changed } = await givenPlaces(t);
  await load([cafe(1), cafe(2), cafe(3)], "osm");
  await load([partner("a")], "overture");
  const minted = "01900000-0000-7000-8000-000000000001";
  await db.query(sql`
    insert into businesses (id, revision, fingerprints, content)
    values (${minted}, 4, '{}', '{}')
  `);
  await db.query(sql`
    insert into business_keys (key, business_id)
    values ('place:osm:n2', ${minted}), ('place:osm:n3', ${minted})
  `);
  await db.query(sql`update catalog_records set shown = null`);
  await db.query(sql`truncate catalog_places, catalog_generations`);

  await load([cafe(9, { latitude: 10 })], "another");
  const filled = await places();
  assert.deepEqual(
    ["osm:n1", "osm:n2", "osm:n9"].map((key) => filled[key]?.shown === null),
    [true, true, false],
  );
  assert.deepEqual([filled["osm:n2"]?.id, await totalOf(db, minted)], [minted, 4]);

  await load([cafe(1, { name: "New" }), cafe(2, { otherNames: ["only found by"] }), cafe(3)], "osm");

  const after = await places();
  assert.deepEqual(after["osm:n1"]?.keys, ["osm:n1"]);
  assert.deepEqual([after["osm:n1"]?.id, after["osm:n1"]?.revision], [filled["osm:n1"]?.id, 2]);
  assert.deepEqual([after["osm:n2"]?.id, await totalOf(db, minted)], [minted, 4]);
  assert.deepEqual((await changed())?.length, 3);
});
