import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { contact } from "../../../test/businesses.ts";
import { until } from "../../../test/database-door.ts";
import { aPlace } from "../../../test/place.ts";
import { removeDataSet } from "../../data-sets/remove.ts";
import type { Place } from "../../places/place.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { givenCatalog, type GivenPlace, place } from "../../sources/catalog/testing.ts";
import { createBusinesses } from "./index.ts";

const cafe = (rest: Partial<GivenPlace> = {}) => place({ sourceId: "osm:n1", name: "Cafe One", ...rest });

async function givenPlaces(t: TestContext) {
  const catalog = await givenCatalog(t);
  const { connection, db, find } = catalog;
  const businesses = createBusinesses({ db, maxStalenessMs: 0 });

  /** What a search of the catalog shows, with what the website says where that was asked for. */
  async function show(added: Partial<Place> = {}) {
    const listings = (await find("Cafe One")).map((listing) => ({ ...listing, ...added }));
    const known = await businesses.recognize("catalog", listings);
    const [business] = known ?? (await db.transaction((tx) => businesses.identify(tx, "catalog", listings)));
    return business;
  }

  /** What another source shows. */
  async function see(changes: Partial<Place>) {
    const [business] = await db.transaction((tx) => businesses.identify(tx, "osm", [aPlace(changes)]));
    assert.ok(business);
    return business;
  }

  async function stored(): Promise<number> {
    const { rows } = await db.query<{ count: number }>(sql`
      select (select count(*) from businesses) + (select count(*) from business_keys) as count
    `);
    return rows[0]?.count ?? 0;
  }

  const remove = () => removeDataSet("test", { connection, signal: new AbortController().signal });
  return { ...catalog, businesses, show, see, stored, remove };
}

const enriched = {
  enrichmentState: "done",
  emails: [contact.value],
  contacts: [contact],
} as const satisfies Partial<Place>;
const failed = { enrichmentState: "timed_out" } as const satisfies Partial<Place>;

test("a place of the catalog is a business from its import on, of which nothing is stored", async (t) => {
  const { db, load, show, stored } = await givenPlaces(t);
  await load([cafe()]);

  const first = await show();
  const found = await show({ enrichmentState: "no_website" });

  const { rows } = await db.query<{ id: string }>(sql`select business_id as id from catalog_places`);
  assert.deepEqual([first?.businessId, first?.revision], [rows[0]?.id, 1]);
  assert.match(first?.businessId ?? "", /^f[0-9a-f]{7}-[0-9a-f]{4}-8[0-9a-f]{3}-a/);
  assert.deepEqual([found?.businessId, found?.revision], [first?.businessId, 1]);
  assert.equal(await stored(), 0);
});

test("what a website adds raises the revision once, and stays beside what imports change", async (t) => {
  const { load, show } = await givenPlaces(t);
  await load([cafe({ details: { emails: ["old@b.example"] } })]);
  const id = (await show())?.businessId;

  assert.equal((await show(enriched))?.revision, 2);
  assert.equal((await show(enriched))?.revision, 2);
  assert.equal((await show())?.revision, 2);
  await load([cafe({ details: { emails: ["new@b.example"] } })]);
  assert.deepEqual([(await show())?.businessId, (await show())?.revision], [id, 3]);
  assert.equal((await show({ ...enriched, emails: ["new@b.example", contact.value] }))?.revision, 3);

  const unread = await show(failed);
  assert.deepEqual([unread?.revision, unread?.place.contacts], [3, [contact]]);
  assert.equal((await show({ ...enriched, contacts: [] }))?.revision, 4);
});

test("another source finds the place by its key, and says nothing of it to those who search the catalog", async (t) => {
  const { load, show, see } = await givenPlaces(t);
  await load([cafe()]);
  const first = await show();

  const live = await see({ placeId: "osm:n1", name: "Cafe Live" });
  const again = await see({ placeId: "osm:n1", name: "Cafe Live" });

  assert.deepEqual([live.businessId, live.revision], [first?.businessId, 2]);
  assert.deepEqual([again.businessId, again.revision], [first?.businessId, 2]);
  const shown = await show();
  assert.deepEqual([shown?.businessId, shown?.revision, shown?.place.name], [first?.businessId, 2, "Cafe One"]);
});

test("an id that a live source minted stays through import, removal and import, and its revision never falls", async (t) => {
  const { load, show, see, remove } = await givenPlaces(t);
  const minted = await see({ placeId: "osm:n1" });
  assert.match(minted.businessId, /^01/);
  const seen: (number | undefined)[] = [minted.revision];
  const note = (business: { businessId: string; revision: number } | undefined) => {
    assert.equal(business?.businessId, minted.businessId);
    seen.push(business?.revision);
  };

  await load([cafe()]);
  note(await show());
  await load([cafe({ name: "Cafe One B" })]);
  note(await show());
  await remove();
  note(await see({ placeId: "osm:n1" }));
  note(await see({ placeId: "osm:n1", name: "Other" }));
  await load([cafe({ name: "Cafe One B" })]);
  note(await show());
  await load([cafe({ name: "Cafe One C" })]);
  note(await show());

  assert.deepEqual(seen, [1, 2, 3, 3, 4, 4, 5]);
});

test("a web map's business that turns out to be a place of the catalog is one with it, under the id that was minted", async (t) => {
  const { db, load, show, see, find, businesses } = await givenPlaces(t);
  const mapped = { placeId: "ChIJ1", dataId: "0x1:0x2" };
  const minted = await see(mapped);
  await see({ ...mapped, phone: "+423 1" });
  await load([cafe()]);
  const before = await show();
  const stale = await find("Cafe One");
  assert.notEqual(before?.businessId, minted.businessId);

  const linked = await see({ ...mapped, phone: "+423 1", placeId: "osm:n1" });

  assert.deepEqual([linked.businessId, linked.revision], [minted.businessId, 3]);
  const [forwarded] = (await businesses.recognize("catalog", stale)) ?? [];
  assert.deepEqual([forwarded?.businessId, forwarded?.revision], [minted.businessId, 3]);
  await load([cafe(), cafe({ sourceId: "osm:n2", name: "Bar" })]);
  assert.deepEqual([(await show())?.businessId, (await show())?.revision], [minted.businessId, 3]);
  const { rows } = await db.query<{ id: string }>(sql`
    select merged_into as id
    from businesses
    where id = ${before?.businessId}
  `);
  assert.equal(rows[0]?.id, minted.businessId, "who holds the other id is led to this one");
});

test("what a record of the catalog does not say in a way that can be read is filled from what is known", async (t) => {
  const { load, show, see } = await givenPlaces(t);
  await see({ placeId: "osm:n1", phone: "+423 1234567", phones: ["+423 1234567"] });
  await load([cafe({ details: { unreadable: ["phones"] } })]);

  assert.equal((await show())?.place.phone, "+423 1234567");
});

test("an import waits for who mints an id for one of its keys, and takes that id", async (t) => {
  const { db, load, show, businesses } = await givenPlaces(t);
  let importing: Promise<unknown> | undefined;
  const minted = await db.transaction(async (tx) => {
    const [business] = await businesses.identify(tx, "osm", [aPlace({ placeId: "osm:n1" })]);
    importing = load([cafe()]);
    await until(async () => {
      const { rowCount } = await db.query(sql`
        select
        from pg_stat_activity
        where datname = current_database() and application_name like 'waypost import%' and wait_event = 'advisory'
      `);
      return rowCount > 0;
    });
    return business;
  });
  await importing;

  assert.equal((await show())?.businessId, minted?.businessId);
});
