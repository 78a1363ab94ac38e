import { type Config, ConfigProblem, readConfig } from "./config.ts";
import {
  checkClock,
  checkDatabase,
  checkDisk,
  checkFolder,
  checkOpenFiles,
  checkPort,
  type Finding,
  ok,
  problem,
  readDatabaseFacts,
  splitSentence,
} from "./operator/doctor.ts";
import { systemClock } from "./platform/clock.ts";
import { readDisk } from "./platform/disk.ts";
import { actAsOwner } from "./platform/folder-owner.ts";
import { readOpenFilesMax } from "./platform/open-files.ts";
import { createClockCheck } from "./platform/postgres/clock-check.ts";
import { readMigrations } from "./platform/postgres/migrate.ts";
import { askService, reachDatabase } from "./reach.ts";
import { diskBytesLow, diskBytesMin } from "./readiness.ts";
import { explainStartFailure } from "./start-failure.ts";

export type { Finding } from "./operator/doctor.ts";

/** Looks at everything a start depends on, and says what to do about what it finds. */
export async function examine(environment?: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    const fix = "docs/reference/configuration.md lists every setting; the other checks need a valid configuration";
    return error.message.split("\n").map((says) => problem("configuration", says, fix));
  }
  await actAsOwner(config.dataFolder);
  const disk = await readDisk(config.dataFolder).catch(() => undefined);
  return [
    ok("configuration", "every setting is valid"),
    ...(await checkFolder(config.dataFolder)),
    checkDisk(disk, { bytesMin: diskBytesMin, bytesLow: diskBytesLow }),
    checkOpenFiles({ ...config, limit: readOpenFilesMax() }),
    ...(await examineDatabase(config)),
    await checkPort({
      ...config,
      ask: () => askService(config),
      explain: (error) => explainStartFailure(error, config),
    }),
  ];
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  const reached = await reachDatabase(config);
  try {
    const { db, where } = reached;
    if (!db)
      return [reached.isExpected ? ok("database", reached.problem) : problem("database", reached.problem, reached.fix)];
    const facts = await readDatabaseFacts(db, await readMigrations());
    return [checkDatabase(where, facts), checkClock(await createClockCheck({ db, clock: systemClock }).read())];
  } catch (error) {
    const [says, fix] = splitSentence(explainStartFailure(error, config));
    return [problem("database", says, fix || "start the service, which says more")];
  } finally {
    await reached.close();
  }
}
