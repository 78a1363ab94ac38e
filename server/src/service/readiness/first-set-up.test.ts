import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { until } from "../../../test/database-door.ts";
import { defer } from "../../../test/defer.ts";
import { createTestDatabase, databaseUrl } from "../../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../../test/temp-folder.ts";
import { readConfig } from "../config/config.ts";
import { newKeyText } from "../../domains/api-keys/api-key.ts";
import { silentLog } from "../../platform/log.ts";
import { advisoryLocks } from "../../platform/postgres/advisory-locks.ts";
import { createDatabase } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { startService } from "../start.ts";

test("a seeded key gets 503 until the first start has installed it, and the process is not ready before", async (t) => {
  const database = await createTestDatabase();
  const folder = await makeTempFolder();
  const key = newKeyText("test").text;
  const port = await freePort();
  const config = readConfig({
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: String(port),
    WAYPOST_ROLE: "api",
    WAYPOST_SOURCE: "catalog",
    WAYPOST_SEED_TEST_KEY: key,
  });
  const db = createDatabase({ connection: database.connection, connectionsMax: 1, log: silentLog });
  defer(t, async () => {
    await db.end();
    await database.drop();
    await removeFolder(folder);
  });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { "API-KEY": key } });
  const isOpen = () => ask("/healthz").then(Boolean, () => false);

  const [started, during, readiness] = await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.firstStart})`);
    const starting = startService(config, silentLog);
    await until(isOpen);
    return [{ starting }, await ask("/api/v1/collections"), await ask("/readyz")] as const;
  });
  const service = await started.starting;
  defer(t, () => service.stop());

  assert.equal(during.status, 503);
  assert.equal(during.headers.get("retry-after"), "1");
  const { error } = (await during.json()) as { error: { code: string } };
  assert.equal(error.code, "temporarily_unavailable");
  assert.equal(readiness.status, 503);
  const { problems } = (await readiness.json()) as { problems: string[] };
  assert.ok(problems.includes("the first organization and its keys are not made yet"), problems.join());
  assert.equal((await ask("/api/v1/collections")).status, 200);
  await until(async () => (await ask("/readyz")).status === 200);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
