import assert from "node:assert/strict";
import { test } from "node:test";
import { newKeyText } from "../server/src/domains/api-keys/index.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { createDatabase, type Database } from "../server/src/platform/postgres/database.ts";
import { startEmbedded } from "../server/src/platform/postgres/embedded/index.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase } from "../server/test/postgres.ts";
import { type Callable, callUntilAnswered, startFleet } from "./fleet.ts";
import { allEnded, newLedger, settle } from "./jobs-ledger.ts";
import { newPreparedFolder, postmasterOf, startService, until } from "./service.ts";

const recoverySeconds = 15;
const isOver = new Set(["succeeded", "partial", "failed", "canceled"]);

test("the jobs of a killed worker are anyone's within fifteen seconds, and end", async (t) => {
  const database = await createTestDatabase();
  const fleet = await startFleet(database.connection, ["api", "worker"]);
  t.after(async () => {
    await fleet.stop();
    await database.drop();
  });
  const ledger = newLedger();
  for (const id of await createMany(fleet, 20, 1_000)) ledger.created.add(id);
  await until(async () => (await countRunning(fleet.db)) > 0);

  await fleet.any("worker").crash();
  const { rows: leases } = await fleet.db.query<{ seconds: number }>(sql`
    select extract(epoch from max(lease_until) - now())::float as seconds
    from scrapes
    where status = 'running'
  `);
  const [left = { seconds: Number.NaN }] = leases;
  await allEnded(fleet.db, 120);

  assert.ok(left.seconds < recoverySeconds, `${left.seconds} s`);
  const { rows: repeated } = await fleet.db.query(sql`select from scrapes where attempt = 2`);
  assert.ok(repeated.length > 0, "some were interrupted");
  await settle(fleet.db, ledger);
});

test("a service killed together with its own PostgreSQL ends every job it acknowledged, once", async (t) => {
  const folder = await newPreparedFolder(t);
  const key = newKeyText("live").text;
  const environment = { WAYPOST_DATA_DIR: folder, WAYPOST_SEED_LIVE_KEY: key, WAYPOST_RATE_LIMIT: "1000000" };
  const start = () => startService(t, environment, ["e2e/instant-service.ts"]);
  const ledger = newLedger();
  let service = await start();
  const client: Callable = { key, any: () => service };

  // More than run at once, so that some wait in the queue when it happens.
  for (const id of await createMany(client, 160, 1_000)) ledger.created.add(id);
  await service.end("SIGKILL");
  service = await start(); // on the PostgreSQL that went on without it
  for (const id of await createMany(client, 20, 1_000)) ledger.created.add(id);
  process.kill(await postmasterOf(folder), "SIGKILL");
  await service.end("SIGKILL");
  service = await start();
  for (const id of ledger.created) await until(async () => isOver.has(await statusOf(service.address, key, id)));
  await service.end("SIGTERM");

  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 1, log: silentLog });
  defer(t, async () => {
    await db.end();
    await postgres.stop();
  });
  const { rows } = await db.query<{ attempts: number }>(sql`select max(attempt) as attempts from scrapes`);
  assert.ok((rows[0]?.attempts ?? 0) > 1, "jobs were running when it was killed");
  await settle(db, ledger);
});

/** Creates so many jobs at once, each of which takes the source that long; resolves to their ids. */
async function createMany(client: Callable, count: number, ms: number): Promise<string[]> {
  const created = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      callUntilAnswered(client, "/scrapes", {
        body: { operation: "places.search", input: { q: `coffee near house ${index}, ${ms}` } },
      }),
    ),
  );
  for (const { status } of created) assert.equal(status, 202);
  return created.map(({ data }) => String(data.id));
}

async function statusOf(address: string, key: string, id: string): Promise<string> {
  const response = await fetch(`${address}/api/v1/scrapes/${id}`, { headers: { "API-KEY": key } });
  const { data } = (await response.json()) as { data: { status: string } };
  return data.status;
}

async function countRunning(db: Database): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) as count from scrapes where status = 'running'
  `);
  return rows[0]?.count ?? 0;
}
