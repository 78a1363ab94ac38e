import assert from "node:assert/strict";
import { test } from "node:test";
import { contact, startBusinesses } from "../../../test/businesses.ts";
import { aPlace } from "../../../test/place.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { otherIds } from "../../places/place.ts";
import { createBusinesses } from "./index.ts";

test("a business has the same id whenever it is found, and another business has another", async (t) => {
  const { see, seeOne } = await startBusinesses(t);
  const [cafe, bar] = [aPlace({ name: "Café" }), aPlace({ name: "Bar" })];

  const [first, second] = await see(cafe, bar);
  const again = await seeOne(bar);

  assert.match(first?.businessId ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.notEqual(first?.businessId, second?.businessId);
  assert.equal(again.businessId, second?.businessId);
  assert.equal(again.revision, 1);
});

test("a business whose records are put together, or come apart, stays the same", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const [one, other] = [aPlace({ placeId: `overture:${newUuid()}` }), aPlace({ placeId: `osm:${newUuid()}` })];

  const alone = await seeOne(one);
  const together = await seeOne({ ...other, [otherIds]: [one.placeId ?? ""] });
  const apart = await seeOne(other);

  assert.equal(together.businessId, alone.businessId);
  assert.equal(apart.businessId, alone.businessId);
  assert.equal((await seeOne({ ...one })).businessId, alone.businessId);
  assert.ok(!JSON.stringify(together).includes(one.placeId ?? ""), "the other name is nobody's business");
});

test("a business that open data and a web map know is one, and neither changes what the other says", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const open = aPlace({ placeId: `osm:n${newUuid()}`, phone: "+423 1", emails: ["a@b.example"] });
  const mapped = aPlace({
    placeId: `ChIJ${newUuid()}`,
    dataId: `0x1:0x${newUuid()}`,
    rating: 4.5,
    reviewCount: 12,
    phone: "+423 1",
    featuredImageUrl: "https://b.example/1.jpg",
    [otherIds]: [open.placeId ?? ""],
  });

  const first = await seeOne(open);
  const second = await seeOne(mapped);
  const again = [await seeOne(open), await seeOne({ ...mapped, [otherIds]: [] })];
  const trimmed = await seeOne({
    ...mapped,
    phone: null,
    reviewCount: null,
    featuredImageUrl: null,
    fieldStates: { phone: "not_supplied", reviewCount: "not_supplied", featuredImageUrl: "not_requested" },
  });

  assert.deepEqual([second.businessId, second.revision], [first.businessId, 2]);
  assert.deepEqual(
    again.map(({ businessId, revision }) => [businessId, revision]),
    [
      [first.businessId, 2],
      [first.businessId, 2],
    ],
  );
  assert.equal(trimmed.revision, 2);
  const { phone, reviewCount, featuredImageUrl } = trimmed.place;
  assert.deepEqual([phone, reviewCount, featuredImageUrl], ["+423 1", 12, "https://b.example/1.jpg"]);
});

test("businesses come back in the order of the listings, known and new mixed", async (t) => {
  const { see } = await startBusinesses(t);
  const places = Array.from({ length: 20 }, (_, at) => aPlace({ name: `Shop ${at}` }));
  await see(...places.filter((_, at) => at % 3 === 0));

  const found = await see(...places);

  assert.deepEqual(
    found.map(({ place }) => place.name),
    places.map(({ name }) => name),
  );
  assert.equal(new Set(found.map(({ businessId }) => businessId)).size, 20);
});

test("a listing that comes again is what it was, until its business is told otherwise elsewhere", async (t) => {
  const { db, businesses, see } = await startBusinesses(t);
  const [cafe, bar] = [aPlace({ name: "Café" }), aPlace({ name: "Bar" })];
  await see(cafe, bar);
  const first = await businesses.recognize("catalog", [cafe, bar, cafe]);
  assert.deepEqual(await businesses.recognize("catalog", [cafe, bar, cafe]), first);
  assert.deepEqual(await businesses.recognize("catalog", []), []);

  // Another process, which knows nothing of ours, finds contacts of the one and another name of the other.
  const found = { enrichmentState: "done" as const, contacts: [contact], emails: [contact.value] };
  await see({ ...cafe, ...found });
  const [again] = (await businesses.recognize("catalog", [cafe])) ?? [];
  assert.deepEqual([again?.businessId, again?.revision], [first?.[0]?.businessId, 2]);
  assert.deepEqual(again?.place, cafe);
  await see({ ...bar, name: "Another Bar" });
  assert.equal(await businesses.recognize("catalog", [cafe, bar]), undefined, "its name is news again");
  await db.query(sql`update businesses set merged_into = ${first?.[1]?.businessId} where id = ${again?.businessId}`);
  assert.equal(await businesses.recognize("catalog", [cafe]), undefined, "it is another's now");
});

test("what held a moment ago is not asked again, unless this process has changed a business since", async (t) => {
  const { db, see } = await startBusinesses(t);
  let reads = 0;
  const counting: Database = { ...db, query: (statement) => ((reads += 1), db.query(statement)) };
  const businesses = createBusinesses({ db: counting, maxStalenessMs: 2_000 });
  const [cafe, bar] = [aPlace({ name: "Café" }), aPlace({ name: "Bar" })];
  await see(cafe, bar);
  const first = await businesses.recognize("catalog", [cafe, bar]);
  const readsOnce = reads;

  assert.deepEqual(await businesses.recognize("catalog", [cafe, bar]), first);
  assert.deepEqual(await businesses.recognize("catalog", [bar]), first?.slice(1));
  assert.equal(reads, readsOnce, "nothing was asked");

  const found = { enrichmentState: "done" as const, contacts: [contact], emails: [contact.value] };
  await db.transaction((tx) => businesses.identify(tx, "catalog", [{ ...cafe, ...found }]));
  const [again] = (await businesses.recognize("catalog", [cafe, bar])) ?? [];
  assert.equal(again?.revision, 2, "seen at once where it was written");
});

test("what another process tells of a business is seen as soon as the trust in what held is over", async (t) => {
  const { businesses: other, db } = await startBusinesses(t);
  const ours = createBusinesses({ db, maxStalenessMs: 300 });
  const cafe = aPlace();
  await db.transaction((tx) => other.identify(tx, "catalog", [cafe]));
  await ours.recognize("catalog", [cafe]);

  const found = { enrichmentState: "done" as const, contacts: [contact], emails: [contact.value] };
  await db.transaction((tx) => other.identify(tx, "catalog", [{ ...cafe, ...found }]));
  const deadline = Date.now() + 20_000;
  while ((await ours.recognize("catalog", [cafe]))?.[0]?.revision !== 2) assert.ok(Date.now() < deadline);
});

test("a page without news is recognized outside of a transaction, and one with news is not", async (t) => {
  const { businesses, see } = await startBusinesses(t);
  const [known, fresh] = [aPlace(), aPlace()];
  const [business] = await see(known);

  assert.deepEqual(await businesses.recognize("catalog", [known]), [business]);
  assert.equal(await businesses.recognize("catalog", [known, fresh]), undefined);
  assert.equal(await businesses.recognize("catalog", [{ ...known, phone: "+423 9" }]), undefined);
  assert.deepEqual(await businesses.recognize("catalog", []), []);
});

test("an empty page asks nothing", async (t) => {
  const { see } = await startBusinesses(t);

  assert.deepEqual(await see(), []);
});

test("the chain goes from place id to data id to cid, and learns the ids it did not know", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const [placeId, dataId, cid] = [newUuid(), newUuid(), newUuid()];

  const byCid = await seeOne(aPlace({ placeId: null, cid }));
  const byData = await seeOne(aPlace({ placeId: null, dataId, cid }));
  const byPlace = await seeOne(aPlace({ placeId, dataId }));
  const last = await seeOne(aPlace({ placeId }));

  assert.equal(new Set([byCid, byData, byPlace, last].map(({ businessId }) => businessId)).size, 1);
});

test("two ids that turn out to be one business become the older one", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const [placeId, dataId, cid] = [newUuid(), newUuid(), newUuid()];
  const older = await seeOne(aPlace({ placeId: null, dataId }));
  for (const minted = Date.now(); Date.now() === minted;); // age is told in milliseconds
  const younger = await seeOne(aPlace({ placeId, cid }));
  assert.notEqual(older.businessId, younger.businessId);

  const linked = await seeOne(aPlace({ placeId, dataId }));

  assert.equal(linked.businessId, older.businessId);
  assert.equal((await seeOne(aPlace({ placeId }))).businessId, older.businessId);
  assert.equal((await seeOne(aPlace({ placeId: null, cid }))).businessId, older.businessId);
});

test("ids that are linked by many at once become one, and nobody is left with the other", async (t) => {
  const { see, seeOne } = await startBusinesses(t);
  const pairs = Array.from({ length: 8 }, () => ({ placeId: newUuid(), dataId: newUuid() }));
  for (const { placeId, dataId } of pairs) {
    await seeOne(aPlace({ placeId: null, dataId }));
    await seeOne(aPlace({ placeId }));
  }
  const linking = pairs.map((pair) => aPlace(pair));
  const byPlace = pairs.map(({ placeId }) => aPlace({ placeId, phone: "+423 1" }));
  const byData = pairs.map(({ dataId }) => aPlace({ placeId: null, dataId, phone: "+423 2" }));

  await Promise.all([linking, byPlace.toReversed(), byData, linking.toReversed(), byPlace].map((page) => see(...page)));

  for (const { placeId, dataId } of pairs) {
    const [left, right] = [await seeOne(aPlace({ placeId })), await seeOne(aPlace({ placeId: null, dataId }))];
    assert.equal(left.businessId, right.businessId);
  }
});

test("a listing without any id is recognized by what it is and where it stands", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const nameless = aPlace({ placeId: null, name: newUuid() });

  const first = await seeOne(nameless);

  assert.equal((await seeOne(nameless)).businessId, first.businessId);
  assert.notEqual((await seeOne({ ...nameless, name: newUuid() })).businessId, first.businessId);
});

test("one business twice on a page is one business", async (t) => {
  const { see } = await startBusinesses(t);
  const place = aPlace({});

  const [first, second] = await see(place, place);

  assert.equal(first?.businessId, second?.businessId);
  assert.equal(second?.revision, 1);
});

test("many workers that meet the same new businesses at once, in any order, make each once", async (t) => {
  const { see } = await startBusinesses(t);
  const places = Array.from({ length: 20 }, () => aPlace({ dataId: newUuid(), cid: newUuid() }));
  const views = Array.from({ length: 16 }, (_, worker) => {
    const turned = [...places.slice(worker), ...places.slice(0, worker)];
    const part = worker % 3;
    return (worker % 2 === 0 ? turned : turned.toReversed()).map((place) => ({
      ...place,
      placeId: part === 1 ? null : place.placeId,
      cid: part === 2 ? null : place.cid,
    }));
  });

  const pages = await Promise.all(views.map((view) => see(...view)));
  await see(...places);

  const ids = new Map<string | null, Set<string>>();
  for (const { place, businessId } of pages.flat()) {
    ids.set(place.dataId, (ids.get(place.dataId) ?? new Set()).add(businessId));
  }
  assert.equal(ids.size, 20);
  for (const found of ids.values()) assert.equal(found.size, 1);
});

// Half of them know the business by one id and half by another, so that no two halves lock a key in common.
test("a worker that waited for a business which was meanwhile found to be another follows it there", async (t) => {
  const { db, businesses, see, seeOne } = await startBusinesses(t);
  const [placeId, dataId, cid] = [newUuid(), newUuid(), newUuid()];
  const older = await seeOne(aPlace({ placeId: null, dataId }));
  for (const minted = Date.now(); Date.now() === minted;); // age is told in milliseconds
  await seeOne(aPlace({ placeId, cid }));

  let waiting: ReturnType<typeof see> | undefined;
  await db.transaction(async (tx) => {
    await businesses.identify(tx, "catalog", [aPlace({ placeId, dataId })]);
    waiting = see(aPlace({ placeId: null, cid, phone: "+423 1" }));
    while (!(await someoneWaits(db)));
  });

  assert.equal((await waiting)?.[0]?.businessId, older.businessId);
});

async function someoneWaits(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select
    from pg_stat_activity
    where datname = current_database()
      and wait_event_type = 'Lock'
  `);
  return rowCount > 0;
}

test("text that PostgreSQL cannot keep does not stop a page", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const place = aPlace({ placeId: `osm:n\u0000${newUuid()}`, name: "half \ud800 a pair, and \u0000" });

  const first = await seeOne(place);

  assert.equal((await seeOne(place)).revision, 1);
  assert.equal(first.place.name, place.name);
});
