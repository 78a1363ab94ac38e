import { readBacklogs } from "./backlogs.ts";
import { type Config, readConfig } from "./config.ts";
import { createBilling } from "./domains/billing/index.ts";
import { diskView, type InstallationView, readInstallation, type StatusView } from "./operator/status.ts";
import { systemClock } from "./platform/clock.ts";
import { readDisk } from "./platform/disk.ts";
import { actAsOwner } from "./platform/folder-owner.ts";
import { silentLog } from "./platform/log.ts";
import { noMeters } from "./platform/meters.ts";
import { createOutbound } from "./platform/net/outbound.ts";
import type { Database } from "./platform/postgres/database.ts";
import { hasMigrations, readMigrations } from "./platform/postgres/migrate.ts";
import { askService, type Reached, reachDatabase } from "./reach.ts";
import { createSources, sourceNames } from "./sources/registry.ts";
import { createSourceSelection } from "./sources/selection.ts";
import { version } from "./version.ts";

export type { StatusView } from "./operator/status.ts";

/** What runs, where, and what it has before it. It starts nothing and changes nothing. */
export async function showStatus(config: Config = readConfig()): Promise<StatusView> {
  await actAsOwner(config.dataFolder);
  const reached = await reachDatabase(config);
  try {
    const { view, answering, problem: refusal } = await lookInside(config, reached);
    const { database, ...rest } = view ?? {};
    return {
      version,
      service: await askService(config),
      database: { where: reached.where, problem: refusal, details: database ?? null },
      processes: null,
      queues: null,
      endpoints: null,
      catalog: null,
      ledger: null,
      ...rest,
      sources: { choice: config.source, answering, registered: [...sourceNames] },
      disk: diskView(config.dataFolder, await readDisk(config.dataFolder).catch(() => undefined)),
    };
  } finally {
    await reached.close();
  }
}

type Inside = { view: InstallationView | undefined; answering: string | null; problem: string | null };

async function lookInside(config: Config, reached: Reached): Promise<Inside> {
  if (!reached.db) return { view: undefined, answering: null, problem: reached.problem };
  const { db } = reached;
  try {
    if (!(await hasMigrations(db))) {
      return { view: undefined, answering: null, problem: "it has no tables yet; the first start makes them" };
    }
    const billing = createBilling({ db, clock: systemClock, defaultAllowance: config.defaultAllowance });
    const migrations = await readMigrations();
    const view = await readInstallation({ db, migrations, readBacklogs, ledgerDifference: billing.ledgerDifference });
    return { view, answering: await findAnswering(config, db), problem: null };
  } catch (error) {
    return { view: undefined, answering: null, problem: `it cannot be read: ${(error as Error).message}` };
  }
}

/** The source that would answer live keys now; `none` when none would. */
async function findAnswering({ source, sourceSettings, dataFolder }: Config, db: Database): Promise<string> {
  const outbound = createOutbound({ allow: [] });
  const deps = { db, reads: db, outbound, clock: systemClock, log: silentLog, ...noMeters, dataFolder };
  const sources = await createSources(deps, sourceSettings);
  const chosen = await createSourceSelection({ choice: source, sources, clock: systemClock }).pick();
  await outbound.close();
  return chosen?.name ?? "none";
}
