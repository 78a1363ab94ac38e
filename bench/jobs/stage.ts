import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startFleet } from "../../e2e/fleet.ts";
import { idFromUuid, newUuid } from "../../server/src/platform/ids.ts";
import type { Connection, Database } from "../../server/src/platform/postgres/database.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { databaseUrl } from "../../server/test/postgres.ts";
import { bareLoop, fillQueued } from "./fill.ts";
import { hammer } from "./load.ts";

export const connections = 16;
const jobsPerSecondOfATurn = 3_000;
const readJobs = 1_000;

const reading = (seconds: number) => ({ connections, seconds, status: 200 });

const settings = { WAYPOST_DATABASE_CONNECTIONS: String(connections) };

/** A database of its own with an API process, and what else is measured on it. */
export async function openStage(connection: Connection) {
  const fleet = await startFleet(connection, ["api"], settings);
  const { db } = fleet;
  const { address = "" } = fleet.any("api");
  const organizationId = await onlyOrganization(db);

  const body = JSON.stringify({ operation: "places.search", input: { q: "coffee in Vaduz" } });
  const creation = () => ({
    method: "POST" as const,
    path: "/api/v1/scrapes",
    headers: { "API-KEY": fleet.key, "Content-Type": "application/json", "Idempotency-Key": newUuid() },
    body,
  });

  /** Creations per second over HTTP. */
  const create = (seconds: number, clients = connections) =>
    hammer(address, { connections: clients, seconds, status: 202 }, creation);

  /** Two programs that read the same jobs: ours, and the bare route. */
  async function openReads() {
    const ids = (await fillQueued(db, organizationId, readJobs)).map((uuid) => idFromUuid("job", uuid));
    const bare = spawn(process.execPath, [fileURLToPath(new URL("../bare-read.ts", import.meta.url))], {
      env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl(connection) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(bare.stdout, "data")) as [Buffer];
    const bareAddress = /ready at (\S+)/.exec(String(line))?.[1] ?? "";
    const idOf = (sent: number) => ids[sent % ids.length];
    return {
      ours: (seconds: number) =>
        hammer(address, reading(seconds), (sent) => ({
          method: "GET",
          path: `/api/v1/scrapes/${idOf(sent)}`,
          headers: { "API-KEY": fleet.key },
        })),
      bare: (seconds: number) =>
        hammer(bareAddress, reading(seconds), (sent) => ({
          method: "GET",
          path: `/scrapes/${idOf(sent)}`,
          headers: {},
        })),
      close: () => bare.kill("SIGTERM"),
    };
  }

  /** Two programs that finish jobs: a worker, which stands still between its turns, and the bare loop. */
  async function openWorker() {
    const workers = await startFleet(connection, ["worker"], settings);
    const worker = workers.any("worker");
    worker.pause();
    return {
      resume: () => worker.resume(),
      /** Jobs finished per second, of as many as keep it busy for about that long. */
      async ours(seconds: number): Promise<number> {
        const count = Math.ceil(seconds * jobsPerSecondOfATurn);
        await fillQueued(db, organizationId, count);
        const started = performance.now();
        worker.resume();
        await db.query(sql`select pg_notify('scrapes_queued', '')`);
        await drained(db);
        worker.pause();
        return count / ((performance.now() - started) / 1_000);
      },
      async bare(seconds: number): Promise<number> {
        const count = Math.ceil(seconds * jobsPerSecondOfATurn);
        await fillQueued(db, organizationId, count);
        return bareLoop(connection, count);
      },
      close: () => workers.stop(),
    };
  }

  /** What one figure left behind must not weigh on the next. */
  async function forget(): Promise<void> {
    await db.query(sql`delete from scrapes where operation <> 'bench.filler'`);
    for (const table of [
      sql`scrape_results`,
      sql`webhook_deliveries, webhook_events`,
      sql`idempotency_records`,
      sql`business_keys, businesses`,
    ]) {
      await db.query(sql`truncate ${table} cascade`);
    }
    await db.query(sql`vacuum analyze scrapes`);
  }

  return {
    connection,
    db,
    organizationId,
    create,
    openReads,
    openWorker,
    forget,
    drained: () => drained(db),
    stop: () => fleet.stop(),
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Looks at the first that is due, as a claim does: counting them would weigh on what is measured. */
async function drained(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await db.query(sql`
      select 1
      from scrapes
      where environment = 'live'
        and finished_at is null
      order by coalesce(lease_until, run_at)
      limit 1
    `);
    if (rows.length === 0) return;
    await sleep(5);
  }
}

async function onlyOrganization(db: Database): Promise<string> {
  const { rows } = await db.query<{ id: string }>(sql`select id from organizations`);
  const [row] = rows;
  if (!row) throw new Error("the service made no organization");
  return row.id;
}
