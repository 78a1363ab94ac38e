import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { doorTo } from "../../../test/database-door.ts";
import { fileDatabase } from "../../../test/harness.ts";
import { silentLog } from "../log.ts";
import { createDatabase, isOutage, isSchemaChange } from "./database.ts";
import { listenForNotifications } from "./notifications.ts";
import { sql } from "./sql.ts";

test("a transaction that throws leaves nothing behind", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 2, log: silentLog });
  t.after(() => db.end());

  const failing = db.transaction(async (tx) => {
    await tx.query(sql`insert into installation (name, value) values ('half', 'done')`);
    throw new Error("changed my mind");
  });

  await assert.rejects(failing, /changed my mind/);
  const { rows } = await db.query(sql`select name from installation where name = 'half'`);
  assert.deepEqual(rows, []);
});

test("a transaction whose first statement is already prepared keeps or loses all of its work", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => db.end());
  const insert = (name: string) => sql`
    insert into installation (name, value)
    values (${name}, 'first')
    returning name, txid_current() as transaction
  `;
  const run = (name: string, second: () => void = () => undefined) =>
    db.transaction(async (tx) => {
      const { rows, rowCount } = await tx.query<{ name: string; transaction: number }>(insert(name));
      second();
      const { rows: later } = await tx.query<{ transaction: number }>(sql`select txid_current() as transaction`);
      return { name: rows[0]?.name, rowCount, isSame: rows[0]?.transaction === later[0]?.transaction };
    });
  const kept = { rowCount: 1, isSame: true };
  assert.deepEqual(await run("first/a"), { name: "first/a", ...kept });

  assert.deepEqual(await run("first/b"), { name: "first/b", ...kept });
  await assert.rejects(
    run("first/c", () => {
      throw new Error("changed my mind");
    }),
    /changed my mind/,
  );
  await assert.rejects(run("first/a"), /duplicate key/);
  assert.deepEqual(await run("first/d"), { name: "first/d", ...kept });

  const { rows } = await db.query<{ name: string }>(sql`
    select name
    from installation
    where name like 'first/%'
    order by name
  `);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["first/a", "first/b", "first/d"],
  );
});

test("the pool outlives a server that ends all its sessions", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 2, log: silentLog });
  t.after(() => db.end());
  await db.query(sql`select 1`);

  const ending = db.query(sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database()
      and application_name = 'waypost'
  `);

  await ending.catch(() => undefined);
  const { rows } = await db
    .query<{ one: number }>(sql`select 1 as one`)
    .catch(() => db.query<{ one: number }>(sql`select 1 as one`));
  assert.deepEqual(rows, [{ one: 1 }]);
});

test("a listener hears what is said, and comes back after its connection was lost", async (t) => {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 2, log: silentLog });
  const notifications = listenForNotifications(connection, silentLog);
  t.after(async () => {
    await notifications.stop();
    await db.end();
  });
  const heard = new EventTarget();
  const payloads: (string | undefined)[] = [];
  notifications.on("news", (payload) => {
    payloads.push(payload);
    heard.dispatchEvent(new Event("news"));
  });
  const next = () => once(heard, "news", { signal: AbortSignal.timeout(10_000) });

  await next(); // connected: anything may have been said before
  const first = next();
  await db.query(sql`select pg_notify('news', 'one')`);
  await first;
  const reconnected = next();
  await db.query(sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database()
      and query like 'listen%'
  `);
  await reconnected;
  const second = next();
  await db.query(sql`select pg_notify('news', 'two')`);
  await second;

  assert.deepEqual(payloads, [undefined, "one", undefined, "two"]);
});

test("a listener whose connection says nothing any more takes another one", async (t) => {
  const connection = await fileDatabase();
  const door = await doorTo(t, connection);
  const notifications = listenForNotifications(door.through, silentLog, { heartbeatMs: 50, answerMs: 200 });
  t.after(() => notifications.stop());
  const heard = new EventTarget();
  notifications.on("news", () => heard.dispatchEvent(new Event("news")));
  const connected = () => once(heard, "news", { signal: AbortSignal.timeout(10_000) });
  await connected();

  door.forget();

  await connected();
});

test("a listener stops although its server is frozen", { timeout: 10_000 }, async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const notifications = listenForNotifications(door.through, silentLog);
  await new Promise<void>((resolve) => notifications.on("news", () => resolve()));
  door.freeze();

  await notifications.stop();
});

/** A pool in which every connection has a plan for reading `plans`, and another that alters the table. */
async function givenPlans(t: TestContext) {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });
  const migrator = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  t.after(async () => {
    await migrator.query(sql`drop table plans`);
    await db.end();
    await migrator.end();
  });
  await migrator.query(sql`create table plans (id int, name text)`);
  await migrator.query(sql`insert into plans values (1, 'one')`);
  const read = () => sql`select id, name from plans`;
  const allRead = Promise.withResolvers<void>();
  let readers = 0;
  const planAndWait = () =>
    db.transaction(async (tx) => {
      await tx.query(read());
      if ((readers += 1) === 4) allRead.resolve();
      await allRead.promise;
    });
  await Promise.all(Array.from({ length: 4 }, planAndWait));
  return { db, migrator, read };
}

test("a change of the schema fails no statement and no transaction of a process that is running", async (t) => {
  const { db, migrator, read } = await givenPlans(t);

  await migrator.query(sql`alter table plans alter column name type varchar, add column more int`);
  const reads = Array.from({ length: 8 }, () => db.query(read()));
  const transactions = Array.from({ length: 8 }, () => db.transaction((tx) => tx.query(read())));

  for (const { rows } of await Promise.all([...reads, ...transactions])) {
    assert.deepEqual(rows, [{ id: 1, name: "one" }]);
  }
});

test("a transaction that meets a changed schema leaves its work behind once", async (t) => {
  const { db, migrator, read } = await givenPlans(t);

  await migrator.query(sql`alter table plans alter column name type varchar`);
  await db.transaction(async (tx) => {
    await tx.query(sql`insert into plans values (2, 'two')`);
    await tx.query(read());
  });

  assert.deepEqual((await db.query(read())).rows.length, 2);
});

test("a column that a newer version dropped is told from a fault of the statement's own", async (t) => {
  const { db, migrator, read } = await givenPlans(t);

  await migrator.query(sql`alter table plans drop column name`);

  await assert.rejects(db.query(read()), isSchemaChange);
  await assert.rejects(db.query(sql`select 1 / 0`), (error) => !isSchemaChange(error));
});

test("a lock that another transaction holds too long counts as an outage, since the same statement may succeed later", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 2, log: silentLog });
  t.after(() => db.end());
  const lock = sql`select pg_advisory_xact_lock(7, 7)`;

  await db.transaction(async (holder) => {
    await holder.query(lock);
    const waiting = db.transaction(async (tx) => {
      await tx.query(sql`set local lock_timeout = 20`);
      await tx.query(lock);
    });

    await assert.rejects(waiting, isOutage);
  });
});

test("a disk that fails, one that takes no writes and a deadlock count as outages, and a lack of rights does not", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => db.end());
  const raise = async (code: string, message: string) => {
    await db.query(
      sql`select set_config('waypost.code', ${code}, false), set_config('waypost.message', ${message}, false)`,
    );
    await db.query(sql`
      do $$ begin
        raise exception using errcode = current_setting('waypost.code'), message = current_setting('waypost.message');
      end $$
    `);
  };

  await assert.rejects(raise("58030", "could not read block 0 of relation: Input/output error"), isOutage);
  await assert.rejects(raise("42501", "could not extend file: Read-only file system"), isOutage);
  await assert.rejects(raise("40P01", "deadlock detected"), isOutage);
  await assert.rejects(raise("42501", "permission denied for table scrapes"), (error) => !isOutage(error));
});
