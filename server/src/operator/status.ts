import { countEndpoints } from "../domains/webhooks/index.ts";
import type { Backlog } from "../platform/backlog.ts";
import type { DiskSpace } from "../platform/disk.ts";
import { type Database, isStatementTimeout } from "../platform/postgres/database.ts";
import { isMigrated, type Migration } from "../platform/postgres/migrate.ts";
import { sql } from "../platform/postgres/sql.ts";
import { listDataSets, readGeneration } from "../data-sets/data-sets.ts";
import { listProcesses, type ProcessView } from "./processes.ts";

/** What the service at the configured address says of itself. */
export type ServiceView = { address: string; state: "ready" | "not_ready" | "no_answer"; problems: string[] };

/** The installation as an operator is shown it. Null: the database could not be read. */
export type StatusView = {
  version: string;
  service: ServiceView;
  database: { where: string; problem: string | null; details: DatabaseView | null };
  processes: ProcessView[] | null;
  queues: (Omit<Backlog, "oldestSeconds"> & { oldest_seconds: number })[] | null;
  endpoints: { active: number; paused: number; disabled: number } | null;
  sources: { choice: string; answering: string | null; registered: string[] };
  catalog: { generation: number; data_sets: { name: string; places: number; imported_at: string }[] } | null;
  /** The difference is null when the ledger is too long to be read while somebody waits. */
  ledger: { difference_units: number | null } | null;
  disk: { folder: string; free_bytes: number | null; total_bytes: number | null };
};

export type DatabaseView = { version: string; size_bytes: number; takes_writes: boolean; is_migrated: boolean };

type StatusDeps = {
  db: Database;
  migrations: readonly Migration[];
  readBacklogs(db: Database): Promise<Backlog[]>;
  /** By how many units the ledger and the counters differ; one statement of at most so many milliseconds. */
  ledgerDifference(statementMs: number): Promise<number>;
};

export type InstallationView = {
  [Name in "processes" | "queues" | "endpoints" | "catalog" | "ledger"]: NonNullable<StatusView[Name]>;
} & { database: DatabaseView };

/** What the database tells of the installation. */
export async function readInstallation(deps: StatusDeps): Promise<InstallationView> {
  const { db, migrations, readBacklogs, ledgerDifference } = deps;
  return {
    database: await readDatabase(db, migrations),
    processes: await listProcesses(db),
    queues: (await readBacklogs(db)).map(({ oldestSeconds, ...queue }) => ({
      ...queue,
      oldest_seconds: oldestSeconds,
    })),
    endpoints: await countEndpoints(db),
    catalog: {
      generation: await readGeneration(db),
      data_sets: (await listDataSets(db)).map(({ name, places, importedAt }) => ({
        name,
        places,
        imported_at: importedAt.toISOString(),
      })),
    },
    ledger: { difference_units: await compareLedger(ledgerDifference) },
  };
}

const comparisonMs = 5_000;

/** Workers compare every hour, however long it takes; here somebody waits. */
async function compareLedger(ledgerDifference: StatusDeps["ledgerDifference"]): Promise<number | null> {
  try {
    return await ledgerDifference(comparisonMs);
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

async function readDatabase(db: Database, migrations: readonly Migration[]): Promise<DatabaseView> {
  const { rows } = await db.query<Omit<DatabaseView, "is_migrated">>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes,
      current_setting('transaction_read_only') = 'off' as takes_writes
  `);
  const [row] = rows;
  if (!row) throw new Error("a select without a table returned no row");
  return { ...row, is_migrated: await isMigrated(db, migrations) };
}

export function diskView(folder: string, disk: DiskSpace | undefined): StatusView["disk"] {
  return { folder, free_bytes: disk?.freeBytes ?? null, total_bytes: disk?.totalBytes ?? null };
}
