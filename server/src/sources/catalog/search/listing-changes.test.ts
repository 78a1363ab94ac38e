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

test("a search that an import overtakes stays with what it chose, unless a place of it changed", async (t) => {
  const { db, load } = await givenCatalog(t);
  const { counting, reads, blockReads } = countReads(db);
  const catalog = createCatalog({ db: counting, trustMs: 60_000 });
  const pub = (index: number, name = `Krone ${index}`) =>
    place({ sourceId: `osm:n${index}`, name, categories: ["amenity/pub"], latitude: 47.14 + index / 10_000 });
  const pubs = Array.from({ length: 60 }, (_, index) => pub(index));
  const search = async (page: number) => {
    const asked = { q: "pub", page, hl: "en", extra: false, ll: "@47.14,9.52,14z" };
    const { listings } = await catalog.search(asked, new AbortController().signal);
    return listings.map(({ name }) => name);
  };
  await load(pubs);
  const first = await search(1);
  assert.equal(blockReads(), 1);

  await load([place({ sourceId: "osm:n99", name: "Linde", categories: ["amenity/pub"] })], "other");
  const second = await search(2);
  assert.equal(blockReads(), 0);
  assert.deepEqual([reads(), second.length, second.filter((name) => first.includes(name))], [40, 20, []]);

  await load(pubs.map((_, index) => pub(index, index > 50 ? `Adler ${index}` : undefined)));
  const third = await search(3);
  assert.equal(blockReads(), 2, "of the generation that it began with, and of the one that it went over to");
  assert.ok(third.includes("Adler 55"), String(third));
});

/** Counts the places whose records are read, and the statements that read blocks. */
function countReads(db: Reads) {
  let count = 0;
  let blocks = 0;
  const counting: Reads = {
    transaction: (work) => db.transaction(work),
    query(statement) {
      const { text, values } = statement;
      if (/bytes\s+from catalog_blocks/.test(text)) blocks += 1;
      if (/from catalog_records\s[^]*where place = any/.test(text)) count += (values[0] as number[]).length;
      return db.query(statement);
    },
  };
  const reads = () => {
    const counted = count;
    count = 0;
    return counted;
  };
  const blockReads = () => {
    const counted = blocks;
    blocks = 0;
    return counted;
  };
  return { counting, reads, blockReads };
}
