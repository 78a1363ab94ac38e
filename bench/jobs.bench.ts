// Jobs beside the barest programs that do the same durable work, all in one run on one PostgreSQL:
// `npm run bench -- jobs [seconds per figure] [finished jobs in the table]`.
import { setTimeout as sleep } from "node:timers/promises";
import { silentLog } from "../server/src/platform/log.ts";
import { type Connection, createDatabase } from "../server/src/platform/postgres/database.ts";
import { startEmbedded } from "../server/src/platform/postgres/embedded/index.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { makeTempFolder, removeFolder } from "../server/test/temp-folder.ts";
import { type Figure, inTurns, percentile } from "./figures.ts";
import { creationStatements, pgbench } from "./jobs/baseline.ts";
import { fillFinished } from "./jobs/fill.ts";
import { connections, openStage, type Stage } from "./jobs/stage.ts";

const warmSeconds = 2;
const delaySamples = 100;
const costMax = 1.2;

export async function run(words: string[]): Promise<void> {
  const seconds = Number(words[0] ?? 10);
  const finishedJobs = Number(words[1] ?? 1_000_000);
  const folder = await makeTempFolder();
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const stages: Stage[] = [];
  try {
    console.log(`${connections} connections, ${seconds} s per figure and program, PostgreSQL with fsync`);
    const empty = await openStage(postgres.connection);
    stages.push(empty);
    await measureAll(empty, seconds);
    await queueDelay(empty);
    if (finishedJobs === 0) return;

    const full = await openStage(await anotherDatabase(postgres.connection));
    stages.push(full);
    await fillFinished(full.db, full.organizationId, finishedJobs);
    console.log(`with ${finishedJobs} finished jobs in the table`);
    await measureAll(full, seconds);
    await measureCosts(empty, full, seconds);
  } finally {
    for (const stage of stages) await stage.stop();
    await postgres.stop();
    await removeFolder(folder);
  }
}

async function measureAll(stage: Stage, seconds: number) {
  const { connection, organizationId } = stage;
  const statements = await creationStatements(stage.db, organizationId);
  await stage.create(warmSeconds);
  const creations = await inTurns(seconds, stage.create, (turn) =>
    pgbench(connection, { statements, organizationId }, { connections, seconds: Math.ceil(turn) }),
  );
  tell("(a) creations over HTTP", "pgbench, the same statements", creations, 0.5);
  await stage.forget();

  const reads = await stage.openReads();
  for (const program of [reads.ours, reads.bare]) await program(warmSeconds);
  // Twice as long as the rest: a read is so short that whatever else the machine does shows most in it.
  tell("(b) reads of a job", "bare Fastify route", await inTurns(seconds * 2, reads.ours, reads.bare), 0.6);
  reads.close();
  await stage.forget();

  const worker = await stage.openWorker();
  for (const program of [worker.ours, worker.bare]) await program(1);
  const finished = await inTurns(seconds, worker.ours, worker.bare);
  tell("(c) jobs finished", "bare claim-and-complete loop", finished, 0.5);
  await worker.close();
  await stage.forget();
}

/** From the commit of the creation to the claim, on an idle service. */
async function queueDelay(stage: Stage) {
  const worker = await stage.openWorker();
  worker.resume();
  for (let sent = 0; sent < delaySamples; sent += 1) {
    await stage.create(0.001, 1);
    await stage.drained();
    await sleep(20);
  }
  const { rows } = await stage.db.query<{ ms: number }>(sql`
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
  await worker.close();
  await stage.forget();
}

/**
 * The same program on both tables, in turns: what each does costs on the full one, measured in the empty one's.
 * Twice as long as the rest, because a fifth is to be told from nothing.
 */
async function measureCosts(empty: Stage, full: Stage, usualSeconds: number) {
  const seconds = usualSeconds * 2;
  for (const stage of [full, empty]) await stage.create(warmSeconds);
  tellCost("creations", await inTurns(seconds, full.create, empty.create));
  for (const stage of [full, empty]) await stage.forget();

  const reads = { full: await full.openReads(), empty: await empty.openReads() };
  for (const each of [reads.full, reads.empty]) await each.ours(warmSeconds);
  tellCost("reads", await inTurns(seconds, reads.full.ours, reads.empty.ours));
  for (const each of [reads.full, reads.empty]) each.close();
  for (const stage of [full, empty]) await stage.forget();

  const workers = { full: await full.openWorker(), empty: await empty.openWorker() };
  for (const each of [workers.full, workers.empty]) await each.ours(1);
  tellCost("finishing", await inTurns(seconds, workers.full.ours, workers.empty.ours));
  for (const each of [workers.full, workers.empty]) await each.close();
}

function tell(name: string, baseline: string, { ours, theirs, ratio }: Figure, least: number) {
  const beside =
    theirs === undefined
      ? "which is not on this machine"
      : `${Math.round(theirs)}/s: ${(ratio ?? 0).toFixed(2)} (at least ${least})`;
  console.log(`  ${name.padEnd(34)} ${Math.round(ours)}/s beside ${baseline} ${beside}`);
}

function tellCost(name: string, { ours, theirs = 0, ratio = 0 }: Figure) {
  console.log(
    `  (e) ${name.padEnd(30)} ${Math.round(ours)}/s beside ${Math.round(theirs)}/s on the empty table: cost ${(1 / ratio).toFixed(2)} (at most ${costMax.toFixed(2)})`,
  );
}

async function anotherDatabase(connection: Connection): Promise<Connection> {
  if ("url" in connection) throw new Error("the benchmark runs on a PostgreSQL of its own");
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  await db.query(sql`create database bench_full`);
  await db.end();
  return { ...connection, database: "bench_full" };
}
