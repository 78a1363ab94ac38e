import { execFile } from "node:child_process";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { silentLog } from "../src/platform/log.ts";
import { startEmbedded } from "../src/platform/postgres/embedded/index.ts";
import { migrate, readMigrations } from "../src/platform/postgres/migrate.ts";
import { makeTempFolder } from "./temp-folder.ts";

const run = promisify(execFile);

/** Only a loss of power could cost a commit: one that was acknowledged outlives every process that is killed. */
const settings = "fsync = off\nfull_page_writes = off\n";

/** Makes a data folder with a migrated PostgreSQL that nobody has set up, and leaves it stopped. */
export async function prepareCluster(folder: string): Promise<void> {
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  try {
    await migrate(postgres.connection, await readMigrations());
  } finally {
    await postgres.stop();
  }
  await appendFile(join(folder, "postgres/cluster/postgresql.conf"), settings);
}

/** Copies a stopped cluster with its owner into a data folder that has none. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(join(to, "postgres"), { mode: 0o700 });
  await run("cp", ["-Rp", join(from, "postgres/cluster"), join(to, "postgres/cluster")]);
  await run("cp", ["-p", join(from, "postgres-password"), to]);
}

/**
 * A data folder on which a service starts as on an empty one, keys included, without the seconds that initdb and the
 * migrations take. What an empty folder makes of itself needs an empty folder.
 */
export async function makePreparedFolder(): Promise<string> {
  const prepared = process.env["WAYPOST_TEST_CLUSTER"];
  if (!prepared) throw new Error("Run the tests with `npm test`, or `npm test -- FILE`: it prepares what they copy.");
  const folder = await makeTempFolder();
  await copyCluster(prepared, folder);
  return folder;
}
