import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createTestDatabase, databaseUrl } from "../../test/postgres.ts";
import { startApi } from "../../test/harness.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { readConfig } from "../service/config/config.ts";
import type { Clock } from "../platform/clock.ts";
import { firstUuidAt, newUuid } from "../platform/ids.ts";
import { type Log, silentLog } from "../platform/log.ts";
import { createClockCheck } from "../platform/postgres/clock-check.ts";
import { sql } from "../platform/postgres/sql.ts";
import { startService } from "../service/start.ts";
import { listLoops } from "./loops.ts";
import { runLoop } from "./scheduler.ts";

const dayMs = 86_400_000;
const aheadBy = (ms: number): Clock => ({ now: () => new Date(Date.now() + ms) });

/** One run of every loop in a worker with this clock; resolves to what it logged. */
async function runLoopsOnce(
  { db, billing, files }: Awaited<ReturnType<typeof startApi>>,
  clock: Clock,
): Promise<string[]> {
  const messages: string[] = [];
  const note = (_fields: object, message: string) => void messages.push(message);
  const log = { ...silentLog, error: note, warn: note, info: note } as Log;
  const deps = { clockCheck: createClockCheck({ db, clock }), log, signal: new AbortController().signal };
  for (const loop of listLoops({ db, billing, files, clock, retentionDays: 30, ledgerMonths: 13 }))
    await runLoop(loop, deps);
  return messages;
}

/** A job that ended, and a delivered event, both of this age. */
async function givenRemains({ db }: Awaited<ReturnType<typeof startApi>>, ageMs: number) {
  const createdAt = new Date(Date.now() - ageMs);
  const [id, organizationId] = [firstUuidAt(createdAt), newUuid()];
  await db.query(sql`
    insert into scrapes (id, organization_id, environment, operation, params, status, request_id, created_at, finished_at)
    values (${id}, ${organizationId}, 'test', 'search', '{}', 'succeeded', 'req', ${createdAt}, ${createdAt})
  `);
  await db.query(sql`
    insert into webhook_events (id, organization_id, type, resource_type, resource_id, sequence, body, created_at)
    values (${newUuid()}, ${organizationId}, 'scrape.completed', 'scrape_job', ${id}, 1, '{}', ${createdAt})
  `);
  return {
    async left(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(sql`
        select (select count(*) from scrapes where id = ${id})
          + (select count(*) from webhook_events where resource_id = ${id}) as count
      `);
      return rows[0]?.count ?? 0;
    },
  };
}

test("a worker whose clock is 40 days ahead deletes nothing and says so", async (t) => {
  const api = await startApi(t);
  const young = await givenRemains(api, dayMs);
  const old = await givenRemains(api, 40 * dayMs);

  const messages = await runLoopsOnce(api, aheadBy(40 * dayMs));

  assert.deepEqual([await young.left(), await old.left()], [2, 2]);
  assert.ok(messages.length > 0 && messages.every((message) => message === "worker.clock_differs"), messages.join());
});

test("a worker whose clock is behind deletes nothing either", async (t) => {
  const api = await startApi(t);
  const old = await givenRemains(api, 40 * dayMs);

  const messages = await runLoopsOnce(api, aheadBy(-61_000));

  assert.equal(await old.left(), 2);
  assert.ok(messages.includes("worker.clock_differs"));
});

test("a worker whose clock differs by less than a minute removes what is old by the database's clock", async (t) => {
  const api = await startApi(t);
  const young = await givenRemains(api, 30 * dayMs - 40_000);
  const old = await givenRemains(api, 30 * dayMs + 40_000);

  const messages = await runLoopsOnce(api, aheadBy(50_000));

  assert.deepEqual([await young.left(), await old.left()], [2, 0]);
  assert.ok(!messages.includes("worker.clock_differs"));
});

test("readiness warns of a clock that differs, metrics show by how much, and the service still serves", async (t) => {
  const service = await startWith(t, aheadBy(40 * dayMs));

  const ready = await fetch(`${service.address}/readyz`);
  const { problems, warnings } = (await ready.json()) as { problems: string[]; warnings: string[] };
  const metrics = await (await fetch(`${service.address}/metrics`)).text();

  assert.equal(ready.status, 200);
  assert.deepEqual(problems, []);
  assert.match(warnings.join(), /3456000 seconds ahead of the database's; it deletes nothing/);
  const seconds = Number(/^waypost_clock_ahead_seconds (\S+)/m.exec(metrics)?.[1]);
  assert.ok(Math.abs(seconds - 40 * 86_400) < 60, String(seconds));
});

async function startWith(t: TestContext, clock: Clock) {
  const database = await createTestDatabase();
  const folder = await makeTempFolder();
  const config = readConfig({
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: "0",
    WAYPOST_ROLE: "worker",
  });
  const service = await startService(config, silentLog, { clock });
  t.after(async () => {
    await service.stop();
    await database.drop();
    await removeFolder(folder);
  });
  return service;
}
