import { silentLog } from "../../server/src/platform/log.ts";
import { createDatabase } from "../../server/src/platform/postgres/database.ts";
import { startEmbedded } from "../../server/src/platform/postgres/embedded/index.ts";
import { migrate, readMigrations } from "../../server/src/platform/postgres/migrate.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";

/** A PostgreSQL of its own, migrated, with the settings the service gives it; gone afterwards. */
export async function withDatabase<Result>(
  work: (opened: Awaited<ReturnType<typeof open>>) => Promise<Result>,
): Promise<Result> {
  const opened = await open();
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function open() {
  const folder = await makeTempFolder();
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  await migrate(postgres.connection, await readMigrations());
  const db = createDatabase({ connection: postgres.connection, connectionsMax: 10, log: silentLog });
  return {
    folder,
    connection: postgres.connection,
    db,
    async close() {
      await db.end();
      await postgres.stop();
      await removeFolder(folder);
    },
  };
}
