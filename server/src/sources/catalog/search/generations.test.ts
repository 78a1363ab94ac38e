import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { until } from "../../../../test/database-door.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import { SourceFailure } from "../../source.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place } from "../testing.ts";
import { createGenerations, type Generation } from "./generations.ts";

const query = { q: "hotel", page: 1, hl: "en", extra: false, ll: "@47.141,9.521,14z" };

test("a search that imports overtake answers from one generation, or not at all", async (t) => {
  const { db, load } = await givenCatalog(t);
  await load([place({ sourceId: "osm:n1", name: "Residence", categories: ["tourism/hotel"] })]);
  const { signal } = new AbortController();

  for (const overtakenTimes of [1, 3]) {
    const { listings } = await createCatalog({ db: overtaken(db, overtakenTimes) }).search(query, signal);
    assert.deepEqual(
      listings.map(({ name }) => name),
      ["Residence"],
    );
  }
  await assert.rejects(
    createCatalog({ db: overtaken(db, Infinity) }).search(query, signal),
    (error) => error instanceof SourceFailure && error.code === "source_unavailable",
  );
});

test("searches go over to the next generation when what they needed lately is in memory", async () => {
  const { generations, give, opened } = givenGenerations({ trustMs: 60_000 });
  give(1);
  const first = await generations.current();
  assert.equal(first.generation, 1);

  const following = generations.after(first);
  assert.equal(generations.current(), first, "until the next is there");
  give(2);
  const second = await following;
  assert.equal(second.generation, 2, "what memory cannot answer comes from the next");
  assert.equal(generations.current(), first, "until it is filled");
  assert.deepEqual(await Promise.all([generations.after(first), generations.after(first)]), [second, second]);

  opened.fill();
  await setImmediate();
  assert.equal(generations.current(), second);
  assert.deepEqual(opened.shown, [
    [1, undefined],
    [2, 1],
  ]);
});

test("a search that began before the last change goes on with what is shown, and opens nothing", async () => {
  const { generations, give, opened } = givenGenerations({ trustMs: 60_000 });
  give(1);
  const first = await generations.current();
  give(2);
  const second = await generations.after(first);
  opened.fill();
  await setImmediate();
  assert.equal(generations.shown(), second);

  assert.equal(generations.after(first), second);
  assert.equal(generations.current(), second);
});

test("a generation that may no longer be trusted answers nothing", async () => {
  const { generations, give } = givenGenerations({ trustMs: 0 });
  give(1);
  const first = await generations.current();
  void generations.after(first);
  give(2);
  assert.equal((await generations.current()).generation, 2);
  assert.equal(generations.shown()?.generation, 2, "it is not filled first");
});

test("the more has changed the longer the generation before is trusted, five times as long at most", async () => {
  const trustMs = 60_000;
  const trusts = async (changedBlocks: number, times: number) => {
    const { generations, give } = givenGenerations({ trustMs, changedBlocks });
    give(1);
    const first = await generations.current();
    first.seenAt -= times * trustMs;
    give(2);
    await generations.after(first);
    await setImmediate();
    return generations.current() === first;
  };

  assert.deepEqual([await trusts(100, 0.9), await trusts(100, 1)], [true, false]);
  assert.deepEqual([await trusts(300, 2.9), await trusts(300, 3)], [true, false]);
  assert.deepEqual([await trusts(900, 4.9), await trusts(900, 5)], [true, false]);
});

test("a generation that is overtaken before it is shown gives way to the next", async () => {
  const { generations, give, opened } = givenGenerations({ trustMs: 60_000 });
  give(1);
  const first = await generations.current();
  give(2);
  const second = await generations.after(first);
  const following = generations.after(second);
  give(3);
  assert.equal((await following).generation, 3);
  opened.fill();
  await setImmediate();
  assert.equal(generations.shown()?.generation, 3);
});

test("a generation that could not be opened is opened again", async () => {
  const { generations, give } = givenGenerations({ trustMs: 60_000 });
  give(new Error("no answer"));
  await assert.rejects(async () => generations.current(), /no answer/);
  give(1);
  assert.equal((await generations.current()).generation, 1);
});

test("a generation is asked about in the background before searches stop trusting it", async () => {
  let latest = 1;
  const { generations, give, opened } = givenGenerations({ trustMs: 60_000, readLatest: async () => latest });
  give(1);
  const first = await generations.current();
  generations.ask(first);
  assert.equal(opened.asked, 0, "it was just seen");

  const early = (first.seenAt -= 30_000);
  generations.ask(first);
  generations.ask(first);
  await setImmediate();
  assert.equal(opened.asked, 1);
  assert.ok(first.seenAt > early);

  latest = 2;
  first.seenAt -= 30_000;
  give(2);
  generations.ask(first);
  opened.fill();
  await setImmediate();
  assert.equal(generations.shown()?.generation, 2);
});

test("a process that a later generation overtakes answers from one of the two, and from the later one at last", async (t) => {
  const { db, load } = await givenCatalog(t);
  const stop = new AbortController();
  t.after(() => stop.abort());
  const catalog = createCatalog({ db, trustMs: 2_000 });
  const search = async (q: string) => {
    const page = await catalog.search({ ...query, q }, stop.signal);
    return page.listings.map(({ name }) => name);
  };
  await load([place({ sourceId: "osm:n1", name: "Engel" }), place({ sourceId: "osm:n2", name: "Adler" })]);
  await catalog.warm(stop.signal);
  assert.deepEqual(await search("Engel"), ["Engel"]);

  await load([place({ sourceId: "osm:n1", name: "Zum Engel" }), place({ sourceId: "osm:n3", name: "Krone" })]);
  await until(async () => {
    const [name] = await search("Engel");
    assert.ok(name === "Engel" || name === "Zum Engel");
    return name === "Zum Engel";
  });
  assert.deepEqual(await search("Krone"), ["Krone"]);
});

function givenGenerations({
  trustMs,
  readLatest = async () => 1,
  changedBlocks = 1,
}: {
  trustMs: number;
  readLatest?: () => Promise<number>;
  changedBlocks?: number;
}) {
  const opened = { shown: [] as (number | undefined)[][], asked: 0, fill: () => {} };
  const answers: (number | Error)[] = [];
  const waiting: ((answer: number | Error) => void)[] = [];
  const give = (answer: number | Error) => {
    const first = waiting.shift();
    if (first) first(answer);
    else answers.push(answer);
  };
  const filled = new Promise<void>((resolve) => (opened.fill = resolve));
  const generations = createGenerations<Generation>({
    async open() {
      const given = answers.shift() ?? (await new Promise<number | Error>((resolve) => waiting.push(resolve)));
      if (given instanceof Error) throw given;
      return { generation: given, seenAt: performance.now(), isLeaving: false, changedBlocks };
    },
    fill: () => filled,
    onShown: (index, before) => void opened.shown.push([index.generation, before?.generation]),
    readLatest() {
      opened.asked += 1;
      return readLatest();
    },
    trustMs,
  });
  return { generations, give, opened };
}

/** A database in which an import commits before each of the first so many reads of records. */
function overtaken(db: Reads, times: number): Reads {
  let left = times;
  return {
    transaction: (work) => db.transaction(work),
    async query(statement) {
      if (statement.text.includes("from catalog_records") && left > 0) {
        left -= 1;
        await db.query(sql`
          insert into catalog_generations (generation, id)
          select generation + 1, gen_random_uuid()
          from catalog_state
        `);
        await db.query(sql`update catalog_state set generation = generation + 1`);
      }
      return db.query(statement);
    },
  };
}
