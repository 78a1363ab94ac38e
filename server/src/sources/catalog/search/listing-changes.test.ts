import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place } from "../testing.ts";

test("an import makes only the listings of places again that it changes", async (t) => {
  const { db, load } = await givenCatalog(t);
  const { counting, reads } = countReads(db);
  const catalog = createCatalog({ db: counting, trustMs: 0 });
  const at = { latitude: 47.141, longitude: 9.521 };
  const inns = [
    place({ sourceId: "osm:n1", name: "Krone", categories: ["amenity/pub"], ...at }),
    place({ sourceId: "osm:n2", name: "Adler", categories: ["amenity/pub"], ...at }),
  ];
  const other = place({ sourceId: "osm:n3", name: "Linde", categories: ["amenity/cafe"], ...at });
  const search = async () => {
    const asked = { q: "pub", page: 1, hl: "en", extra: false, ll: "@47.141,9.521,14z" };
    const { listings } = await catalog.search(asked, new AbortController().signal);
    return listings.toSorted((a, b) => String(a.placeId).localeCompare(String(b.placeId)));
  };
  await load(inns);
  const [crown, eagle] = await search();
  assert.equal(reads(), 2);

  await load([other], "other");
  assert.deepEqual(await search(), [crown, eagle]);
  assert.equal(reads(), 0);

  await load([...inns.slice(0, 1), place({ ...inns[1]?.place, sourceId: "osm:n2", name: "Zum Adler" })]);
  const [crownNow, eagleNow] = await search();
  assert.equal(reads(), 1);
  assert.equal(eagleNow?.name, "Zum Adler");
  assert.ok((crownNow?.observedAt ?? "") > (crown?.observedAt ?? ""), "it was imported again");
  assert.deepEqual({ ...crownNow, observedAt: "" }, { ...crown, observedAt: "" });

  // The same business from another source fills what this one leaves out.
  const twin = { ...inns[0]?.place, sourceId: "overture:1", details: { website: "https://krone.example/" } };
  await load([place({ ...twin, name: "Krone" })], "overture");
  assert.equal((await search())[0]?.website, "https://krone.example/");
  assert.equal(reads(), 1);

  // Where it is not known what changed, all are.
  for (const forget of [
    sql`update catalog_changed_places set places = null`,
    sql`delete from catalog_changed_places`,
  ]) {
    await load([{ place: { ...other.place, name: forget.text } }], "other");
    await db.query(forget);
    await search();
    assert.equal(reads(), 2);
  }
});

/** Counts the places whose records are read. */
function countReads(db: Reads) {
  let count = 0;
  const counting: Reads = {
    transaction: (work) => db.transaction(work),
    query(statement) {
      const { text, values } = statement;
      if (/from catalog_records\s+where place = any/.test(text)) count += (values[0] as number[]).length;
      return db.query(statement);
    },
  };
  const reads = () => {
    const counted = count;
    count = 0;
    return counted;
  };
  return { counting, reads };
}
