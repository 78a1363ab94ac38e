import { indexPathOf, readIndexStatus } from "../place-index/file/index.ts";
import { systemClock } from "../platform/clock.ts";
import { actAsOwner } from "../platform/folder-owner.ts";
import { readOpenFilesMax } from "../platform/open-files.ts";
import { createClockCheck } from "../platform/postgres/clock-check.ts";
import { readMigrations } from "../platform/postgres/migrate.ts";
import { ConfigProblem } from "../platform/settings.ts";
import {
  checkClock,
  checkDatabase,
  checkDisks,
  checkFolder,
  checkOpenFiles,
  checkPlaceIndex,
  checkPort,
  checkService,
  type Finding,
  ok,
  problem,
  readDatabaseFacts,
  splitSentence,
} from "./doctor-checks.ts";
import { readDisks } from "./disks.ts";
import { checkSessions } from "./held-back.ts";
import { askProcesses, listProcesses, type ProcessView } from "./processes.ts";
import { askService, reachDatabase } from "./reach.ts";
import type { OperatorSettings } from "./settings.ts";
import { explainStartFailure } from "./start-failure.ts";

export type { Finding } from "./doctor-checks.ts";

/** Checks everything a start depends on, and says how to fix what is wrong. */
export async function runDoctor(readSettings: () => OperatorSettings): Promise<Finding[]> {
  let settings: OperatorSettings;
  try {
    settings = readSettings();
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    const fix = "docs/reference/configuration.md lists every setting; the other checks need a valid configuration";
    return error.message.split("\n").map((says) => problem("configuration", says, fix));
  }
  const { dataFolder } = settings;
  await actAsOwner(dataFolder);
  const disks = await readDisks(dataFolder).catch(() => undefined);
  const index = readIndexStatus(indexPathOf(settings));
  const { findings, processes } = await diagnoseDatabase(settings);
  return [
    ok("configuration", "every setting is valid"),
    ...(await checkFolder(dataFolder)),
    ...checkDisks(disks),
    ...(index ? [checkPlaceIndex(index)] : []),
    checkOpenFiles({ ...settings, limit: readOpenFilesMax() }),
    ...findings,
    await checkPort({
      ...settings,
      ask: () => askService(settings),
      explain: (error) => explainStartFailure(error, settings),
    }),
    checkService(await askService(settings), processes.length, (await askProcesses(processes, settings)).answering),
  ];
}

type Diagnosis = { findings: Finding[]; processes: ProcessView[] };

async function diagnoseDatabase(settings: OperatorSettings): Promise<Diagnosis> {
  const reached = await reachDatabase(settings);
  try {
    const { db, where } = reached;
    if (!db) {
      const { isExpected, problem: says, fix } = reached;
      return { findings: [isExpected ? ok("database", says) : problem("database", says, fix)], processes: [] };
    }
    const facts = await readDatabaseFacts(db, await readMigrations());
    const findings = [
      checkDatabase(where, facts),
      await checkSessions(db),
      checkClock(await createClockCheck({ db, clock: systemClock }).read()),
    ];
    return { findings, processes: await listProcesses(db) };
  } catch (error) {
    const [says, fix] = splitSentence(explainStartFailure(error, settings));
    return { findings: [problem("database", says, fix || "start the service, which says more")], processes: [] };
  } finally {
    await reached.close();
  }
}
