import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { until } from "../../test/database-door.ts";
import { defer } from "../../test/defer.ts";
import { createTestDatabase, databaseUrl } from "../../test/postgres.ts";
import { startApi } from "../../test/harness.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { answering, openReceiver } from "../../test/webhook-receiver.ts";
import { fileCertificates } from "../../test/webhooks.ts";
import { readConfig } from "../service/config/config.ts";
import type { Clock } from "../platform/clock.ts";
import { firstUuidAt, type IdPrefix, newUuid, timeOfUuid, uuidFromId } from "../platform/ids.ts";
import { type Log, silentLog } from "../platform/log.ts";
import { createClockCheck } from "../platform/postgres/clock-check.ts";
import { createDatabase } from "../platform/postgres/database.ts";
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

const hourMs = 3_600_000;

for (const [aheadMs, named] of [
  [hourMs, "ahead"],
  [-hourMs, "behind"],
] as const) {
  test(`a process whose clock is an hour ${named} signs, sends and retries webhooks on time`, async (t) => {
    const webhooks = await startWebhooks(t, aheadBy(aheadMs));

    await webhooks.sendTest();

    assert.ok(Math.abs((await webhooks.signedAt()) - Date.now() / 1_000) < 300);
    await webhooks.requireRetryInAMinute();
  });
}

test("a clock that jumps by three days while a webhook is sent does not postpone its retry", async (t) => {
  let jumpedMs = 0;
  const webhooks = await startWebhooks(t, {
    now: () => new Date(Date.now() + jumpedMs),
    elapsedMs: () => performance.now(),
  });

  jumpedMs = 3 * dayMs;
  await webhooks.sendTest();

  await webhooks.requireRetryInAMinute();
});

/** A service that sends webhooks to a receiver which refuses them. */
async function startWebhooks(t: TestContext, processClock: Clock) {
  const receiver = await openReceiver(await fileCertificates(), answering(500));
  defer(t, () => receiver.close());
  const outbound = { WAYPOST_OUTBOUND_ALLOW: "127.0.0.0/8", WAYPOST_WEBHOOK_PORTS: String(receiver.port) };
  const { address, database, keys } = await startWith(t, processClock, { WAYPOST_ROLE: "all", ...outbound });
  const db = createDatabase({ connection: database.connection, connectionsMax: 1, log: silentLog });
  defer(t, () => db.end());
  const endpoint = await call(address, keys?.live, "/webhook-endpoints", {
    url: receiver.url,
    event_types: ["scrape.completed"],
  });
  return {
    sendTest: () => call(address, keys?.live, `/webhook-endpoints/${endpoint["id"]}/test`, ""),
    async signedAt(): Promise<number> {
      await receiver.until(() => receiver.received.length > 0);
      return Number(receiver.received[0]?.headers["x-svc-timestamp"]);
    },
    async requireRetryInAMinute() {
      let waitSeconds: number | undefined;
      await until(async () => {
        const { rows } = await db.query<{ seconds: number }>(sql`
          select extract(epoch from run_at - now())::float8 as seconds
          from webhook_deliveries
          where attempt = 1
        `);
        waitSeconds = rows[0]?.seconds;
        return waitSeconds !== undefined;
      });
      assert.ok(Math.abs(waitSeconds ?? Infinity) < 300, `${waitSeconds} s`);
    },
  };
}

for (const aheadMs of [hourMs, -hourMs]) {
  test(`ids say the database's time where the clock is off by ${aheadMs} ms, and a stream tells of every event`, async (t) => {
    const { now } = Date;
    t.mock.method(Date, "now", () => now() + aheadMs);
    const settings = { WAYPOST_ROLE: "api", WAYPOST_OUTBOUND_ALLOW: "127.0.0.0/8" };
    const { address, keys } = await startWith(t, aheadBy(0), settings);
    const stream = await fetch(`${address}/api/v1/events/stream`, {
      headers: { "API-KEY": keys?.live ?? "" },
      signal: AbortSignal.timeout(20_000),
    });
    const url = "https://127.0.0.1/hook";
    const endpoint = await call(address, keys?.live, "/webhook-endpoints", { url, event_types: ["scrape.completed"] });
    const { id: jobId } = await call(address, keys?.test, "/scrapes", {
      operation: "places.search",
      input: { q: "coffee in Vaduz" },
    });
    const exported = await call(address, keys?.test, "/exports", { job_id: jobId, format: "csv" });
    const area = { bbox: [47, 9, 48, 10] };
    const collection = await call(address, keys?.test, "/collections", { q: "dentist", area, max_units: 5 });
    const delivery = await call(address, keys?.live, `/webhook-endpoints/${endpoint["id"]}/test`, "");

    const made = { job: jobId, exp: exported["id"], col: collection["id"], whe: endpoint["id"], dlv: delivery["id"] };
    for (const [prefix, id] of Object.entries(made)) {
      const madeMs = timeOfUuid(uuidFromId(prefix as IdPrefix, id) ?? "");
      assert.ok(Math.abs(madeMs - now()) < 300_000, `${id}: ${new Date(madeMs).toISOString()}`);
    }
    let told = "";
    for await (const chunk of (stream.body ?? assert.fail("no body")).pipeThrough(new TextDecoderStream())) {
      told += chunk;
      if (told.includes("event: webhook.test")) break;
    }
  });
}

test("a link to a file ends on time, whatever the clock of the process that made it", async (t) => {
  const right = await startWith(t, aheadBy(0), { WAYPOST_ROLE: "all" });
  const job = await call(right.address, right.keys?.test, "/scrapes", {
    operation: "places.search",
    input: { q: "coffee in Vaduz" },
  });
  const exported = await call(right.address, right.keys?.test, "/exports", { job_id: job["id"], format: "csv" });

  for (const aheadMs of [hourMs, -hourMs]) {
    const wrong = await startWith(t, aheadBy(aheadMs), { WAYPOST_ROLE: "api" }, right);
    const { download_url: url } = await call(wrong.address, right.keys?.test, `/exports/${exported["id"]}`);
    const { pathname, search, searchParams } = new URL(url, wrong.address);

    assert.equal((await fetch(new URL(pathname + search, right.address))).status, 200);
    assert.ok(Math.abs(Number(searchParams.get("expires")) - 15 * 60 - Date.now() / 1_000) < 300);
  }
});

async function call(address: string, key: string | undefined, path: string, body?: object | "") {
  const response = await fetch(`${address}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "API-KEY": key ?? "",
      ...(body ? { "Content-Type": "application/json", "Idempotency-Key": newUuid() } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  assert.ok(response.ok, await response.clone().text());
  return ((await response.json()) as { data: Record<string, any> }).data;
}

type Started = { database: Awaited<ReturnType<typeof createTestDatabase>>; folder: string };

/** A service whose operating system has this clock, on a database of its own or beside another one. */
async function startWith(t: TestContext, processClock: Clock, settings: Record<string, string> = {}, beside?: Started) {
  const { database, folder } = beside ?? (await givenDatabase(t));
  const config = readConfig({
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: "0",
    WAYPOST_ROLE: "worker",
    ...settings,
  });
  const service = await startService(config, silentLog, { processClock });
  defer(t, () => service.stop());
  return { address: service.address, keys: service.firstKeys, database, folder };
}

async function givenDatabase(t: TestContext): Promise<Started> {
  const database = await createTestDatabase();
  const folder = await makeTempFolder();
  defer(t, async () => {
    await database.drop();
    await removeFolder(folder);
  });
  return { database, folder };
}
