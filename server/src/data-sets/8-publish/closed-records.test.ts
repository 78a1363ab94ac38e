import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../platform/postgres/sql.ts";
import { sweepClosedRecords } from "./closed-records.ts";
import { givenCatalog, place } from "../../sources/catalog/testing.ts";

const cafe = (number: number) =>
  place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"] });

test("a record that left its data set leaves the catalog 90 days later, and comes back as a place of its own", async (t) => {
  const { load, names, db } = await givenCatalog(t);
  await load([cafe(1), cafe(2)]);
  await load([cafe(1)]);
  const daysLater = (days: number) => new Date(Date.now() + days * 86_400_000);
  const closed = async () =>
    (await db.query(sql`select number from catalog_records where closed_at is not null`)).rowCount;

  assert.equal(await sweepClosedRecords(db, daysLater(89)), 0);
  assert.equal(await closed(), 1);
  assert.equal(await sweepClosedRecords(db, daysLater(91)), 1);

  assert.equal(await closed(), 0);
  assert.deepEqual(await names("cafe"), ["Cafe 1"]);
  await load([cafe(1), cafe(2)]);
  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 1", "Cafe 2"]);
});
