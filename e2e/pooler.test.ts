import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Connection } from "../server/src/platform/postgres/database.ts";
import { unprivilegedUser } from "../server/src/platform/postgres/embedded/system-user.ts";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase } from "../server/test/postgres.ts";
import { newDataFolder, search, startService, until } from "./service.ts";

const noPooler = (() => {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "pgbouncer is not on this machine";
  }
})();

const ignored = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

/** PgBouncer before an empty database; resolves to its URL. */
async function startPooler(t: TestContext, settings: Record<string, string>): Promise<string> {
  const database = await createTestDatabase({ empty: true });
  const {
    socketFolder,
    user,
    password,
    database: name,
  } = database.connection as Extract<Connection, { socketFolder: string }>;
  const folder = await newDataFolder(t);
  const port = await freePort();
  const all = { listen_addr: "127.0.0.1", listen_port: port, unix_socket_dir: "", auth_type: "any", ...settings };
  const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
  const target = `${name} = host=${socketFolder} port=5432 dbname=${name} user=${user} password=${password}`;
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, ["[databases]", target, "[pgbouncer]", ...lines, ""].join("\n"));
  // It refuses to run as root, and its user must be able to reach the socket.
  const account = await unprivilegedUser();
  if (account) await chown(file, account.uid, account.gid);
  const child = spawn("pgbouncer", ["-q", file], { ...account, stdio: "ignore" });
  defer(t, async () => {
    child.kill("SIGKILL");
    await database.drop();
  });
  await until(() => isListening(port));
  return `postgres://${user}@127.0.0.1:${port}/${name}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket.destroy() !== undefined));
    socket.on("error", () => resolve(false));
  });
}

test("a pooler in session mode works", { skip: noPooler }, async (t) => {
  const url = await startPooler(t, {
    pool_mode: "session",
    ignore_startup_parameters: ignored,
    default_pool_size: "60",
  });

  const service = await startService(t, { DATABASE_URL: url, WAYPOST_DATA_DIR: await newDataFolder(t) });

  const key = /svc_test_\w+/.exec(service.output)?.[0] ?? "";
  assert.equal((await search(service.address, key)).status, 200);
  await service.end("SIGTERM");
});

test(
  "a pooler that shares sessions, or refuses our limits, is refused at start with the fix",
  { skip: noPooler },
  async (t) => {
    const dataFolder = await newDataFolder(t);
    const sharing = await startPooler(t, { pool_mode: "transaction", ignore_startup_parameters: ignored });
    const strict = await startPooler(t, { pool_mode: "session" });

    const refused = (url: string) => startService(t, { DATABASE_URL: url, WAYPOST_DATA_DIR: dataFolder });

    await assert.rejects(
      refused(sharing),
      /could not start: DATABASE_URL goes through a pooler.*Set pool_mode = session/,
    );
    await assert.rejects(
      refused(strict),
      /could not start: The pooler of DATABASE_URL refuses.*ignore_startup_parameters/,
    );
  },
);
