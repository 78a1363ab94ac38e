import { access } from "node:fs/promises";
import { join } from "node:path";
import { type Config, readConfig } from "./config.ts";
import { createBilling } from "./domains/billing/index.ts";
import { openInstallation } from "./installation.ts";
import { createCatalogCommands } from "./operator/catalog.ts";
import { createKeyCommands } from "./operator/keys.ts";
import { createOrganizationCommands } from "./operator/organizations.ts";
import { createSecretCommands } from "./operator/secrets.ts";
import { createUsageCommands } from "./operator/usage.ts";
import { systemClock } from "./platform/clock.ts";
import { actAsOwner } from "./platform/folder-owner.ts";
import { silentLog } from "./platform/log.ts";
import { createOutbound } from "./platform/net/outbound.ts";
import { joinEmbedded } from "./platform/postgres/embedded/index.ts";

export type { CatalogProgress, ImportView } from "./operator/catalog.ts";
export { generateKey, type KeyView } from "./operator/keys.ts";
export type { OrganizationView } from "./operator/organizations.ts";

/** The operator's verbs on an installation, whether or not its service is running. */
export type Operator = {
  keys: ReturnType<typeof createKeyCommands>;
  organizations: ReturnType<typeof createOrganizationCommands>;
  usage: ReturnType<typeof createUsageCommands>;
  secrets: ReturnType<typeof createSecretCommands>;
  catalog: ReturnType<typeof createCatalogCommands>;
  close(): Promise<void>;
};

export async function openOperator(config: Config = readConfig()): Promise<Operator> {
  await actAsOwner(config.dataFolder);
  const postgres = await reachPostgres(config);
  try {
    const { connection } = postgres;
    const { db, masterKeys, organizations, apiKeys } = await openInstallation(config, connection, silentLog);
    const billing = createBilling({ db, clock: systemClock, defaultAllowance: config.defaultAllowance });
    const outbound = createOutbound({ allow: config.outboundAllow });
    return {
      keys: createKeyCommands({ organizations, apiKeys }),
      organizations: createOrganizationCommands({ db, organizations, billing }),
      usage: createUsageCommands({ organizations, billing }),
      secrets: createSecretCommands({ db, masterKeys }),
      catalog: createCatalogCommands({ db, connection, outbound, clock: systemClock }),
      async close() {
        await outbound.close();
        await db.end();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function reachPostgres({ databaseUrl, dataFolder }: Config) {
  if (databaseUrl) return { connection: { url: databaseUrl }, stop: async () => undefined };
  const exists = await access(join(dataFolder, "postgres")).then(
    () => true,
    () => false,
  );
  if (!exists) {
    throw new Error(
      `There is no Waypost data in ${dataFolder}. Start the service there once, or set WAYPOST_DATA_DIR or DATABASE_URL to where it is.`,
    );
  }
  return joinEmbedded({ dataFolder, log: silentLog });
}
