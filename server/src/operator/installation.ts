import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { type ApiKeys, createApiKeys, parseKeyText } from "../domains/api-keys/index.ts";
import { createMembers } from "../domains/members/index.ts";
import { createOrganizations, type Organizations } from "../domains/organizations/index.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { createMasterKeys, type MasterKeys } from "../platform/crypto/master-keys.ts";
import { createKeyRing } from "../platform/crypto/sealing.ts";
import { readOrCreateSecret } from "../platform/crypto/secret-file.ts";
import { makeFolderDurably } from "../platform/durable-files.ts";
import type { Log } from "../platform/log.ts";
import { advisoryLocks } from "../platform/postgres/advisory-locks.ts";
import { type ClockCheck, createClockCheck } from "../platform/postgres/clock-check.ts";
import { type Connection, createDatabase, type Database } from "../platform/postgres/database.ts";
import { type Migration, migrate, readMigrations } from "../platform/postgres/migrate.ts";
import { sql } from "../platform/postgres/sql.ts";
import { agreeOnMasterKey, createVault, type Vault } from "../platform/postgres/vault.ts";
import { wantSample } from "../data-sets/sample.ts";
import type { OperatorSettings } from "./settings.ts";

type InstallationSettings = Pick<
  OperatorSettings,
  "dataFolder" | "databaseConnectionsMax" | "keyPepper" | "masterKeys"
>;

/** What the service and the operator's verbs share: a migrated database and the secrets that belong to it. */
export type Installation = {
  db: Database;
  /** The database's, which every process shares. */
  clock: Clock;
  clockCheck: ClockCheck;
  migrations: Migration[];
  pepper: string;
  masterKeys: MasterKeys;
  vault: Vault;
  organizations: Organizations;
  apiKeys: ApiKeys;
};

/** Where a test brings its own time. */
export type ReplacedClocks = {
  /** In place of the database's. */
  clock?: Clock | undefined;
  /** In place of what the operating system says. */
  processClock?: Clock | undefined;
};

export async function openInstallation(
  config: InstallationSettings,
  connection: Connection,
  log: Log,
  { clock, processClock = systemClock }: ReplacedClocks = {},
  signal?: AbortSignal,
): Promise<Installation> {
  const migrations = await readMigrations();
  const applied = await migrate(connection, migrations, {
    signal,
    onWait: (sentence) => log.warn({ error: sentence }, "postgres.waiting"),
  });
  if (applied.length > 0) log.info({ migrations: applied }, "postgres.migrated");

  const db = createDatabase({ connection, connectionsMax: config.databaseConnectionsMax, log });
  const clockCheck = createClockCheck({ db, clock: clock ?? processClock });
  const agreed = clock ?? clockCheck.databaseClock;
  try {
    await clockCheck.read();
    const pepper = await findPepper(config);
    await agreeOnPepper(db, pepper);
    const masterKeys = createMasterKeys(config.masterKeys, join(config.dataFolder, "master-key"));
    const readRing = async () => createKeyRing(await masterKeys.read());
    const ring = await readRing();
    await agreeOnMasterKey(db, ring);
    return {
      db,
      clock: agreed,
      clockCheck,
      migrations,
      pepper,
      masterKeys,
      vault: createVault({ ring, reload: readRing }),
      organizations: createOrganizations({ db }),
      apiKeys: createApiKeys({ db, pepper, clock: agreed }),
    };
  } catch (error) {
    await db.end();
    throw error;
  }
}

export type FirstKeys = {
  live: string;
  test: string;
  /** Token of the one-time link for the first owner; undefined when an owner can sign in already. */
  ownerToken: string | undefined;
};

type FirstStart = Pick<OperatorSettings, "seedLiveKey" | "seedTestKey" | "databaseUrl" | "source">;

export async function hasNoOrganization({ db, organizations }: Installation): Promise<boolean> {
  const known = await organizations.list(db);
  return known.length === 0;
}

/** The sample is for who tries Waypost, and not for an installation that somebody set up. */
export function mayHaveSample({ databaseUrl, source }: Pick<OperatorSettings, "databaseUrl" | "source">): boolean {
  return databaseUrl === undefined && source === "auto";
}

/** Makes the first organization with its two keys and the link of its first owner; resolves to undefined when there is one already. */
export async function setUpOnce(
  settings: FirstStart,
  { db, clock, organizations, apiKeys }: Installation,
): Promise<FirstKeys | undefined> {
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.firstStart})`);
    const known = await organizations.list(tx);
    if (known.length > 0) return undefined;

    const { id } = await organizations.create("Default", tx);
    const live = await apiKeys.create(
      id,
      { name: "First live key", environment: "live", ...seed(settings.seedLiveKey) },
      tx,
    );
    const test = await apiKeys.create(
      id,
      { name: "First test key", environment: "test", ...seed(settings.seedTestKey) },
      tx,
    );
    const owner = await createMembers({ db, clock }).inviteFirstOwner(id, tx);
    const isSeeded = settings.seedLiveKey !== undefined || settings.seedTestKey !== undefined;
    if (mayHaveSample(settings) && !isSeeded) await wantSample(tx);
    return { live: live.text, test: test.text, ownerToken: owner?.token };
  });
}

function seed(key: string | undefined) {
  const text = key === undefined ? undefined : parseKeyText(key);
  return text ? { text } : {};
}

async function findPepper(config: InstallationSettings): Promise<string> {
  if (config.keyPepper) return config.keyPepper;
  await makeFolderDurably(config.dataFolder);
  return readOrCreateSecret(join(config.dataFolder, "key-pepper"), () => randomBytes(32).toString("base64url"));
}

/** Refuses to start under another pepper, which would recognize no key. */
async function agreeOnPepper(db: Database, pepper: string) {
  const fingerprint = createHash("sha256").update(`waypost key pepper ${pepper}`).digest("hex");
  await db.query(sql`
    insert into installation (name, value)
    values ('key_pepper_fingerprint', ${fingerprint})
    on conflict (name) do nothing
  `);
  const { rows } = await db.query<{ value: string }>(sql`
    select value
    from installation
    where name = 'key_pepper_fingerprint'
  `);
  if (rows[0]?.value === fingerprint) return;
  throw new Error(
    "This database's API keys were hashed under another pepper. Set WAYPOST_KEY_PEPPER to the content of the file key-pepper in the data folder of the first installation.",
  );
}
