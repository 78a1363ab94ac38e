import { access } from "node:fs/promises";
import { join } from "node:path";
import { readBacklogs } from "./backlogs.ts";
import { type Config, ConfigProblem, readConfig } from "./config.ts";
import { createBilling } from "./domains/billing/index.ts";
import {
  checkClock,
  checkDatabase,
  checkDisk,
  checkFolder,
  checkOpenFiles,
  checkPort,
  type Finding,
  ok,
  problem,
  readDatabaseFacts,
  splitSentence,
} from "./operator/doctor.ts";
import {
  diskView,
  type InstallationView,
  readInstallation,
  type ServiceView,
  type StatusView,
} from "./operator/status.ts";
import { systemClock } from "./platform/clock.ts";
import { readDisk } from "./platform/disk.ts";
import { actAsOwner } from "./platform/folder-owner.ts";
import { silentLog } from "./platform/log.ts";
import { noMeters } from "./platform/meters.ts";
import { createOutbound } from "./platform/net/outbound.ts";
import { readOpenFilesMax } from "./platform/open-files.ts";
import { createClockCheck } from "./platform/postgres/clock-check.ts";
import { type Connection, createDatabase, type Database, probe } from "./platform/postgres/database.ts";
import { joinRunning } from "./platform/postgres/embedded/index.ts";
import { type DatabaseProblem, explainConnectionFailure } from "./platform/postgres/database-problem.ts";
import { hasMigrations, readMigrations } from "./platform/postgres/migrate.ts";
import { refuseUnfit } from "./platform/postgres/reachable.ts";
import { diskBytesLow, diskBytesMin } from "./readiness.ts";
import { createSources, sourceNames } from "./sources/registry.ts";
import { createSourceSelection } from "./sources/selection.ts";
import { explainStartFailure } from "./start-failure.ts";
import { version } from "./version.ts";

export type { Finding } from "./operator/doctor.ts";
export type { StatusView } from "./operator/status.ts";

const answerMs = 3_000;

/** What runs, where, and what it has before it. It starts nothing and changes nothing. */
export async function showStatus(config: Config = readConfig()): Promise<StatusView> {
  await actAsOwner(config.dataFolder);
  const reached = await reachDatabase(config);
  try {
    const { view, answering, problem: refusal } = await lookInside(config, reached);
    const { database, ...rest } = view ?? {};
    return {
      version,
      service: await askService(config),
      database: { where: reached.where, problem: refusal, details: database ?? null },
      processes: null,
      queues: null,
      endpoints: null,
      catalog: null,
      ledger: null,
      ...rest,
      sources: { choice: config.source, answering, registered: [...sourceNames] },
      disk: diskView(config.dataFolder, await readDisk(config.dataFolder).catch(() => undefined)),
    };
  } finally {
    await reached.close();
  }
}

/** Looks at everything a start depends on, and says what to do about what it finds. */
export async function examine(environment?: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    const fix = "docs/reference/configuration.md lists every setting; the other checks need a valid configuration";
    return error.message.split("\n").map((says) => problem("configuration", says, fix));
  }
  await actAsOwner(config.dataFolder);
  const disk = await readDisk(config.dataFolder).catch(() => undefined);
  return [
    ok("configuration", "every setting is valid"),
    ...(await checkFolder(config.dataFolder)),
    checkDisk(disk, { bytesMin: diskBytesMin, bytesLow: diskBytesLow }),
    checkOpenFiles({ ...config, limit: readOpenFilesMax() }),
    ...(await examineDatabase(config)),
    await checkPort({
      ...config,
      ask: () => askService(config),
      explain: (error) => explainStartFailure(error, config),
    }),
  ];
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  const reached = await reachDatabase(config);
  try {
    const { db, where } = reached;
    if (!db)
      return [reached.isExpected ? ok("database", reached.problem) : problem("database", reached.problem, reached.fix)];
    const facts = await readDatabaseFacts(db, await readMigrations());
    return [checkDatabase(where, facts), checkClock(await createClockCheck({ db, clock: systemClock }).read())];
  } catch (error) {
    const [says, fix] = splitSentence(explainStartFailure(error, config));
    return [problem("database", says, fix || "start the service, which says more")];
  } finally {
    await reached.close();
  }
}

type Reached = { where: string; close(): Promise<void> } & (
  | { db: Database }
  | { db: undefined; problem: string; fix: string; /** Nothing runs here, which is no fault. */ isExpected: boolean }
);

async function reachDatabase(config: Config): Promise<Reached> {
  const { databaseUrl, dataFolder } = config;
  if (databaseUrl) {
    const connection = { url: databaseUrl };
    const where = "the PostgreSQL of DATABASE_URL";
    const unusable = await findProblem(connection);
    if (!unusable) return { where, ...open(connection) };
    const { says, fix } = unusable;
    return { where, db: undefined, problem: says, fix, isExpected: false, close };
  }
  const where = `the PostgreSQL in ${dataFolder}`;
  const joined = await joinRunning(dataFolder);
  if (!joined && (await isLeftRunning(dataFolder)) && (await askService(config)).state !== "no_answer") {
    const fix = `see ${join(dataFolder, "postgres.log")}; when it stays so, stop the service and start it again`;
    const says = `${where} does not answer, though the service runs`;
    return { where, db: undefined, problem: says, fix, isExpected: false, close };
  }
  if (!joined) {
    const isNew = !(await exists(join(dataFolder, "postgres")));
    const says = isNew
      ? `${where} is not made yet; the first start makes it`
      : `${where} does not run; it runs with the service`;
    return { where, db: undefined, problem: says, fix: "npm start", isExpected: true, close };
  }
  const { db, close: end } = open(joined.connection);
  return {
    where,
    db,
    async close() {
      await end();
      await joined.stop();
    },
  };
}

/** Why a start would refuse this database; undefined when it would take it. */
async function findProblem(connection: Connection): Promise<DatabaseProblem | undefined> {
  try {
    const error = await probe(connection);
    if (error) return explainConnectionFailure(error);
    await refuseUnfit(connection);
    return undefined;
  } catch (error) {
    return explainConnectionFailure(error as Error);
  }
}

/** PostgreSQL removes its pid file when it stops; one that hangs, or crashed, has not. */
function isLeftRunning(dataFolder: string): Promise<boolean> {
  return exists(join(dataFolder, "postgres", "cluster", "postmaster.pid"));
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function close() {}

function open(connection: Connection) {
  const db = createDatabase({ connection, connectionsMax: 2, log: silentLog });
  return { db, close: () => db.end() };
}

type Inside = { view: InstallationView | undefined; answering: string | null; problem: string | null };

async function lookInside(config: Config, reached: Reached): Promise<Inside> {
  if (!reached.db) return { view: undefined, answering: null, problem: reached.problem };
  const { db } = reached;
  try {
    if (!(await hasMigrations(db))) {
      return { view: undefined, answering: null, problem: "it has no tables yet; the first start makes them" };
    }
    const billing = createBilling({ db, clock: systemClock, defaultAllowance: config.defaultAllowance });
    const migrations = await readMigrations();
    const view = await readInstallation({ db, migrations, readBacklogs, ledgerDifference: billing.ledgerDifference });
    return { view, answering: await findAnswering(config, db), problem: null };
  } catch (error) {
    return { view: undefined, answering: null, problem: `it cannot be read: ${(error as Error).message}` };
  }
}

/** The source that would answer live keys now. */
async function findAnswering({ source, sourceSettings, dataFolder }: Config, db: Database): Promise<string | null> {
  const outbound = createOutbound({ allow: [] });
  const deps = { db, reads: db, outbound, clock: systemClock, log: silentLog, ...noMeters, dataFolder };
  const sources = createSources(deps, sourceSettings);
  const chosen = await createSourceSelection({ choice: source, sources, clock: systemClock }).pick();
  await outbound.close();
  return chosen?.name ?? null;
}

/** Reads the readiness of the service at the configured address, which may be on this machine only. */
async function askService({ host, port }: Config): Promise<ServiceView> {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const address = `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
  const outbound = createOutbound({ allow: ["0.0.0.0/0", "::/0"] });
  try {
    const { body } = await outbound.request({
      url: `${address}/readyz`,
      deadlineMs: answerMs,
      bytesMax: 65_536,
      protocols: ["http:"],
      localNames: true,
    });
    const { status, problems } = JSON.parse(body.toString("utf8")) as { status: string; problems: string[] };
    if (status === "ready" || status === "not_ready") return { address, state: status, problems };
    return { address, state: "no_answer", problems: [] };
  } catch {
    return { address, state: "no_answer", problems: [] };
  } finally {
    await outbound.close();
  }
}
