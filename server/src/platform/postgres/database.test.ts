import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { fileDatabase } from "../../../test/harness.ts";
import { silentLog } from "../log.ts";
import { createDatabase } from "./database.ts";
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
