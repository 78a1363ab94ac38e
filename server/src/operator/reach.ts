import { access } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "../platform/log.ts";
import { createOutbound } from "../platform/net/outbound.ts";
import { type Connection, createDatabase, type Database } from "../platform/postgres/database.ts";
import { type DatabaseProblem, explainConnectionFailure } from "../platform/postgres/database-problem.ts";
import { joinRunning } from "../platform/postgres/embedded/index.ts";
import { probePrimary, refuseUnfit } from "../platform/postgres/reachable.ts";
import type { OperatorSettings } from "./settings.ts";

const answerMs = 3_000;

export type ReachSettings = Pick<OperatorSettings, "databaseUrl" | "dataFolder" | "host" | "port">;

/** The readiness of the service at the configured address. */
export type ServiceView = { address: string; state: "ready" | "not_ready" | "no_answer"; problems: string[] };

export type Reached = { where: string; close(): Promise<void> } & (
  | { db: Database }
  | { db: undefined; problem: string; fix: string; /** Nothing runs here, which is no fault. */ isExpected: boolean }
);

/** Reaches the database of the installation without starting anything. */
export async function reachDatabase(config: ReachSettings): Promise<Reached> {
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
    const error = await probePrimary(connection);
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

/** Reads the readiness of the service at the configured address, which may be on this machine only. */
export async function askService({ host, port }: Pick<ReachSettings, "host" | "port">): Promise<ServiceView> {
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
