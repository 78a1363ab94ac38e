import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { sql } from "../../platform/postgres/sql.ts";
import { openIndexFile } from "../index-file.ts";
import { contentsOf, type Following, givenFolderPath, givenFollowing, givenPlaces, placesNamed } from "./testing.ts";

async function givenFile(t: TestContext) {
  const { db, change, connection } = await givenPlaces(t);
  const path = await givenFolderPath(t);
  const following = givenFollowing(t, { db, path });
  const generation = await change({ put: placesNamed(200) });
  await following.settle();
  const name = following.folder.current() ?? "";
  return { db, change, connection, path, following, name, generation, file: following.folder.pathOf(name) };
}

/** What another program does to a file while nobody of this process has it open: else this test would drop its locks. */
const harms: Record<string, (file: string) => void> = {
  "is deleted": (file) => rmSync(file),
  "is empty": (file) => truncateSync(file, 0),
  "is cut in the middle": (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  "is garbage": (file) => writeFileSync(file, randomBytes(100_000)),
  "is of tables that nobody knows": (file) => {
    rmSync(file);
    const db = new DatabaseSync(file);
    db.exec("pragma journal_mode = wal; create table notes (text text)");
    db.close();
  },
};

for (const [harm, hurt] of Object.entries(harms)) {
  test(`a file that ${harm} when the service starts is built again under a new name`, async (t) => {
    const { db, change, path, following, name, file, generation } = await givenFile(t);
    following.close();
    hurt(file);

    const next = givenFollowing(t, { db, path });
    // What is cut in the middle shows when somebody reads there: a search, or this change.
    const last = harm === "is cut in the middle" ? await change({ put: { 3: "Three" } }) : generation;
    const state = await next.settle();

    const places = last === generation ? placesNamed(200) : { ...placesNamed(200), 3: "Three" };
    assert.deepEqual(contentsOf(next), { generation: last, places, areas: [] });
    assert.notEqual(next.folder.current(), name);
    assert.equal(state?.problem, null);
    assert.deepEqual(
      readdirSync(path).filter((entry) => entry.startsWith(name)),
      [],
    );
  });
}

test("a file that is deleted while the service runs is built again", async (t) => {
  const { following, name, file, generation } = await givenFile(t);

  rmSync(file);
  await following.settle();

  assert.notEqual(following.folder.current(), name);
  assert.deepEqual(contentsOf(following), { generation, places: placesNamed(200), areas: [] });
});

test("a file that a search marked as damaged is built again", async (t) => {
  const { following, name, generation } = await givenFile(t);

  following.folder.markDamaged(name);
  await following.settle();

  assert.notEqual(following.folder.current(), name);
  assert.equal(following.folder.isDamaged(name), false);
  assert.deepEqual(contentsOf(following), { generation, places: placesNamed(200), areas: [] });
});

/** A copy of the folder, as somebody makes it who moves an installation. */
function copyOf(following: Following, to: string): void {
  following.close();
  cpSync(following.folder.path, to, { recursive: true });
}

test("the file of another installation is never read, and built again", async (t) => {
  const other = await givenFile(t);
  const path = await givenFolderPath(t);
  copyOf(other.following, path);
  const { db, change } = await givenPlaces(t);
  const generation = await change({ put: placesNamed(3, "Mine") });
  const seen: unknown[] = [];
  const folder = { path };
  const following = givenFollowing(t, { db: lookingAtEach(db, () => seen.push(contentsOf(following)?.places)), path });
  assert.ok(existsSync(join(folder.path, other.name)));

  await following.step();

  // The first look comes before the follower knows whose it is; a search thread asks the file itself.
  assert.ok(seen.length > 2);
  for (const places of seen.slice(2)) assert.equal(places, undefined);
  assert.deepEqual(contentsOf(following), { generation, places: placesNamed(3, "Mine"), areas: [] });
});

test("a copied file is gone when the catalog is empty", async (t) => {
  const other = await givenFile(t);
  const path = await givenFolderPath(t);
  copyOf(other.following, path);
  const { db } = await givenPlaces(t);
  const following = givenFollowing(t, { db, path });

  await following.settle();

  assert.equal(following.folder.current(), undefined);
  assert.equal(following.folder.inode(other.name), undefined);
});

function lookingAtEach<Db extends Parameters<typeof givenFollowing>[1]["db"]>(db: Db, look: () => void): Db {
  return { ...db, query: (statement: Parameters<Db["query"]>[0]) => (look(), db.query(statement)) };
}

test("a file of a generation that a restore has undone is foreign, though its number comes again", async (t) => {
  const { db, change, path, following, name, generation } = await givenFile(t);
  const undone = await change({ put: { 1: "Undone" } });
  await following.settle();
  following.close();
  // A server that was set back to an earlier time goes on with other ids.
  await db.query(sql`delete from catalog_generations where generation > ${generation}`);
  await db.query(sql`update catalog_state set generation = ${generation}`);
  await db.query(sql`update catalog_records set record = replace(record, 'Undone', 'As before')`);
  const again = await change({ put: { 2: "Again" } });
  assert.equal(again, undone);
  const seen: unknown[] = [];
  const next = givenFollowing(t, { db: lookingAtEach(db, () => seen.push(contentsOf(next)?.places)), path });

  await next.step();

  for (const places of seen.slice(2)) assert.equal(places, undefined);
  assert.notEqual(next.folder.current(), name);
  const places = { ...placesNamed(200), 1: "As before", 2: "Again" };
  assert.deepEqual(contentsOf(next), { generation: again, places, areas: [] });
});

test("a file whose changes the catalog has forgotten is built again", async (t) => {
  const { db, change, following, name, generation } = await givenFile(t);
  const later = await change({ put: { 1: "One" } });
  await db.query(sql`delete from catalog_generations where generation <= ${generation}`);

  await following.settle();

  assert.notEqual(following.folder.current(), name);
  assert.deepEqual(contentsOf(following), { generation: later, places: { ...placesNamed(200), 1: "One" }, areas: [] });
});

for (const [what, set] of [
  ["an older layout", { layout: 0 }],
  ["a newer layout", { layout: 1_000 }],
] as const) {
  test(`a file of ${what} is built again`, async (t) => {
    const { db, following, name, file, path, generation } = await givenFile(t);
    following.close();
    const changed = openIndexFile(file);
    const identity = changed.identity();
    assert.ok(identity);
    changed.setIdentity({ ...identity, ...set });
    changed.close();

    const next = givenFollowing(t, { db, path });
    await next.settle();

    assert.notEqual(next.folder.current(), name);
    assert.deepEqual(contentsOf(next), { generation, places: placesNamed(200), areas: [] });
  });
}

test("a -wal that was left beside a deleted file is never read into another", async (t) => {
  const { db, change, path, following, name, file } = await givenFile(t);
  await change({ put: { 1: "In the wal" } });
  await following.settle();
  // Killed: the -wal stays, and whoever cleans up deletes only the file that they know.
  for (const end of ["", "-wal", "-shm"]) cpSync(`${file}${end}`, `${file}${end}.kept`);
  following.close();
  for (const end of ["-wal", "-shm"]) cpSync(`${file}${end}.kept`, `${file}${end}`);
  rmSync(file);
  assert.ok(statSync(`${file}-wal`).size > 0);

  const next = givenFollowing(t, { db, path });
  const generation = await change({ put: placesNamed(200, "Second") });
  await next.settle();

  assert.notEqual(next.folder.current(), name);
  assert.deepEqual(contentsOf(next), { generation, places: placesNamed(200, "Second"), areas: [] });
  assert.equal(existsSync(`${file}-wal`), false);
});
