import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readConfig } from "../service/config/config.ts";
import { createEndpoints } from "../domains/webhooks/index.ts";
import { openInstallation } from "./installation.ts";
import { systemClock } from "../platform/clock.ts";
import { sealedUnder } from "../platform/crypto/sealing.ts";
import { newUuid } from "../platform/ids.ts";
import { silentLog } from "../platform/log.ts";
import { createCursors } from "../platform/pages.ts";
import { createOutbound } from "../platform/net/outbound.ts";
import { sql } from "../platform/postgres/sql.ts";
import { createTestDatabase } from "../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { createSecretCommands } from "./secrets.ts";

async function setUp(t: TestContext, masterKey?: string) {
  const dataFolder = await makeTempFolder();
  const database = await createTestDatabase();
  t.after(async () => {
    await database.drop();
    await removeFolder(dataFolder);
  });

  async function open(keys = masterKey) {
    const config = readConfig({ WAYPOST_DATA_DIR: dataFolder, ...(keys ? { WAYPOST_MASTER_KEY: keys } : {}) });
    const installation = await openInstallation(config, database.connection, silentLog);
    t.after(() => installation.db.end());
    return { ...installation, ...createSecretCommands(installation) };
  }

  return { dataFolder, open, keyFile: join(dataFolder, "master-key") };
}

type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>["open"]>>;

async function givenSecret({ db, vault, organizations }: Opened): Promise<{ id: string; secret: string }> {
  const { id: organizationId } = await organizations.create(newUuid());
  const rule = { outbound: createOutbound({ allow: [] }), ports: [443] };
  const principal = { organizationId, keyId: "", environment: "live", scopes: new Set(), entitled: true } as const;
  const { endpoint } = await createEndpoints({
    db,
    vault,
    clock: systemClock,
    cursors: createCursors("test"),
    ...rule,
  }).create({ ...principal, scopes: new Set() }, { url: "https://93.184.216.34/", event_types: ["scrape.started"] });
  const { rows } = await db.query<{ id: string }>(sql`
    select id from webhook_endpoints where organization_id = ${organizationId}
  `);
  return { id: rows[0]?.id ?? "", secret: endpoint.secret };
}

async function sealedOf({ db }: Opened, endpointId: string): Promise<Buffer> {
  const { rows } = await db.query<{ sealed: Buffer }>(sql`
    select sealed from webhook_secrets where endpoint_id = ${endpointId}
  `);
  return rows[0]?.sealed ?? Buffer.alloc(0);
}

const context = (endpointId: string) => `webhook secret ${endpointId} 1`;

test("a generated master key is kept where only its owner can read it", async (t) => {
  const { open, keyFile } = await setUp(t);

  await open();

  assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
  assert.match((await readFile(keyFile, "utf8")).trim(), /^[\w-]{43}$/);
});

test("rekeying moves every secret to a fresh key, also under a service that is running", async (t) => {
  const { open, keyFile } = await setUp(t);
  const service = await open();
  const before = await givenSecret(service);
  const oldKey = await readFile(keyFile, "utf8");
  const oldId = sealedUnder(await sealedOf(service, before.id));

  const { resealed } = await (await open()).rekey();

  assert.equal(resealed, 1);
  assert.notEqual(await readFile(keyFile, "utf8"), oldKey);
  assert.equal((await readFile(keyFile, "utf8")).trim().split("\n").length, 1);
  assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
  const sealed = await sealedOf(service, before.id);
  assert.notEqual(sealedUnder(sealed), oldId);
  assert.equal(await service.vault.open(sealed, context(before.id)), before.secret);
  const after = await givenSecret(service);
  assert.equal(sealedUnder(await sealedOf(service, after.id)), sealedUnder(sealed));
  assert.equal(await service.vault.open(await sealedOf(service, after.id), context(after.id)), after.secret);
});

test("no secret is left under the old key when endpoints are made during the change", async (t) => {
  const { open } = await setUp(t);
  const service = await open();
  const other = await open();
  const operator = await open();

  const made = await Promise.all([
    ...Array.from({ length: 10 }, () => givenSecret(service)),
    operator.rekey().then(() => givenSecret(other)),
    ...Array.from({ length: 10 }, () => givenSecret(other)),
  ]);

  const fresh = await open();
  const ids = new Set<string>();
  for (const { id, secret } of made) {
    const sealed = await sealedOf(fresh, id);
    ids.add(sealedUnder(sealed));
    assert.equal(await fresh.vault.open(sealed, context(id)), secret);
  }
  assert.equal(ids.size, 1);
});

test("configured keys: the new one before the old one, then rekey, then the new one alone", async (t) => {
  const [oldKey, newKey] = ["o".repeat(32), "n".repeat(32)];
  const { open } = await setUp(t, oldKey);
  const old = await open();
  const { id, secret } = await givenSecret(old);
  await assert.rejects(old.rekey(), /one key, and it is the one in use/);
  await assert.rejects(open(newKey), /sealed under another master key/);

  const both = await open(`${newKey},${oldKey}`);
  const { resealed } = await both.rekey();

  assert.equal(resealed, 1);
  const alone = await open(newKey);
  assert.equal(await alone.vault.open(await sealedOf(alone, id), context(id)), secret);
  await assert.rejects(open(oldKey), /sealed under another master key/);
  await assert.rejects(givenSecret(old), /no master key here/);
});

test("two rekeyings at once leave one key with which everything opens", async (t) => {
  const { open, keyFile } = await setUp(t);
  const service = await open();
  const { id, secret } = await givenSecret(service);

  await Promise.all([(await open()).rekey(), (await open()).rekey()]);

  assert.equal((await readFile(keyFile, "utf8")).trim().split("\n").length, 1);
  const fresh = await open();
  assert.equal(await fresh.vault.open(await sealedOf(fresh, id), context(id)), secret);
});
