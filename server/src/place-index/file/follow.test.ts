import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sql } from "../../platform/postgres/sql.ts";
import { contentsOf, givenFolderPath, givenFollowing, givenPlaces, placesNamed } from "./testing.ts";

test("an empty catalog builds nothing, and its first import does", async (t) => {
  const { db, change } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path: await givenFolderPath(t) });

  const before = await following.settle();
  assert.equal(contentsOf(following), undefined);
  assert.deepEqual([before?.generation, before?.behindSince], [null, null]);

  const generation = await change({ put: placesNamed(3), areas: ["Vaduz", "Schaan"] });
  const after = await following.settle();

  assert.deepEqual(contentsOf(following), { generation, places: placesNamed(3), areas: ["schaan", "vaduz"] });
  assert.deepEqual([after?.generation, after?.behindSince, after?.problem], [generation, null, null]);
});

test("a catalog that has lost all its places is searched as one", async (t) => {
  const { db, change } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path: await givenFolderPath(t) });
  await change({ put: placesNamed(3) });
  await following.settle();

  const generation = await change({ remove: [1, 2, 3] });
  await following.settle();

  assert.deepEqual(contentsOf(following), { generation, places: {}, areas: [] });
});

test("a change of one place in twenty goes into the file, and one more makes a new file", async (t) => {
  const { db, change } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path: await givenFolderPath(t) });
  await change({ put: placesNamed(41), areas: ["Vaduz"] });
  await following.settle();
  const first = following.folder.current();

  const second = await change({ put: { 7: "Changed" }, remove: [9], areas: ["Vaduz", "Balzers"] });
  await following.settle();
  const changed: Record<number, string> = { ...placesNamed(41), 7: "Changed" };
  delete changed[9];
  assert.deepEqual(contentsOf(following), { generation: second, places: changed, areas: ["balzers", "vaduz"] });
  assert.equal(following.folder.current(), first);

  const third = await change({ put: { 1: "One", 2: "Two", 3: "Three" } });
  await following.settle();
  const built = { ...changed, 1: "One", 2: "Two", 3: "Three" };
  assert.deepEqual(contentsOf(following), { generation: third, places: built, areas: ["balzers", "vaduz"] });
  assert.notEqual(following.folder.current(), first);
  assert.deepEqual(
    readdirSync(following.folder.path).filter((name) => name.endsWith(".sqlite")),
    [following.folder.current()],
  );
});

test("a file of an older program, whose tables are others, is built again", async (t) => {
  const { db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const generation = await change({ put: placesNamed(3) });
  const before = givenFollowing(t, { db, path });
  await before.settle();
  before.close();
  const name = before.folder.current() ?? "";
  const older = new DatabaseSync(before.folder.pathOf(name));
  older.exec(`
    drop table weeks;
    alter table facts drop column week;
    update meta set value = json_set(value, '$.layout', 3) where name = 'identity'`);
  older.close();

  const following = givenFollowing(t, { db, path });
  const state = await following.settle();

  assert.deepEqual(contentsOf(following), { generation, places: placesNamed(3), areas: [] });
  assert.notEqual(following.folder.current(), name);
  assert.equal(state?.problem, null);
});

test("several generations are one change, and one that does not list its places makes a new file", async (t) => {
  const { db, change } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path: await givenFolderPath(t) });
  await change({ put: placesNamed(100) });
  await following.settle();
  const first = following.folder.current();

  await change({ put: { 101: "New" } });
  await change({ put: { 5: "Five" }, remove: [101] });
  const later = await change({ put: { 6: "Six" } });
  await following.settle();
  const changed = { ...placesNamed(100), 5: "Five", 6: "Six" };
  assert.deepEqual(contentsOf(following), { generation: later, places: changed, areas: [] });
  assert.equal(following.folder.current(), first);

  const unlisted = await change({ put: { 5: "Fifth" }, isListed: false });
  await following.settle();
  assert.deepEqual(contentsOf(following), { generation: unlisted, places: { ...changed, 5: "Fifth" }, areas: [] });
  assert.notEqual(following.folder.current(), first);
});

test("searches see all of a change or nothing of it, while it is written", async (t) => {
  const { db, change } = await givenPlaces(t);
  const seen: unknown[] = [];
  const path = await givenFolderPath(t);
  const watched: typeof db = {
    ...db,
    transaction: (work, options) =>
      db.transaction((tx) => {
        const look = () => seen.push(contentsOf(following)?.places);
        return work({ ...tx, query: (statement) => (look(), tx.query(statement)) });
      }, options),
  };
  const following = givenFollowing(t, { db: watched, path, placesPerBatch: 1 });
  await change({ put: placesNamed(60) });
  await following.settle();
  seen.length = 0;

  await change({ put: { 1: "One", 2: "Two", 3: "Three" } });
  await following.step();

  assert.ok(seen.length > 3, `${seen.length} looks`);
  for (const places of seen) assert.deepEqual(places, placesNamed(60));
  assert.deepEqual(contentsOf(following)?.places, { ...placesNamed(60), 1: "One", 2: "Two", 3: "Three" });
});

test("a build that generations overtake ends with the last of them", async (t) => {
  const { db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  await change({ put: placesNamed(10) });
  let later = 0;
  const overtaken: typeof db = {
    ...db,
    async query<Row>(statement: Parameters<typeof db.query>[0]) {
      const isThird = statement.text.includes("limit") && statement.values.includes(4);
      if (isThird && later === 0) later = await change({ put: { 1: "One", 11: "Eleven" }, remove: [2, 9] });
      return db.query<Row>(statement);
    },
  };
  const following = givenFollowing(t, { db: overtaken, path, placesPerBatch: 2 });

  await following.step();

  const places: Record<number, string> = { ...placesNamed(10), 1: "One", 11: "Eleven" };
  delete places[2];
  delete places[9];
  assert.deepEqual(contentsOf(following), { generation: later, places, areas: [] });
});

test("a build that was interrupted goes on where it was", async (t) => {
  const { db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  await change({ put: placesNamed(10) });
  const stop = new AbortController();
  const first = givenFollowing(t, { db: stoppedAfter(db, 4, stop), path, placesPerBatch: 2 });
  await assert.rejects(first.step(stop.signal), { name: "AbortError" });
  const name = first.folder.draft()?.name;
  assert.equal(first.folder.current(), undefined);

  const generation = await change({ put: { 2: "Two", 8: "Eight" } });
  const second = givenFollowing(t, { db, path, placesPerBatch: 2 });
  await second.settle();

  const done = second.states.flatMap(({ build }) => (build ? [build.done] : []));
  assert.ok((done[0] ?? 0) > 0, `it began with ${done[0]} places`);
  assert.equal(second.folder.current(), name);
  assert.equal(second.folder.draft(), undefined);
  const places = { ...placesNamed(10), 2: "Two", 8: "Eight" };
  assert.deepEqual(contentsOf(second), { generation, places, areas: [] });
});

test("an interrupted build that nobody can bring to the catalog of now begins again under a new name", async (t) => {
  const { db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  await change({ put: placesNamed(10) });
  const stop = new AbortController();
  const first = givenFollowing(t, { db: stoppedAfter(db, 4, stop), path, placesPerBatch: 2 });
  await assert.rejects(first.step(stop.signal), { name: "AbortError" });
  const name = first.folder.draft()?.name;

  const generation = await change({ put: { 2: "Two" }, isListed: false });
  const second = givenFollowing(t, { db, path, placesPerBatch: 2 });
  await second.settle();

  assert.notEqual(second.folder.current(), name);
  assert.equal(second.folder.inode(name ?? ""), undefined);
  assert.deepEqual(contentsOf(second), { generation, places: { ...placesNamed(10), 2: "Two" }, areas: [] });
});

test("an interrupted build of a generation that a restore has undone begins again", async (t) => {
  const { db, change } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const before = await change({ put: placesNamed(10) });
  const undone = await change({ put: { 1: "Undone" } });
  const stop = new AbortController();
  const first = givenFollowing(t, { db: stoppedAfter(db, 4, stop), path, placesPerBatch: 2 });
  await assert.rejects(first.step(stop.signal), { name: "AbortError" });
  await db.query(sql`delete from catalog_generations where generation = ${undone}`);
  await db.query(sql`update catalog_state set generation = ${before}`);
  await db.query(sql`update catalog_records set record = replace(record, 'Undone', 'As before')`);
  const again = await change({ put: { 10: "Again" } });

  const second = givenFollowing(t, { db, path, placesPerBatch: 2 });
  await second.step();

  const places = { ...placesNamed(10), 1: "As before", 10: "Again" };
  assert.deepEqual(contentsOf(second), { generation: again, places, areas: [] });
});

/** Stops when the batch after this place is read. */
function stoppedAfter<Db extends Parameters<typeof givenFollowing>[1]["db"]>(
  db: Db,
  place: number,
  stop: AbortController,
) {
  return {
    ...db,
    query<Row>(statement: Parameters<Db["query"]>[0]) {
      if (statement.text.includes("limit") && statement.values.includes(place)) stop.abort();
      return db.query<Row>(statement);
    },
  };
}

test("records of the next generation, closed ones and superseded ones are not of the file", async (t) => {
  const { db, change } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path: await givenFolderPath(t) });
  await change({ put: placesNamed(3) });
  await db.query(sql`update catalog_state set last_number = 12`);
  await db.query(sql`
    insert into catalog_records (number, data_set_id, source_id, dataset_kind, hash, cell, latitude, longitude,
      country_code, rank, name_words, other_words, categories, contacts, record, place, superseded, closed_at)
    select 10 + n, data_set_id, 'other:' || n, dataset_kind, hash, cell, latitude, longitude, country_code, rank,
      name_words, other_words, categories, contacts, '{"name":"wrong"}', place, n = 1, case n when 2 then now() end
    from catalog_records, generate_series(1, 3) n
    where number = 1
  `);

  await following.settle();

  assert.deepEqual(contentsOf(following)?.places, placesNamed(3));
});
