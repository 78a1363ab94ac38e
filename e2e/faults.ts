import { setTimeout as sleep } from "node:timers/promises";
import { newUuid, uuidFromId } from "../server/src/platform/ids.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { startEmbedded } from "../server/src/platform/postgres/embedded/index.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { postmasterOf } from "./service.ts";

type Stage = { fleet: Fleet; folder: string };

/** Something that goes wrong, and may last; `strike` resolves when it is over. */
export type Fault = { name: string; strike(stage: Stage): Promise<void> };

/** What a fault did. Latencies are those of single attempts; a client repeats one that failed with the same key. */
export type FaultReport = {
  fault: string;
  /** How often each answer other than 202 was seen. */
  seen: Map<string, number>;
  slowestSeconds: number;
  recoverySeconds: number;
  jobs: number;
  lost: number;
  doubled: number;
};

const clients = 4;
const calmMs = 1_500;
const recoveryMaxMs = 60_000;

export const faults: readonly Fault[] = [
  { name: "a worker is killed (`kill -9`)", strike: ({ fleet }) => fleet.any("worker").crash() },
  { name: "an API process is killed (`kill -9`)", strike: ({ fleet }) => fleet.any("api").crash() },
  {
    name: "a worker freezes for 20 s and goes on",
    async strike({ fleet }) {
      const worker = fleet.any("worker");
      worker.pause();
      await sleep(20_000);
      worker.resume();
    },
  },
  {
    name: "PostgreSQL ends every connection",
    async strike({ fleet }) {
      await fleet.db.query(endSessions).catch(() => undefined);
    },
  },
  {
    name: "PostgreSQL crashes (`SIGQUIT`) and is started again",
    async strike({ folder }) {
      process.kill(await postmasterOf(folder), "SIGQUIT");
    },
  },
  {
    name: "PostgreSQL hangs for 8 s (`SIGSTOP`)",
    async strike({ fleet, folder }) {
      const { rows } = await fleet.db.query<{ pid: number }>(sql`select pid from pg_stat_activity`);
      const processes = [await postmasterOf(folder), ...rows.map(({ pid }) => pid)];
      signal(processes, "SIGSTOP");
      await sleep(8_000);
      signal(processes, "SIGCONT");
    },
  },
  {
    name: "PostgreSQL takes no writes for 5 s",
    async strike({ fleet }) {
      await fleet.db.query(refuseWrites);
      await fleet.db.query(endSessions).catch(() => undefined);
      await sleep(5_000);
      await fleet.db.transaction(async (tx) => {
        await tx.query(sql`set transaction read write`);
        await tx.query(takeWrites);
      });
      await fleet.db.query(endSessions).catch(() => undefined);
    },
  },
];

function signal(processes: readonly number[], name: NodeJS.Signals) {
  for (const pid of processes) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended since.
    }
  }
}

const endSessions = sql`
  select pg_terminate_backend(pid)
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
`;
const refuseWrites = sql`
  do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$
`;
const takeWrites = sql`
  do $$ begin execute format('alter database %I set default_transaction_read_only = off', current_database()); end $$
`;

/** Lets one fault strike a service under load, and compares what was acknowledged with what is there. */
export async function suffer(fault: Fault): Promise<FaultReport> {
  const folder = await makeTempFolder();
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const fleet = await startFleet(postgres.connection, ["api", "api", "worker", "worker"]);
  const load = createLoad(fleet);
  try {
    await sleep(calmMs);
    await fault.strike({ fleet, folder });
    const endedAt = performance.now();
    await load.acknowledgedAfter(endedAt);
    await load.oldJobsEnded();
    const recoverySeconds = (performance.now() - endedAt) / 1_000;
    await load.stop();
    return { fault: fault.name, ...load.seen(), recoverySeconds, ...(await load.compare()) };
  } finally {
    await load.stop();
    await fleet.stop();
    await postgres.stop();
    await removeFolder(folder);
  }
}

function createLoad(fleet: Fleet) {
  const created = new Set<string>();
  const seen = new Map<string, number>();
  let slowestMs = 0;
  let lastAcknowledgedAt = 0;
  const over = new AbortController();
  const running = Array.from({ length: clients }, keepCreating);

  async function keepCreating() {
    while (!over.signal.aborted) {
      const key = newUuid();
      const body = JSON.stringify({ operation: "places.search", input: { q: `coffee ${key} cafe` } });
      let id: string | undefined;
      while ((id = await attempt(key, body)) === undefined) await sleep(50);
      created.add(id);
      lastAcknowledgedAt = performance.now();
    }
  }

  async function attempt(key: string, body: string): Promise<string | undefined> {
    const { address } = fleet.any("api");
    if (address === undefined) return undefined; // the balancer knows that it is gone
    const startedAt = performance.now();
    const answer = await fetch(`${address}/api/v1/scrapes`, {
      method: "POST",
      headers: { "API-KEY": fleet.key, "Idempotency-Key": key, "Content-Type": "application/json" },
      body,
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    const json = (await answer?.json().catch(() => undefined)) as Answered | undefined;
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    if (answer?.status === 202 && json?.data) return json.data.id;
    const name = answer ? `${answer.status} ${json?.error?.code ?? ""}`.trim() : "connection lost";
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return undefined;
  }

  return {
    seen: () => ({ seen, slowestSeconds: slowestMs / 1_000 }),
    acknowledgedAfter: (moment: number) => until(() => lastAcknowledgedAt > moment),
    async oldJobsEnded() {
      const old = [...created].map((id) => uuidFromId("job", id) ?? "");
      await until(async () => (await openJobs(fleet, old)) === 0);
    },
    async stop() {
      over.abort();
      await Promise.all(running);
    },
    async compare() {
      await until(async () => (await openJobs(fleet)) === 0);
      const { rows } = await fleet.db.query<{ id: string; status: string; isWhole: boolean }>(sql`
        select id, status, result_count = (select count(*) from scrape_results where job_id = scrapes.id) as "isWhole"
        from scrapes
      `);
      const succeeded = new Set(rows.filter(({ status }) => status === "succeeded").map(({ id }) => id));
      const lost = [...created].filter((id) => !succeeded.has(uuidFromId("job", id) ?? "")).length;
      const doubled = rows.length - created.size + rows.filter(({ isWhole }) => !isWhole).length;
      return { jobs: created.size, lost, doubled };
    },
  };
}

type Answered = { data?: { id: string }; error?: { code: string } };

async function openJobs(fleet: Fleet, among?: readonly string[]): Promise<number> {
  const { rows } = await fleet.db
    .query<{ open: number }>(sql`
      select count(*) as open
      from scrapes
      where finished_at is null and (${among === undefined} or id = any(${among ?? []}::uuid[]))
    `)
    .catch(() => ({ rows: [] }));
  return rows[0]?.open ?? Number.NaN;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + recoveryMaxMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error("the service did not recover within a minute");
    await sleep(25);
  }
}
