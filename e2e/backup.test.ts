import assert from "node:assert/strict";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { secretContext } from "../server/src/domains/webhooks/endpoints/secret.ts";
import { writeArchive } from "../server/src/platform/archive/index.ts";
import { createKeyRing } from "../server/src/platform/crypto/sealing.ts";
import { newUuid } from "../server/src/platform/ids.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { createDatabase } from "../server/src/platform/postgres/database.ts";
import { joinEmbedded } from "../server/src/platform/postgres/embedded/index.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { createVault } from "../server/src/platform/postgres/vault.ts";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase, databaseUrl } from "../server/test/postgres.ts";
import { newDataFolder, newPreparedFolder, search, startService, waypost } from "./service.ts";

const keyIn = (output: string, environment: string) => new RegExp(`svc_${environment}_\\w+`).exec(output)?.[0] ?? "";

async function call(address: string, key: string, path: string, body?: unknown) {
  const response = await fetch(`${address}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "API-KEY": key, "Content-Type": "application/json", "Idempotency-Key": newUuid() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: Record<string, any> };
  return { status: response.status, data };
}

test("a backup of the running service, restored elsewhere, answers as the original did", async (t) => {
  const original = await newPreparedFolder(t);
  const [elsewhere, keeping] = [await newDataFolder(t), await newDataFolder(t)];
  const file = join(keeping, "waypost.backup");
  const passphraseFile = join(keeping, "passphrase");
  await writeFile(passphraseFile, "a long enough passphrase\n");
  const service = await startService(t, { WAYPOST_DATA_DIR: original });
  const [live, testKey] = [keyIn(service.output, "live"), keyIn(service.output, "test")];
  const endpoint = await call(service.address, live, "/webhook-endpoints", {
    url: "https://93.184.216.34/hooks",
    event_types: ["scrape.completed"],
  });
  assert.equal(endpoint.status, 201);
  const { identity: originalIdentity } = await readStored(original);
  const job = { operation: "places.search", input: { q: "coffee in Vaduz" } };
  const jobs = await Promise.all(Array.from({ length: 5 }, () => call(service.address, testKey, "/scrapes", job)));
  const readAll = async (address: string) => ({
    jobs: await Promise.all(jobs.map(({ data }) => call(address, testKey, `/scrapes/${data["id"]}`))),
    results: await Promise.all(jobs.map(({ data }) => call(address, testKey, `/scrapes/${data["id"]}/results`))),
    endpoints: await call(address, live, "/webhook-endpoints"),
  });
  const before = await readAll(service.address);

  // Jobs that come while it is written are in it or not, but never in part.
  const during = new AbortController();
  const load = (async () => {
    while (!during.signal.aborted) await call(service.address, testKey, "/scrapes", job);
  })();
  const written = await waypost(["backup", file, "--passphrase-file", passphraseFile], { WAYPOST_DATA_DIR: original });
  during.abort();
  await load;
  assert.equal(written.code, 0, written.stderr);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await service.end("SIGTERM");
  await rm(original, { recursive: true });

  const restored = await waypost(["restore", file, "--passphrase-file", passphraseFile], {
    WAYPOST_DATA_DIR: elsewhere,
  });
  assert.equal(restored.code, 0, restored.stderr);
  const again = await waypost(["restore", file, "--passphrase-file", passphraseFile], { WAYPOST_DATA_DIR: elsewhere });
  assert.match(again.stderr, /has data already, and a restore overwrites nothing/);

  const second = await startService(t, { WAYPOST_DATA_DIR: elsewhere });
  assert.ok(!/svc_(live|test)_\w/.test(second.output), "the restored service makes no keys");
  assert.deepEqual(await readAll(second.address), before);
  assert.equal((await search(second.address, testKey)).status, 200);
  assert.equal((await call(second.address, testKey, "/scrapes", job)).status, 200);
  const { secret, identity } = await readStored(elsewhere);
  assert.equal(secret, endpoint.data["secret"]);
  assert.notEqual(identity, originalIdentity, "what was made from the original's catalog is not of the copy");
});

/** The one webhook secret of an installation, opened with the master key in its folder, and which installation it is. */
async function readStored(dataFolder: string): Promise<{ secret: string; identity: string | undefined }> {
  const postgres = await joinEmbedded({ dataFolder, log: silentLog });
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 1, log: silentLog });
  const masterKeys = (await readFile(join(dataFolder, "master-key"), "utf8")).trim().split("\n");
  const ring = createKeyRing(masterKeys);
  try {
    const { rows } = await db.query<{ sealed: Buffer; endpointId: string; version: number }>(sql`
      select sealed, endpoint_id as "endpointId", version
      from webhook_secrets
    `);
    const [row] = rows;
    assert.ok(row && rows.length === 1);
    const context = secretContext(row.endpointId, row.version);
    const secret = await createVault({ ring, reload: async () => ring }).open(row.sealed, context);
    const { rows: named } = await db.query<{ value: string }>(sql`
      select value
      from installation
      where name = 'identity'
    `);
    return { secret, identity: named[0]?.value };
  } finally {
    await db.end();
    await postgres.stop();
  }
}

test("a backup of one PostgreSQL goes into another, and a used or a wrong place is refused", async (t) => {
  const [from, to] = [await createTestDatabase(), await createTestDatabase({ empty: true })];
  defer(t, async () => {
    await from.drop();
    await to.drop();
  });
  const [first, second] = [await newDataFolder(t), await newDataFolder(t)];
  const file = join(first, "waypost.backup");
  const source = { DATABASE_URL: databaseUrl(from.connection), WAYPOST_DATA_DIR: first };
  const target = { DATABASE_URL: databaseUrl(to.connection), WAYPOST_DATA_DIR: second };
  const service = await startService(t, source);
  const key = keyIn(service.output, "test");

  const written = await waypost(["backup", file], source);
  assert.match(written.stdout, /every secret of this installation unencrypted/);
  const otherPepper = { ...target, WAYPOST_KEY_PEPPER: "x".repeat(32) };
  assert.match((await waypost(["restore", file], otherPepper)).stderr, /WAYPOST_KEY_PEPPER is set to another value/);
  assert.equal((await waypost(["restore", file], target)).code, 0);
  assert.match((await waypost(["restore", file], source)).stderr, /has data already/);

  const restored = await startService(t, target);
  assert.equal((await search(restored.address, key)).status, 200);
});

test("a backup that cannot be read makes no database", async (t) => {
  const [dataFolder, keeping] = [await newDataFolder(t), await newDataFolder(t)];
  const environment = { WAYPOST_DATA_DIR: join(dataFolder, "new"), WAYPOST_BACKUP_PASSPHRASE: "another passphrase" };
  const [notes, sealed] = [join(keeping, "notes.txt"), join(keeping, "sealed.backup")];
  await writeFile(notes, "not a backup\n");
  const parts = Readable.from([{ name: "migrations", chunks: Readable.from([Buffer.from("[]")]) }]);
  await writeArchive(sealed, parts, "a long enough passphrase");

  for (const [file, reason] of [
    [join(keeping, "missing.backup"), /missing\.backup cannot be read: there is no such file or folder/],
    [notes, /notes\.txt is not a backup/],
    [sealed, /passphrase/],
  ] as const) {
    const { code, stderr } = await waypost(["restore", file], environment);

    assert.equal(code, 1);
    assert.match(stderr, reason);
    assert.deepEqual(await readdir(dataFolder), [], "nothing was made");
  }
});
