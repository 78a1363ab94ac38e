// Jobs beside the barest programs that do the same durable work, all in one run on one PostgreSQL:
// `npm run bench -- jobs [seconds per figure] [finished jobs in the table]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Fleet, startFleet } from "../e2e/fleet.ts";
import { idFromUuid, newUuid } from "../server/src/platform/ids.ts";
import { silentLog } from "../server/src/platform/log.ts";
import type { Connection, Database } from "../server/src/platform/postgres/database.ts";
import { startEmbedded } from "../server/src/platform/postgres/embedded/index.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { databaseUrl } from "../server/test/postgres.ts";
import { creationStatements, pgbench } from "./jobs-baseline.ts";
import { bareLoop, fillFinished, fillQueued } from "./jobs-fill.ts";
import { hammer, inTurns, percentile } from "./jobs-load.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";

const connections = 16;
const jobsToFinish = 2_000;
const delaySamples = 100;

type Figures = { creations: number; reads: number; finished: number };

export async function run(words: string[]): Promise<void> {
  const seconds = Number(words[0] ?? 10);
  const finishedJobs = Number(words[1] ?? 1_000_000);
  const folder = await makeTempFolder();
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const { connection } = postgres;
  const fleet = await startFleet(connection, ["api"], { WAYPOST_DATABASE_CONNECTIONS: String(connections) });
  try {
    const organizationId = await onlyOrganization(fleet.db);
    console.log(`${connections} connections, ${seconds} s per figure, PostgreSQL with fsync`);
    const empty = await measureAll(fleet, connection, organizationId, seconds);
    await queueDelay(fleet, connection);
    if (finishedJobs === 0) return;

    await fillFinished(fleet.db, organizationId, finishedJobs);
    console.log(`with ${finishedJobs} finished jobs in the table`);
    const full = await measureAll(fleet, connection, organizationId, seconds);
    for (const name of ["creations", "reads", "finished"] as const) {
      console.log(`  cost of ${name} against the empty table  ${(empty[name] / full[name]).toFixed(2)} (at most 1.20)`);
    }
  } finally {
    await fleet.stop();
    await postgres.stop();
    await removeFolder(folder);
  }
}

async function measureAll(
  fleet: Fleet,
  connection: Connection,
  organizationId: string,
  seconds: number,
): Promise<Figures> {
  const creations = await measureCreations(fleet, connection, organizationId, seconds);
  const reads = await measureReads(fleet, connection, organizationId, seconds);
  const finished = await measureFinishing(fleet, connection, organizationId);
  return { creations, reads, finished };
}

async function measureCreations(fleet: Fleet, connection: Connection, organizationId: string, seconds: number) {
  const statements = await creationStatements(fleet.db, organizationId);
  const body = JSON.stringify({ operation: "places.search", input: { q: "coffee in Vaduz" } });
  const load = { connections, seconds, status: 202 };
  const request = () => ({
    method: "POST" as const,
    path: "/api/v1/scrapes",
    headers: { "API-KEY": fleet.key, "Content-Type": "application/json", "Idempotency-Key": newUuid() },
    body,
  });
  await hammer(addressOf(fleet), { ...load, seconds: 2 }, request);
  const figures = await inTurns(
    seconds,
    (turn) => hammer(addressOf(fleet), { ...load, seconds: turn }, request),
    (turn) => pgbench(connection, { statements, organizationId }, { connections, seconds: Math.ceil(turn) }),
  );
  tell("(a) creations over HTTP", "pgbench, the same statements", figures, 0.5);
  await forget(fleet.db);
  return figures.ours;
}

async function measureReads(fleet: Fleet, connection: Connection, organizationId: string, seconds: number) {
  const ids = (await fillQueued(fleet.db, organizationId, 1_000)).map((uuid) => idFromUuid("job", uuid));
  const bare = spawn(process.execPath, [fileURLToPath(new URL("bare-read.ts", import.meta.url))], {
    env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl(connection) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(bare.stdout, "data")) as [Buffer];
  const bareAddress = /ready at (\S+)/.exec(String(line))?.[1] ?? "";
  const load = { connections, seconds, status: 200 };
  const idOf = (sent: number) => ids[sent % ids.length];
  const request = (sent: number) => ({
    method: "GET" as const,
    path: `/api/v1/scrapes/${idOf(sent)}`,
    headers: { "API-KEY": fleet.key },
  });
  const bareRequest = (sent: number) => ({ method: "GET" as const, path: `/scrapes/${idOf(sent)}`, headers: {} });
  await hammer(addressOf(fleet), { ...load, seconds: 2 }, request);
  await hammer(bareAddress, { ...load, seconds: 2 }, bareRequest);
  const figures = await inTurns(
    seconds,
    (turn) => hammer(addressOf(fleet), { ...load, seconds: turn }, request),
    (turn) => hammer(bareAddress, { ...load, seconds: turn }, bareRequest),
  );
  bare.kill("SIGTERM");
  tell("(b) reads of a job", "bare Fastify route", figures, 0.6);
  await forget(fleet.db);
  return figures.ours;
}

async function measureFinishing(fleet: Fleet, connection: Connection, organizationId: string) {
  await fillQueued(fleet.db, organizationId, jobsToFinish);
  const theirs = await bareLoop(connection, jobsToFinish);
  await fillQueued(fleet.db, organizationId, 200);
  const workers = await startFleet(connection, ["worker"], { WAYPOST_DATABASE_CONNECTIONS: String(connections) });
  await drained(fleet.db); // warm
  await fillQueued(fleet.db, organizationId, jobsToFinish);
  const started = performance.now();
  await fleet.db.query(sql`select pg_notify('scrapes_queued', '')`);
  await drained(fleet.db);
  const ours = jobsToFinish / ((performance.now() - started) / 1_000);
  await workers.stop();
  tell("(c) jobs finished", "bare claim-and-complete loop", { ours, theirs, ratio: ours / theirs }, 0.5);
  await forget(fleet.db);
  return ours;
}

/** From the commit of the creation to the claim, on an idle service. */
async function queueDelay(fleet: Fleet, connection: Connection) {
  const workers = await startFleet(connection, ["worker"]);
  for (let sent = 0; sent < delaySamples; sent += 1) {
    await hammer(addressOf(fleet), { connections: 1, seconds: 0.001, status: 202 }, () => ({
      method: "POST",
      path: "/api/v1/scrapes",
      headers: { "API-KEY": fleet.key, "Content-Type": "application/json", "Idempotency-Key": newUuid() },
      body: JSON.stringify({ operation: "places.search", input: { q: "coffee in Vaduz" } }),
    }));
    await drained(fleet.db);
    await sleep(20);
  }
  const { rows } = await fleet.db.query<{ ms: number }>(sql`
    select extract(epoch from started_at - created_at)::float * 1000 as ms
    from scrapes
    where started_at is not null
    order by id desc
    limit ${delaySamples}
  `);
  const delays = rows.map(({ ms }) => ms);
  console.log(
    `  (d) queue delay, idle              p50 ${percentile(delays, 0.5).toFixed(1)} ms, p99 ${percentile(delays, 0.99).toFixed(1)} ms (p50 under 50 ms)`,
  );
  await workers.stop();
  await forget(fleet.db);
}

type Figure = { ours: number; theirs: number | undefined; ratio: number | undefined };

function tell(name: string, baseline: string, { ours, theirs, ratio }: Figure, least: number) {
  const beside =
    theirs === undefined
      ? "which is not on this machine"
      : `${Math.round(theirs)}/s: ${(ratio ?? 0).toFixed(2)} (at least ${least})`;
  console.log(`  ${name.padEnd(34)} ${Math.round(ours)}/s beside ${baseline} ${beside}`);
}

function addressOf(fleet: Fleet): string {
  const { address } = fleet.any("api");
  if (address === undefined) throw new Error("the API process is down");
  return address;
}

async function drained(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ count: number }>(sql`
      select count(*) as count from scrapes where finished_at is null
    `);
    if (rows[0]?.count === 0) return;
    await sleep(rows[0] && rows[0].count > 100 ? 50 : 2);
  }
}

/** What one figure left behind must not weigh on the next. */
async function forget(db: Database): Promise<void> {
  await db.query(sql`delete from scrapes where operation <> 'bench.filler'`);
  for (const table of [sql`scrape_results`, sql`webhook_deliveries, webhook_events`, sql`idempotency_records`]) {
    await db.query(sql`truncate ${table} cascade`);
  }
  await db.query(sql`vacuum analyze scrapes`);
}

async function onlyOrganization(db: Database): Promise<string> {
  const { rows } = await db.query<{ id: string }>(sql`select id from organizations`);
  const [row] = rows;
  if (!row) throw new Error("the service made no organization");
  return row.id;
}
