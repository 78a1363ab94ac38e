import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "../../server/src/platform/log.ts";
import { createDatabase } from "../../server/src/platform/postgres/database.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { createTestDatabase, databaseUrl } from "../../server/test/postgres.ts";
import { waypost } from "./waypost.ts";

test("status of nothing prints what is not there, without making it", async () => {
  const { code, out } = await waypost(["status"], { WAYPOST_DATA_DIR: "/nowhere/at/all", WAYPOST_PORT: "1" });

  assert.equal(code, 1);
  assert.match(out, /Service +http:\/\/127\.0\.0\.1:1 does not answer\n/);
  assert.match(out, /Live keys +not known while the database cannot be read \(WAYPOST_SOURCE=auto\)\n/);
  assert.match(out, /Database +the PostgreSQL in \/nowhere\/at\/all is not made yet/);
});

test("status tells a source that nobody knows from none at all", async (t) => {
  const { connection, drop } = await createTestDatabase();
  t.after(drop);
  const unread = { WAYPOST_DATA_DIR: "/nowhere/at/all", WAYPOST_PORT: "1", WAYPOST_SOURCE: "catalog" };
  const empty = { ...unread, DATABASE_URL: databaseUrl(connection) };

  const [unknown, none, people] = await Promise.all([
    waypost(["status", "--json"], unread),
    waypost(["status", "--json"], empty),
    waypost(["status"], empty),
  ]);

  assert.equal(JSON.parse(unknown.out).sources.answering, null);
  assert.equal(JSON.parse(none.out).sources.answering, "none");
  assert.match(people.out, /Live keys +no source answers them \(WAYPOST_SOURCE=catalog\)\n/);
});

test("status says that a ledger was too long to compare, and where the difference is seen", async (t) => {
  const { connection, drop } = await createTestDatabase();
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  t.after(() => db.end().then(drop));
  const environment = { DATABASE_URL: databaseUrl(connection), WAYPOST_DATA_DIR: "/nowhere/at/all", WAYPOST_PORT: "1" };

  const [people, program] = await db.transaction(async (tx) => {
    // A busy machine may take longer than a transaction may be idle.
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await tx.query(sql`lock table ledger_entries in access exclusive mode`);
    return Promise.all([waypost(["status"], environment), waypost(["status", "--json"], environment)]);
  });

  assert.match(people.out, /Ledger +too long to compare here; see waypost_ledger_difference_units of a worker/);
  const { ledger, endpoints } = JSON.parse(program.out) as Record<"ledger" | "endpoints", unknown>;
  assert.deepEqual(ledger, { difference_units: null });
  assert.deepEqual(endpoints, { active: 0, paused: 0, disabled: 0 }, "the rest is shown");
});
