import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { silentLog } from "../src/platform/log.ts";
import { clientConfig, type Connection } from "../src/platform/postgres/database.ts";
import { type EmbeddedPostgres, startEmbedded } from "../src/platform/postgres/embedded/index.ts";
import { copyCluster, prepareCluster } from "./prepared-cluster.ts";

type SocketConnection = Extract<Connection, { socketFolder: string }>;

const template = "waypost_template";

/** The server all test files share, with a migrated template, and the environment in which they find it. */
export async function openTestPostgres(
  folder: string,
): Promise<EmbeddedPostgres & { environment: Record<string, string> }> {
  const prepared = join(folder, "prepared");
  await prepareCluster(prepared);
  await copyCluster(prepared, folder);
  // Nobody kills this one, so its commits need not wait for their log. Nobody keeps its databases, so none is tended.
  const settings = { synchronous_commit: "off", autovacuum: "off", max_connections: "400" };
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog, settings });
  await administer(postgres.connection, `create database ${template} template postgres`);
  const environment = {
    WAYPOST_TEST_POSTGRES: JSON.stringify(postgres.connection),
    WAYPOST_TEST_CLUSTER: prepared,
  };
  return { ...postgres, environment };
}

export type TestDatabase = { connection: Connection; drop(): Promise<void> };

/** A database of its own, migrated already, or without any table. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const server = sharedServer();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(server, `create database ${name} template ${empty ? "template0" : template}`);
  return {
    connection: { ...server, database: name },
    drop: () => administer(server, `drop database ${name} with (force)`),
  };
}

let ofFile: Promise<TestDatabase> | undefined;

/** The test file's own database, made when the first test asks. It goes with the cluster. */
export async function fileDatabase(): Promise<Connection> {
  ofFile ??= createTestDatabase();
  return (await ofFile).connection;
}

/** The next file gets another. */
export function forgetFileDatabase(): void {
  ofFile = undefined;
}

/** The same database as a URL, for processes that are told by DATABASE_URL. */
export function databaseUrl(connection: Connection): string {
  if ("url" in connection) return connection.url;
  const { user, password, database, socketFolder } = connection;
  return `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(socketFolder)}`;
}

function sharedServer(): SocketConnection {
  const text = process.env["WAYPOST_TEST_POSTGRES"];
  if (!text)
    throw new Error("Run the tests with `npm test`, or `npm test -- FILE`: it starts the PostgreSQL they need.");
  return JSON.parse(text) as SocketConnection;
}

/** Test files start together, on machines that may be busy. */
const unhurried = { connectionTimeoutMillis: 60_000, statement_timeout: 60_000, query_timeout: 60_000 };

export async function administer(connection: Connection, statement: string) {
  const client = new pg.Client({ ...clientConfig(connection), ...unhurried });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
