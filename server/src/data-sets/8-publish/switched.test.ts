import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../platform/clock.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { listDataSets } from "../data-sets.ts";
import { givenCatalog, place, yielded } from "../../sources/catalog/testing.ts";
import { importItems } from "../import.ts";
import { removeDataSet } from "../remove.ts";

const cafe = (number: number) =>
  place({ sourceId: `osm:n${number}`, name: `Cafe ${number}`, categories: ["amenity/cafe"] });

test("an import and a removal that are interrupted after the switch are done", async (t) => {
  const { connection, db, load, names } = await givenCatalog(t);
  await load([cafe(1), cafe(2)], "first");
  const stopped = () => {
    const controller = new AbortController();
    const waitForSearches = async () => {
      controller.abort(new Error("Interrupted."));
      controller.signal.throwIfAborted();
    };
    return { connection, clock: systemClock, signal: controller.signal, waitForSearches };
  };

  const imported = await importItems({ name: "second", origin: "second.file" }, yielded([cafe(3)]), stopped());
  const after = await names("cafe");
  const removed = await removeDataSet("first", stopped());
  const left = await names("cafe");

  assert.deepEqual([imported.added, after.toSorted()], [1, ["Cafe 1", "Cafe 2", "Cafe 3"]]);
  assert.deepEqual([removed.places, left], [2, ["Cafe 3"]]);

  await load([cafe(3), cafe(4)], "second");
  assert.deepEqual((await names("cafe")).toSorted(), ["Cafe 3", "Cafe 4"]);
  assert.deepEqual(
    (await listDataSets(db)).map(({ name, places }) => [name, places]),
    [["second", 2]],
  );
});

test("an import that loses its database says so in a sentence, and nothing is changed", async (t) => {
  const { connection, db, load, names } = await givenCatalog(t);
  await load([cafe(1)]);
  async function* losing() {
    yield cafe(2);
    await db.query(sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and application_name like 'waypost import%'
    `);
    for (let number = 3; number < 2_000; number += 1) yield cafe(number);
  }

  const lost = importItems({ name: "test", origin: "test.file" }, losing(), {
    connection,
    clock: systemClock,
    signal: new AbortController().signal,
  });

  await assert.rejects(lost, {
    name: "ServiceError",
    message: "The database was lost. The catalog is as it was; the same command continues, or begins again.",
  });
  assert.deepEqual(await names("cafe"), ["Cafe 1"]);
});
