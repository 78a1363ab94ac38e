import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { defer } from "../../test/defer.ts";
import { createTestDatabase } from "../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { readSampleState, type SampleState } from "../data-sets/sample.ts";
import { silentLog } from "../platform/log.ts";
import { type Connection, createDatabase } from "../platform/postgres/database.ts";
import { backUp, restore } from "./backup.ts";
import { openInstallation, setUpOnce } from "./installation.ts";

const secrets = { keyPepper: "a pepper that only tests know", masterKeys: ["a master key that only tests know"] };
const key = `svc_live_${"a".repeat(8)}_${"b".repeat(32)}`;

async function givenFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  defer(t, () => removeFolder(folder));
  return folder;
}

/** A database that a service with these settings starts on for the first time. */
async function firstStart(t: TestContext, more: { databaseUrl?: string; source?: string; seedTestKey?: string } = {}) {
  const { connection, drop } = await createTestDatabase();
  defer(t, drop);
  const unset = { indexFolder: undefined, databaseUrl: undefined, seedLiveKey: undefined, seedTestKey: undefined };
  const settings = {
    ...unset,
    ...secrets,
    dataFolder: await givenFolder(t),
    databaseConnectionsMax: 2,
    source: "auto",
  };
  const installation = await openInstallation(settings, connection, silentLog);
  try {
    await setUpOnce({ ...settings, ...more }, installation);
    return { connection, state: await readSampleState(installation.db) };
  } finally {
    await installation.db.end();
  }
}

async function stateOf(connection: Connection): Promise<SampleState | undefined> {
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  try {
    return await readSampleState(db);
  } finally {
    await db.end();
  }
}

test("only a first start with the embedded database, any source and keys of its own wants the sample", async (t) => {
  assert.equal((await firstStart(t)).state, "wanted");
  assert.equal((await firstStart(t, { databaseUrl: "postgres://db/waypost" })).state, undefined);
  assert.equal((await firstStart(t, { source: "catalog" })).state, undefined);
  assert.equal((await firstStart(t, { source: "osm" })).state, undefined);
  assert.equal((await firstStart(t, { seedTestKey: key.replace("live", "test") })).state, undefined);
});

test("a restored backup does not want the sample that its original had not imported yet", async (t) => {
  const path = join(await givenFolder(t), "waypost.backup");
  const { connection } = await firstStart(t);
  await backUp({ connection, readSecrets: async () => secrets, path, passphrase: undefined });
  const copy = await createTestDatabase({ empty: true });
  defer(t, () => copy.drop());

  await restore({
    reach: async () => copy.connection,
    path,
    passphrase: undefined,
    keepSecrets: async () => undefined,
  });

  assert.equal(await stateOf(connection), "wanted");
  assert.equal(await stateOf(copy.connection), undefined);
});
