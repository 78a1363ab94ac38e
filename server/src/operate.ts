import { access } from "node:fs/promises";
import { join } from "node:path";
import { type Config, readConfig } from "./config.ts";
import { openInstallation } from "./installation.ts";
import { silentLog } from "./platform/log.ts";
import { joinEmbedded } from "./platform/postgres/embedded/index.ts";
import { createKeyCommands } from "./operator/keys.ts";

export { generateKey, type KeyView } from "./operator/keys.ts";

/** The operator's verbs on an installation, whether or not its service is running. */
export type Operator = {
  keys: ReturnType<typeof createKeyCommands>;
  close(): Promise<void>;
};

export async function openOperator(config: Config = readConfig()): Promise<Operator> {
  const postgres = await reachPostgres(config);
  try {
    const { db, organizations, apiKeys } = await openInstallation(config, postgres.connection, silentLog);
    return {
      keys: createKeyCommands({ organizations, apiKeys }),
      async close() {
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
