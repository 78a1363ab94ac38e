import { access } from "node:fs/promises";
import { join } from "node:path";
import { type Config, readConfig } from "./config.ts";
import { createBilling } from "./domains/billing/index.ts";
import { createMembers } from "./domains/members/index.ts";
import { openInstallation } from "./installation.ts";
import type { createCatalogCommands } from "./operator/catalog.ts";
import { createKeyCommands } from "./operator/keys.ts";
import { createOrganizationCommands } from "./operator/organizations.ts";
import type { createSecretCommands } from "./operator/secrets.ts";
import { createUsageCommands } from "./operator/usage.ts";
import { createUserCommands } from "./operator/users.ts";
import { systemClock } from "./platform/clock.ts";
import { actAsOwner } from "./platform/folder-owner.ts";
import { silentLog } from "./platform/log.ts";
import type { Outbound } from "./platform/net/outbound.ts";
import { explainConnectionFailure } from "./platform/postgres/database-problem.ts";
import { joinEmbedded } from "./platform/postgres/embedded/index.ts";
import { probePrimary } from "./platform/postgres/reachable.ts";
import { version } from "./version.ts";

export type { CatalogProgress, ImportView } from "./operator/catalog.ts";
export { generateKey, type KeyView } from "./operator/keys.ts";
export type { OrganizationView } from "./operator/organizations.ts";
export type { LinkView } from "./operator/users.ts";

export type CatalogCommands = ReturnType<typeof createCatalogCommands>;

/** The operator's verbs on an installation, whether or not its service is running. */
export type Operator = {
  keys: ReturnType<typeof createKeyCommands>;
  organizations: ReturnType<typeof createOrganizationCommands>;
  usage: ReturnType<typeof createUsageCommands>;
  users: ReturnType<typeof createUserCommands>;
  /** What few commands need is imported when one asks for it: most start in half the time without. */
  secrets(): Promise<ReturnType<typeof createSecretCommands>>;
  catalog(): Promise<CatalogCommands>;
  /** Writes a backup; resolves to whether it is encrypted. */
  backUp(path: string, passphraseFile: string | undefined): Promise<{ encrypted: boolean }>;
  close(): Promise<void>;
};

export async function openOperator(config: Config = readConfig()): Promise<Operator> {
  await actAsOwner(config.dataFolder);
  await requireData(config);
  const postgres = await reachPostgres(config);
  try {
    const { connection } = postgres;
    const { db, pepper, masterKeys, organizations, apiKeys } = await openInstallation(config, connection, silentLog);
    const billing = createBilling({ db, clock: systemClock, defaultAllowance: config.defaultAllowance });
    let outbound: Outbound | undefined;
    const readSecrets = async () => ({ keyPepper: pepper, masterKeys: await masterKeys.read() });
    return {
      keys: createKeyCommands({ organizations, apiKeys }),
      organizations: createOrganizationCommands({ db, organizations, billing }),
      usage: createUsageCommands({ organizations, billing }),
      users: createUserCommands({
        members: createMembers({ db, clock: systemClock }),
        organizations,
        publicUrl: config.publicUrl,
      }),
      async secrets() {
        const { createSecretCommands } = await import("./operator/secrets.ts");
        return createSecretCommands({ db, masterKeys });
      },
      async catalog() {
        const { createCatalogCommands } = await import("./operator/catalog.ts");
        const { createOutbound } = await import("./platform/net/outbound.ts");
        outbound ??= createOutbound({ allow: config.outboundAllow.imports });
        return createCatalogCommands({ db, connection, outbound, clock: systemClock, version });
      },
      async backUp(path, passphraseFile) {
        const { backUp } = await import("./operator/backup.ts");
        const passphrase = await findPassphrase(config, passphraseFile);
        await backUp({ connection, readSecrets, path, passphrase });
        return { encrypted: passphrase !== undefined };
      },
      async close() {
        await outbound?.close();
        await db.end();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Fills the installation that the configuration names, which must be empty, from a backup. */
export async function restoreBackup(
  path: string,
  passphraseFile: string | undefined,
  config: Config = readConfig(),
): Promise<void> {
  const { keepSecretsIn, restore } = await import("./operator/backup.ts");
  const passphrase = await findPassphrase(config, passphraseFile);
  await actAsOwner(config.dataFolder);
  let postgres: Awaited<ReturnType<typeof reachPostgres>> | undefined;
  try {
    await restore({
      async reach() {
        postgres = await reachPostgres(config);
        return postgres.connection;
      },
      path,
      passphrase,
      keepSecrets: (secrets) => keepSecretsIn(config.dataFolder, secrets, config),
    });
  } finally {
    await postgres?.stop();
  }
}

async function findPassphrase({ backupPassphrase }: Config, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return backupPassphrase;
  const { readPassphrase } = await import("./operator/backup.ts");
  return readPassphrase(file);
}

async function reachPostgres({ databaseUrl, dataFolder }: Config) {
  if (!databaseUrl) return joinEmbedded({ dataFolder, log: silentLog });
  const connection = { url: databaseUrl };
  const error = await probePrimary(connection);
  if (error) throw explainConnectionFailure(error);
  return { connection, stop: async () => undefined };
}

async function requireData({ databaseUrl, dataFolder }: Config) {
  if (databaseUrl) return;
  await access(join(dataFolder, "postgres")).catch((cause: unknown) => {
    throw new Error(
      `There is no Waypost data in ${dataFolder}. Start the service there once, or set WAYPOST_DATA_DIR or DATABASE_URL to where it is.`,
      { cause },
    );
  });
}
