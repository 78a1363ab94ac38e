import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../platform/postgres/sql.ts";
import type { Reads } from "../../../platform/postgres/replica-reads.ts";
import { SourceFailure } from "../../source.ts";
import { createCatalog } from "../catalog.ts";
import { givenCatalog, place } from "../testing.ts";

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

/** A database in which an import commits before each of the first so many reads of records. */
function overtaken(db: Reads, times: number): Reads {
  let left = times;
  return {
    transaction: (work) => db.transaction(work),
    async query(statement) {
      if (statement.text.includes("from catalog_records") && left > 0) {
        left -= 1;
        await db.query(sql`update catalog_state set generation = generation + 1`);
      }
      return db.query(statement);
    },
  };
}
