import assert from "node:assert/strict";
import { test } from "node:test";
import { fileDatabase } from "../../../test/harness.ts";
import { newUuid } from "../../platform/ids.ts";
import { silentLog } from "../../platform/log.ts";
import { createDatabase } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { findShownScrapes } from "./store.ts";

test("reads are planned once, however many there are at a time", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => db.end());
  const tenant = { organizationId: newUuid(), environment: "live" } as const;

  for (let time = 0; time < 20; time += 1) {
    const questions = Array.from({ length: 1 + (time % 3) }, () => ({ tenant, uuid: newUuid() }));
    assert.deepEqual(
      await findShownScrapes(db, questions),
      questions.map(() => undefined),
    );
  }

  const { rows } = await db.query<{ made: number; kept: number }>(sql`
    select custom_plans as made, generic_plans as kept
    from pg_prepared_statements
    where statement like '%from scrapes%'
  `);
  // The first five are always planned for their values.
  assert.deepEqual(rows[0], { made: 5, kept: 15 });
});
