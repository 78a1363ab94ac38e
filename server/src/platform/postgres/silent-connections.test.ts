import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { doorTo } from "../../../test/database-door.ts";
import { fileDatabase } from "../../../test/harness.ts";
import { startOwnTime } from "../../../test/own-time.ts";
import { silentLog } from "../log.ts";
import { createDatabase, isOutage, isUnconfirmed } from "./database.ts";
import { sql } from "./sql.ts";

/** A pool of connections that a firewall between them and the server can forget. */
async function setUp(t: TestContext, connectionsMax = 2) {
  const connection = await fileDatabase();
  const door = await doorTo(t, connection);
  const db = createDatabase({ connection: door.through, connectionsMax, log: silentLog });
  const direct = createDatabase({ connection, connectionsMax: 2, log: silentLog });
  t.after(async () => {
    door.shut();
    await db.end();
    await direct.query(sql`drop table if exists kept`);
    await direct.end();
  });
  await direct.query(sql`create table kept (id int)`);
  await direct.query(sql`insert into kept values (1)`);
  return { door, db, direct };
}

const patience = { timeout: 30_000 };

async function failureOf(t: TestContext, work: Promise<unknown>): Promise<{ error: Error; seconds: number }> {
  const ownTime = startOwnTime(t);
  const error = await work.then(
    () => assert.fail("it was answered"),
    (failure: Error) => failure,
  );
  return { error, seconds: ownTime.seconds() };
}

test("a statement on a connection that died without a word fails within five seconds, alone", patience, async (t) => {
  const { door, db } = await setUp(t);
  await db.query(sql`select 1`);
  door.forget();

  const { error, seconds } = await failureOf(t, db.query(sql`insert into kept values (2)`));

  assert.ok(isOutage(error) && isUnconfirmed(error), error.message);
  assert.ok(seconds < 5, `${seconds} s`);
  assert.equal(db.pool().isStalled, false);
  assert.equal((await db.query(sql`select id from kept`)).rows.length, 1);
});

test("one dead connection is enough: the others of the pool are not tried", patience, async (t) => {
  const { door, db } = await setUp(t, 4);
  await Promise.all(Array.from({ length: 4 }, () => db.query(sql`select pg_sleep(.1)`)));
  assert.equal(db.pool().connections, 4);
  door.forget();
  await failureOf(t, db.query(sql`select 1`));

  const ownTime = startOwnTime(t);
  await Promise.all(Array.from({ length: 4 }, () => db.query(sql`select 1`)));

  assert.ok(ownTime.seconds() < 1.25, "sooner than a statement counts as slow");
});

test(
  "a transaction on a connection that died fails within five seconds, and its locks are freed",
  patience,
  async (t) => {
    const { door, db, direct } = await setUp(t);
    const transaction = db.transaction(async (tx) => {
      await tx.query(sql`update kept set id = 2`);
      door.forget();
      await tx.query(sql`select 1`);
    });

    const { error, seconds } = await failureOf(t, transaction);

    assert.ok(isOutage(error) && !isUnconfirmed(error), error.message);
    assert.ok(seconds < 5, `${seconds} s`);
    await direct.query(sql`update kept set id = id + 10`);
    assert.deepEqual((await direct.query(sql`select id from kept`)).rows, [{ id: 11 }]);
  },
);

test("a statement that the server works on is waited for", patience, async (t) => {
  const { db, direct } = await setUp(t);
  const held = Promise.withResolvers<void>();
  const holding = direct.transaction(async (tx) => {
    await tx.query(sql`update kept set id = 2`);
    held.resolve();
    await tx.query(sql`select pg_sleep(5)`);
  });
  await held.promise;

  const slow = db.query<{ done: boolean }>(sql`select true as done from pg_sleep(5)`);
  const blocked = db.query(sql`update kept set id = id + 1`);

  assert.deepEqual((await slow).rows, [{ done: true }]);
  assert.equal((await blocked).rowCount, 1);
  await holding;
});

// Its numbers of sessions are its own: taken for the server's, they would make every slow statement a dead one.
test("a slow statement through a pooler is waited for", patience, async (t) => {
  const { door, db } = await setUp(t);
  door.pose();

  const { rows } = await db.query<{ done: boolean }>(sql`select true as done from pg_sleep(5)`);

  assert.deepEqual(rows, [{ done: true }]);
});
