import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { administer, createTestDatabase, databaseUrl } from "../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../test/temp-folder.ts";
import { readConfig } from "./config.ts";
import { newUuid } from "./platform/ids.ts";
import { silentLog } from "./platform/log.ts";
import { startService } from "./service.ts";
import { explainStartFailure } from "./start-failure.ts";

/** Why the service does not start on this database. */
async function whyNot(t: TestContext, url: string): Promise<string> {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const environment = {
    DATABASE_URL: url,
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: "0",
    WAYPOST_DATABASE_WAIT_SECONDS: "1",
  };
  const config = readConfig(environment);
  try {
    const service = await startService(config, silentLog);
    await service.stop();
    return "it starts";
  } catch (error) {
    return explainStartFailure(error, config);
  }
}

test("a database that the service cannot work with is refused at the start, with the fix", async (t) => {
  const { connection, drop } = await createTestDatabase({ empty: true });
  const other = `other_${newUuid().replaceAll("-", "")}`;
  t.after(async () => {
    await administer(connection, `drop database if exists ${other} with (force)`);
    await administer(connection, `drop role if exists ${other}`);
    await drop();
  });
  await administer(connection, `create role ${other} login password '${other}'`);
  await administer(
    connection,
    `create database ${other} encoding 'LATIN1' template template0 locale_provider libc locale 'C'`,
  );
  const url = databaseUrl(connection);
  const latin = databaseUrl({ ...connection, database: other });
  const withoutRights = databaseUrl({ ...connection, user: other, password: other });
  const readOnly = `${url}&options=${encodeURIComponent("-c default_transaction_read_only=on")}`;

  assert.match(await whyNot(t, latin), /encoding LATIN1.*encoding 'UTF8'/);
  assert.match(await whyNot(t, readOnly), /takes no writes.*default_transaction_read_only = off/);
  assert.match(await whyNot(t, withoutRights), /lacks a right.*owner of its database/);
  assert.match(await whyNot(t, `${url}&sslmode=require`), /has no TLS.*sslmode/);
});
