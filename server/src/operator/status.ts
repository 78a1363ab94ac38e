import { createBilling } from "../domains/billing/index.ts";
import { countEndpoints } from "../domains/webhooks/index.ts";
import type { Backlog } from "../platform/backlog.ts";
import { noPlaceIndex } from "../place-index/reader.ts";
import { systemClock } from "../platform/clock.ts";
import { type DiskSpace, readDisk } from "../platform/disk.ts";
import { actAsOwner } from "../platform/folder-owner.ts";
import { silentLog } from "../platform/log.ts";
import { noMeters } from "../platform/meters.ts";
import { createOutbound } from "../platform/net/outbound.ts";
import { type Database, isStatementTimeout } from "../platform/postgres/database.ts";
import { isWorkHeld } from "../platform/postgres/held-work.ts";
import { compareSchema, hasMigrations, readMigrations } from "../platform/postgres/migrate.ts";
import { sql } from "../platform/postgres/sql.ts";
import { version } from "../platform/version.ts";
import { indexPathOf, type IndexStatus, readIndexStatus } from "../place-index/file/index.ts";
import { listDataSets, readGeneration } from "../data-sets/data-sets.ts";
import { isSample } from "../data-sets/sample.ts";
import { createSources, sourceNames } from "../sources/registry.ts";
import { createSourceSelection } from "../sources/selection.ts";
import { readBacklogs } from "./backlogs.ts";
import { type AskedProcess, askProcesses, listProcesses, type ProcessView } from "./processes.ts";
import { askService, type Reached, reachDatabase, type ServiceView } from "./reach.ts";
import type { OperatorSettings } from "./settings.ts";

/** The installation as `waypost status` shows it. Null: the database could not be read. */
export type StatusView = {
  version: string;
  service: ServiceView;
  database: { where: string; problem: string | null; details: DatabaseView | null };
  processes: AskedProcess[] | null;
  queues: (Omit<Backlog, "oldestSeconds"> & { oldest_seconds: number })[] | null;
  endpoints: { active: number; paused: number; disabled: number } | null;
  sources: { choice: string; answering: string | null; registered: string[] };
  catalog: { generation: number; data_sets: DataSetView[] } | null;
  /** The difference is null when the ledger takes longer than 5 s to read. */
  ledger: { difference_units: number | null } | null;
  /** Of this machine. Null: no process has followed the catalog here. */
  place_index: PlaceIndexView | null;
  disk: { folder: string; free_bytes: number | null; total_bytes: number | null };
};

type DataSetView = {
  name: string;
  /** What the sample is called where people read of it. */
  title: string | null;
  places: number;
  imported_at: string;
  /** An earlier version imported it, which kept less of its places: streets, landmarks and what has no name are missing. */
  import_again: boolean;
};

type PlaceIndexView = {
  folder: string;
  generation: number | null;
  size_bytes: number;
  log_bytes: number;
  lag_seconds: number;
  waits_for: string | null;
  problem: string | null;
};

type DatabaseView = {
  version: string;
  size_bytes: number;
  takes_writes: boolean;
  is_migrated: boolean;
  /** After a restore, until `waypost resume`. */
  is_held: boolean;
};

/** The part of a status that is read from the database. */
type DatabaseStatus = {
  [Name in "queues" | "endpoints" | "catalog" | "ledger"]: NonNullable<StatusView[Name]>;
} & { database: DatabaseView; processes: ProcessView[] };

const ledgerMs = 5_000;

/** Reads what runs, where, and what work waits. It starts nothing and changes nothing. */
export async function readStatus(settings: OperatorSettings): Promise<StatusView> {
  const { dataFolder, source } = settings;
  await actAsOwner(dataFolder);
  const reached = await reachDatabase(settings);
  try {
    const { status, answering, problem } = await tryDatabase(settings, reached);
    const { database = null, processes, ...rest } = status ?? {};
    const [service, asked] = await Promise.all([askService(settings), askProcesses(processes ?? [], settings)]);
    return {
      version,
      service: service.state === "no_answer" ? (asked.answering ?? service) : service,
      database: { where: reached.where, problem, details: database },
      processes: processes ? asked.processes : null,
      queues: null,
      endpoints: null,
      catalog: null,
      ledger: null,
      ...rest,
      sources: { choice: source, answering, registered: [...sourceNames] },
      place_index: indexView(readIndexStatus(indexPathOf(settings))),
      disk: diskView(dataFolder, await readDisk(dataFolder).catch(() => undefined)),
    };
  } finally {
    await reached.close();
  }
}

type Tried = { status: DatabaseStatus | undefined; answering: string | null; problem: string | null };

async function tryDatabase(settings: OperatorSettings, reached: Reached): Promise<Tried> {
  if (!reached.db) return { status: undefined, answering: null, problem: reached.problem };
  const { db } = reached;
  try {
    if (!(await hasMigrations(db))) {
      return { status: undefined, answering: null, problem: "it has no tables yet; the first start makes them" };
    }
    const status = await readDatabase(db, settings);
    return { status, answering: await findAnswering(settings, db), problem: null };
  } catch (error) {
    return { status: undefined, answering: null, problem: `it cannot be read: ${(error as Error).message}` };
  }
}

/** The source that would answer live keys now; `none` without one. */
async function findAnswering({ source, sourceSettings, dataFolder }: OperatorSettings, db: Database): Promise<string> {
  const outbound = createOutbound({ allow: [] });
  const deps = {
    db,
    reads: db,
    outbound,
    clock: systemClock,
    log: silentLog,
    ...noMeters,
    dataFolder,
    placeIndex: noPlaceIndex,
  };
  const sources = await createSources(deps, sourceSettings);
  const chosen = await createSourceSelection({ choice: source, sources, clock: systemClock }).pick();
  await outbound.close();
  return chosen?.name ?? "none";
}

async function readDatabase(db: Database, { defaultAllowance }: OperatorSettings): Promise<DatabaseStatus> {
  return {
    database: await readDatabaseView(db),
    processes: await listProcesses(db),
    queues: (await readBacklogs(db)).map(({ oldestSeconds, ...queue }) => ({
      ...queue,
      oldest_seconds: oldestSeconds,
    })),
    endpoints: await countEndpoints(db),
    catalog: {
      generation: await readGeneration(db),
      data_sets: (await listDataSets(db)).map(({ name, origin, places, importedAt, observedAt }) => ({
        name,
        title: isSample({ origin }) ? origin : null,
        places,
        imported_at: importedAt.toISOString(),
        import_again: observedAt === null,
      })),
    },
    ledger: { difference_units: await readLedgerDifference(db, defaultAllowance) },
  };
}

async function readDatabaseView(db: Database): Promise<DatabaseView> {
  const { rows } = await db.query<Omit<DatabaseView, "is_migrated" | "is_held">>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes,
      current_setting('transaction_read_only') = 'off' as takes_writes
  `);
  const [row] = rows;
  if (!row) throw new Error("a select without a table returned no row");
  return {
    ...row,
    is_migrated: !(await compareSchema(db, await readMigrations())).isBehind,
    is_held: await isWorkHeld(db),
  };
}

/** Workers compare every hour without a limit; here a person waits. */
async function readLedgerDifference(db: Database, defaultAllowance: number | undefined): Promise<number | null> {
  const billing = createBilling({ db, clock: systemClock, defaultAllowance });
  try {
    return await billing.ledgerDifference(ledgerMs);
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

function indexView(index: IndexStatus | undefined): PlaceIndexView | null {
  if (!index) return null;
  const { folder, generation, bytes, walBytes, lagSeconds, waitsFor, problem } = index;
  return {
    folder,
    generation,
    size_bytes: bytes,
    log_bytes: walBytes,
    lag_seconds: lagSeconds,
    waits_for: waitsFor,
    problem,
  };
}

function diskView(folder: string, disk: DiskSpace | undefined): StatusView["disk"] {
  return { folder, free_bytes: disk?.freeBytes ?? null, total_bytes: disk?.totalBytes ?? null };
}
