import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { until } from "../../test/database-door.ts";
import { defer } from "../../test/defer.ts";
import { createTestDatabase, databaseUrl } from "../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { accept, openReceiver } from "../../test/webhook-receiver.ts";
import { fileCertificates } from "../../test/webhooks.ts";
import { type Log, silentLog } from "../platform/log.ts";
import { readConfig } from "../service/config/config.ts";
import { startService } from "../service/start.ts";
import { openOperator, restoreBackup } from "./open.ts";
import { readStatus } from "./status.ts";

/** A database and a data folder, and what runs on them. */
async function givenPlace(t: TestContext, { empty = false, port = 0 }) {
  const { connection, drop } = await createTestDatabase({ empty });
  const folder = await makeTempFolder();
  defer(t, async () => {
    await drop();
    await removeFolder(folder);
  });
  const settings = (role: string) =>
    readConfig({
      DATABASE_URL: databaseUrl(connection),
      WAYPOST_DATA_DIR: folder,
      WAYPOST_PORT: "0",
      WAYPOST_ROLE: role,
      WAYPOST_KEY_PEPPER: "a pepper that several machines all know",
      WAYPOST_MASTER_KEY: "a master key that several machines all know",
      WAYPOST_OUTBOUND_ALLOW: "127.0.0.0/8",
      WAYPOST_WEBHOOK_PORTS: String(port),
    });
  return {
    folder,
    settings,
    async start(role: string, log: Log = silentLog) {
      const service = await startService(settings(role), log);
      defer(t, () => service.stop());
      return service;
    },
    async operate<Result>(work: (operator: Awaited<ReturnType<typeof openOperator>>) => Promise<Result>) {
      const operator = await openOperator(settings("all"));
      try {
        return await work(operator);
      } finally {
        await operator.close();
      }
    },
  };
}

async function post(address: string, key: string, path: string, json?: object): Promise<Record<string, any>> {
  const response = await fetch(`${address}/api/v1${path}`, {
    method: "POST",
    headers: { "API-KEY": key, ...(json ? { "Content-Type": "application/json" } : {}) },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  assert.ok(response.ok, await response.clone().text());
  return ((await response.json()) as { data: Record<string, any> }).data;
}

test("a restored installation delivers nothing until it is resumed, and says so", { timeout: 120_000 }, async (t) => {
  const receiver = await openReceiver(await fileCertificates(), accept);
  defer(t, () => receiver.close());
  const original = await givenPlace(t, { port: receiver.port });
  const copy = await givenPlace(t, { port: receiver.port, empty: true });
  const file = join(original.folder, "waypost.backup");
  const { address, firstKeys } = await original.start("api"); // it delivers nothing
  const live = firstKeys?.live ?? "";
  const endpoint = await post(address, live, "/webhook-endpoints", {
    url: receiver.url,
    event_types: ["scrape.failed"],
  });
  await post(address, live, `/webhook-endpoints/${endpoint["id"]}/test`);
  await original.operate((operator) => operator.backUp(file, undefined));
  // A worker that waits for its tables is as good as one that comes later.
  const said = Promise.withResolvers<void>();
  await copy.start("worker", {
    ...silentLog,
    warn: (_fields, message) => void (message === "worker.held" && said.resolve()),
  });

  await restoreBackup(copy.settings("all"), file, undefined);
  await said.promise;
  const restored = await copy.start("api");
  const ready = (await (await fetch(`${restored.address}/readyz`)).json()) as { warnings: string[] };
  assert.match(ready.warnings.join(), /holds its deliveries.*waypost resume/);
  const { database } = await readStatus(copy.settings("all"));
  assert.equal(database.details?.is_held, true);
  assert.equal(receiver.received.length, 0);

  assert.equal(await copy.operate((operator) => operator.resume()), true);
  await until(() => receiver.received.length === 1);

  assert.equal(await copy.operate((operator) => operator.resume()), false);
});
