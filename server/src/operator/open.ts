import { access } from "node:fs/promises";
import { join } from "node:path";
import { createBilling } from "../domains/billing/index.ts";
import type { createOwnersRequests } from "../domains/businesses/index.ts";
import { createMembers } from "../domains/members/index.ts";
import { openInstallation } from "./installation.ts";
import type { createCatalogCommands } from "./catalog.ts";
import { indexPathOf } from "../place-index/file/index.ts";
import { createKeyCommands } from "./keys.ts";
import { createOrganizationCommands } from "./organizations.ts";
import type { createSecretCommands } from "./secrets.ts";
import { createUsageCommands } from "./usage.ts";
import { createUserCommands } from "./users.ts";
import { actAsOwner } from "../platform/folder-owner.ts";
import { silentLog } from "../platform/log.ts";
import type { Outbound } from "../platform/net/outbound.ts";
import { explainConnectionFailure } from "../platform/postgres/database-problem.ts";
import { joinEmbedded } from "../platform/postgres/embedded/index.ts";
import { releaseWork } from "../platform/postgres/held-work.ts";
import { probePrimary } from "../platform/postgres/reachable.ts";
import { version } from "../platform/version.ts";

import type { OperatorSettings } from "./settings.ts";

export type { CatalogProgress, ImportView, OvertureView, UpdateView } from "./catalog.ts";
export { generateKey, type KeyView } from "./keys.ts";
export type { OrganizationView } from "./organizations.ts";
export type { LinkView } from "./users.ts";

export type CatalogCommands = ReturnType<typeof createCatalogCommands>;
export type OwnersRequestCommands = ReturnType<typeof createOwnersRequests>;

/** The operator's verbs on an installation, whether or not its service is running. */
export type Operator = {
  keys: ReturnType<typeof createKeyCommands>;
  organizations: ReturnType<typeof createOrganizationCommands>;
  usage: ReturnType<typeof createUsageCommands>;
  users: ReturnType<typeof createUserCommands>;
  /** Imported on demand, as the catalog is: without them most commands start in half the time. */
  secrets(): Promise<ReturnType<typeof createSecretCommands>>;
  catalog(): Promise<CatalogCommands>;
  /** What businesses asked for: not to be shown, or to be shown otherwise. */
  ownersRequests(): Promise<OwnersRequestCommands>;
  /** Writes a backup; resolves to whether it is encrypted. */
  backUp(path: string, passphraseFile: string | undefined): Promise<{ encrypted: boolean }>;
  /** Lets a restored installation work; false when nothing was held. */
  resume(): Promise<boolean>;
  close(): Promise<void>;
};

export async function openOperator(settings: OperatorSettings): Promise<Operator> {
  await actAsOwner(settings.dataFolder);
  await requireData(settings);
  const postgres = await reachPostgres(settings);
  try {
    const { connection } = postgres;
    const installation = await openInstallation(settings, connection, silentLog);
    const { db, clock, pepper, masterKeys, organizations, apiKeys } = installation;
    const billing = createBilling({ db, clock, defaultAllowance: settings.defaultAllowance });
    let outbound: Outbound | undefined;
    const readSecrets = async () => ({ keyPepper: pepper, masterKeys: await masterKeys.read() });
    return {
      keys: createKeyCommands({ organizations, apiKeys }),
      organizations: createOrganizationCommands({ db, organizations, billing }),
      usage: createUsageCommands({ organizations, billing }),
      users: createUserCommands({
        members: createMembers({ db, clock }),
        organizations,
        publicUrl: settings.publicUrl,
      }),
      async secrets() {
        const { createSecretCommands } = await import("./secrets.ts");
        return createSecretCommands({ db, masterKeys });
      },
      async catalog() {
        const { createCatalogCommands } = await import("./catalog.ts");
        const { createOutbound } = await import("../platform/net/outbound.ts");
        outbound ??= createOutbound({ allow: settings.outboundAllow.imports });
        const folders = { dataFolder: settings.dataFolder, indexFolder: indexPathOf(settings) };
        return createCatalogCommands({ db, connection, outbound, clock, ...folders, version, mirrors: settings });
      },
      async ownersRequests() {
        const domain = await import("../domains/businesses/index.ts");
        return domain.createOwnersRequests({ db });
      },
      async backUp(path, passphraseFile) {
        const { backUp } = await import("./backup.ts");
        const passphrase = await findPassphrase(settings, passphraseFile);
        await backUp({ connection, readSecrets, path, passphrase });
        return { encrypted: passphrase !== undefined };
      },
      resume: () => releaseWork(db),
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

/** Fills the installation that the settings name from a backup. It must be empty. */
export async function restoreBackup(
  settings: OperatorSettings,
  path: string,
  passphraseFile: string | undefined,
): Promise<void> {
  const { keepSecretsIn, restore } = await import("./backup.ts");
  const passphrase = await findPassphrase(settings, passphraseFile);
  await actAsOwner(settings.dataFolder);
  let postgres: Awaited<ReturnType<typeof reachPostgres>> | undefined;
  try {
    await restore({
      async reach() {
        postgres = await reachPostgres(settings);
        return postgres.connection;
      },
      path,
      passphrase,
      keepSecrets: (secrets) => keepSecretsIn(settings.dataFolder, secrets, settings),
    });
  } finally {
    await postgres?.stop();
  }
}

async function findPassphrase(
  { backupPassphrase }: OperatorSettings,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return backupPassphrase;
  const { readPassphrase } = await import("./backup.ts");
  return readPassphrase(file);
}

async function reachPostgres({ databaseUrl, dataFolder }: OperatorSettings) {
  if (!databaseUrl) return joinEmbedded({ dataFolder, log: silentLog });
  const connection = { url: databaseUrl };
  const error = await probePrimary(connection);
  if (error) throw explainConnectionFailure(error);
  return { connection, stop: async () => undefined };
}

async function requireData({ databaseUrl, dataFolder }: OperatorSettings) {
  if (databaseUrl) return;
  await access(join(dataFolder, "postgres")).catch((cause: unknown) => {
    throw new Error(
      `There is no Waypost data in ${dataFolder}. Start the service there once, or set WAYPOST_DATA_DIR or DATABASE_URL to where it is.`,
      { cause },
    );
  });
}
