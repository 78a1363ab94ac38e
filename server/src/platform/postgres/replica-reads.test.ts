import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { doorTo, until } from "../../../test/database-door.ts";
import { createTestDatabase } from "../../../test/postgres.ts";
import { silentLog } from "../log.ts";
import { createDatabase, type Queryable } from "./database.ts";
import { createReplicaReads, inSnapshot, replicaStallLimits } from "./replica-reads.ts";
import { sql } from "./sql.ts";

/** One database reached in two ways, of which the replica's can be shut and jammed, and may lead to another one. */
async function givenReads(t: TestContext, { isElsewhere = false } = {}) {
  const { connection, drop } = await createTestDatabase();
  const other = isElsewhere ? await createTestDatabase() : undefined;
  const door = await doorTo(t, other?.connection ?? connection);
  const options = { connectionsMax: 3, log: silentLog };
  const primary = createDatabase({ connection: { ...connection, applicationName: "primary" }, ...options });
  const replica = createDatabase({
    connection: { ...door.through, applicationName: "replica" },
    ...options,
    stallLimits: replicaStallLimits,
  });
  t.after(async () => {
    door.shut();
    await Promise.all([primary.end(), replica.end()]);
    await Promise.all([drop(), other?.drop()]);
  });
  return { door, reads: createReplicaReads({ replica, primary, log: silentLog, lostMs: 0 }) };
}

async function serverOf(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(sql`select current_setting('application_name') as name`);
  return rows[0]?.name;
}

test("the primary answers while the replica refuses or answers nothing, and the replica when it is back", async (t) => {
  const { door, reads } = await givenReads(t);
  assert.equal(await serverOf(reads), "replica");

  for (const lose of [door.shut, door.jam]) {
    lose();
    assert.equal(await serverOf(reads), "primary");
    door.open();
    await until(async () => (await serverOf(reads)) === "replica");
  }
});

test("what was read together runs again on the primary as a whole when the replica is lost in the middle", async (t) => {
  const { door, reads } = await givenReads(t);

  const servers = await inSnapshot(reads, async (snapshot) => {
    const first = await serverOf(snapshot);
    door.shut();
    return [first, await serverOf(snapshot)];
  });

  assert.deepEqual(servers, ["primary", "primary"]);
});

test("a statement that the replica cancels runs on the primary, and one that is wrong fails", async (t) => {
  const { reads } = await givenReads(t);
  const canceledOnReplica = sql`
    do $$
    begin
      if current_setting('application_name') = 'replica' then
        raise exception 'canceling statement due to conflict with recovery' using errcode = '40001';
      end if;
    end
    $$
  `;

  await reads.query(canceledOnReplica);

  assert.equal(await serverOf(reads), "replica");
  await assert.rejects(reads.query(sql`select 1 / 0`), /division by zero/);
});

test("a database that is no replica of the primary's is not read", async (t) => {
  const { reads } = await givenReads(t, { isElsewhere: true });

  assert.equal(await serverOf(reads), "primary");
  assert.equal(await inSnapshot(reads, serverOf), "primary");
});
