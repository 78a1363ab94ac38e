import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../platform/clock.ts";
import { ServiceError } from "../../../platform/errors.ts";
import { type BulkConnection, openBulkConnection } from "../../../platform/postgres/bulk.ts";
import { type Connection, isDiskFull, isOutage, isStatementTimeout } from "../../../platform/postgres/database.ts";
import type { RecordItem } from "../../open-data/record.ts";
import { changeIndex } from "./change-index.ts";
import { type Coverage, coverageOf } from "./cover.ts";
import { deleteDataSet, findDataSet, openDataSet, showDataSet } from "./data-set-store.ts";
import { DatabaseLost, DataSetUnknown, ImportEmpty, ImportRunning } from "./errors.ts";
import { announcePhase } from "../running-imports.ts";
import { sortMegabytes, withSessions } from "./sessions.ts";
import { stageRows } from "./stage.ts";
import { batchRows, type RowBatch } from "../stage-rows.ts";
import { openStage, type ReadReport } from "./stage-store.ts";
import { dropForgottenStage, dropStage, forgetStage, lockKeyOf, stageTableOf } from "../stage-tables.ts";
import { leaveOut, stageNext } from "./swap.ts";

export type ImportProgress =
  /** An interrupted import goes on: so much of the file is staged, or all of it. */
  | { phase: "resuming"; places: number; areas: number; isRead: boolean }
  | { phase: "reading"; places: number; areas: number }
  | { phase: "storing" }
  | { phase: "indexing"; done: number; total: number };

export type ImportResult = {
  places: number;
  areas: number;
  added: number;
  changed: number;
  closed: number;
  unchanged: number;
  /** Items without a name or a place on the earth. */
  skipped: number;
  /** Places that a later one of the same id replaced. */
  repeated: number;
};

type ImportOptions = {
  connection: Connection;
  clock: Clock;
  signal: AbortSignal;
  progress?: (progress: ImportProgress) => void;
  /** Of the file and how it is read: an import of the same one continues after an interruption. */
  fingerprint?: string | undefined;
  /** What the reader says of the file; filled when the file need not be read again. */
  read?: ReadReport;
  /** Throws when what was read is not to be stored; nothing is changed then. */
  check?: (read: { places: number; skipped: number }) => void;
  /** Follows the switch: what it replaced stays until processes that search have read what changed. */
  afterSwitch?: (changedBlocks: number) => Promise<void>;
  /** How many sessions of the database store at once; without it two do, where nobody else uses it. */
  sessions?: 1 | 2;
};

type DataSet = { name: string; origin: string };

/** Makes a data set what the items say, or leaves the catalog as it was. */
export async function importItems(
  dataSet: DataSet,
  items: AsyncIterable<RecordItem>,
  options: ImportOptions,
): Promise<ImportResult> {
  return importRows(dataSet, batchRows(items), options);
}

/**
 * The same with rows that are made already. They are staged, and made the next generation of the
 * catalog, in bounded transactions; a short one then switches to it, and searches see the old catalog until it
 * commits. What is written outlives an interruption, and an import with the same fingerprint continues after it.
 */
export async function importRows(
  dataSet: DataSet,
  batches: AsyncIterable<RowBatch>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { connection, clock, signal, progress = () => undefined } = options;
  let isReading = false;
  try {
    const result = await withDataSet(connection, dataSet.name, signal, async (db) => {
      isReading = true;
      const { staged, source } = await stage(db, dataSet, batches, options);
      isReading = false;

      await announcePhase(db, "storing", dataSet.name);
      progress({ phase: "storing" });
      const announce = async (done: number, total: number) => {
        progress({ phase: "indexing", done, total });
        await announcePhase(db, "storing", dataSet.name, Math.floor((100 * done) / total));
      };
      return changeIndex(db, source, announce, async (next) => {
        const now = clock.now();
        const id = await openDataSet(db, dataSet, now);
        const stageTable = stageTableOf(dataSet.name);
        const swapped = await withSessions(db, { ...options, places: staged.places }, (sessions) =>
          stageNext(sessions, { next, dataSetId: id, stageTable, now }),
        );
        const places = swapped.added + swapped.changed + swapped.unchanged;
        let coverage: Coverage | undefined;
        return {
          latest: id,
          result: { ...swapped, places, skipped: staged.skipped, repeated: staged.places - places },
          async beforeSwitch() {
            coverage = await coverageOf(db, id);
          },
          async atSwitch() {
            await showDataSet(db, id, { origin: dataSet.origin, importedAt: now, places, coverage });
            await forgetStage(db, dataSet.name);
          },
          async afterSwitch(changedBlocks) {
            await options.afterSwitch?.(changedBlocks);
          },
        };
      });
    });
    await Promise.race([clearStage(connection, dataSet.name, signal), sleep(clearingMs, undefined, { ref: false })]);
    return result;
  } catch (error) {
    // A file that is refused is refused the next time too; after anything else the stage is worth keeping.
    if (isReading && !signal.aborted) await discardStage(connection, dataSet.name, signal);
    throw error;
  }
}

async function stage(
  db: BulkConnection,
  { name, origin }: DataSet,
  batches: AsyncIterable<RowBatch>,
  options: ImportOptions,
) {
  const { fingerprint, progress = () => undefined, check = () => undefined } = options;
  const { read = { skipped: { count: 0, samples: [] } } } = options;
  await announcePhase(db, "reading", name);
  const opened = await openStage(db, name, fingerprint);
  const { items: known, places, areas } = opened.progress;
  if (known > 0) progress({ phase: "resuming", places, areas, isRead: opened.skippedRows !== null });
  const staged = await stageRows(db, { name, stage: opened, read }, batches, (now) =>
    progress({ phase: "reading", places: now.places, areas: now.areas }),
  );
  if (staged.places === 0 && staged.areas === 0) throw ImportEmpty({ origin });
  check({ places: staged.places, skipped: staged.skipped });
  return { staged, source: opened.id };
}

/** A file system may take seconds to free a large file. The import is done by then, and need not wait for it. */
const clearingMs = 500;

/** On a connection of its own: the import has ended, and another of the same data set may begin. */
async function clearStage(connection: Connection, name: string, signal: AbortSignal): Promise<void> {
  try {
    const db = await openBulkConnection(connection, signal);
    try {
      await db.execute("set lock_timeout = '5s'");
      await dropForgottenStage(db, name);
    } finally {
      await db.end();
    }
  } catch {
    // It stays until the worker sweeps it.
  }
}

/** On a connection of its own: that of the import may be in the middle of a transaction, or lost. */
async function discardStage(connection: Connection, name: string, signal: AbortSignal): Promise<void> {
  // Without a database nobody can; the stage is then dropped when it is abandoned for long.
  await withDataSet(connection, name, signal, (db) => dropStage(db, name)).catch(() => undefined);
}

/** Takes a data set and all its places away, and what an interrupted import of it left. */
export async function removeDataSet(
  name: string,
  options: Pick<ImportOptions, "connection" | "signal" | "progress" | "afterSwitch">,
): Promise<{ places: number }> {
  const { connection, signal, progress = () => undefined } = options;
  const report = async (done: number, total: number) => progress({ phase: "indexing", done, total });
  return withDataSet(connection, name, signal, async (db) => {
    const hadStage = await dropStage(db, name);
    const id = await findDataSet(db, name);
    if (id === undefined && !hadStage) throw DataSetUnknown({ name });
    if (id === undefined) return { places: 0 };
    const result = { places: 0 };
    return changeIndex(db, "", report, async (next) => {
      await leaveOut(db, next, id, new Date(0));
      return {
        latest: null,
        result,
        async atSwitch() {
          result.places = await deleteDataSet(db, id);
        },
        async afterSwitch(changedBlocks) {
          await options.afterSwitch?.(changedBlocks);
        },
      };
    });
  });
}

/** Reading a file fails with system calls as well: of those, only what a connection fails with counts. */
const connectionCodes: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** What an error says of a database that went away or is full; undefined when it is about something else. */
function lossOf(error: unknown): ServiceError | undefined {
  if (isDiskFull(error)) return DatabaseLost({ problem: "The disk of the database is full." }, { cause: error });
  if (!(error instanceof Error) || !isOutage(error) || isStatementTimeout(error)) return undefined;
  const isOfConnection =
    "syscall" in error
      ? error.syscall === "connect" || connectionCodes.has(codeOf(error))
      : !/^5[35]/.test(codeOf(error));
  return isOfConnection ? DatabaseLost({ problem: "The database was lost." }, { cause: error }) : undefined;
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

/** The session of an interrupted import, and with it its lock, ends a moment after the import did. */
const interruptedEndsMs = 3_000;

async function withDataSet<Result>(
  connection: Connection,
  name: string,
  signal: AbortSignal,
  work: (db: BulkConnection) => Promise<Result>,
): Promise<Result> {
  const db = await openBulkConnection(connection, signal).catch((error: unknown) => {
    throw lossOf(error) ?? error;
  });
  try {
    const locked = await db.lock("catalogDataSets", lockKeyOf(name), { waitMs: interruptedEndsMs });
    if (!locked) throw ImportRunning({ name });
    await db.execute(`set work_mem = '${sortMegabytes}MB'`);
    return await work(db);
  } catch (error) {
    // Reports the interruption rather than the connection that it cut.
    if (!(error instanceof ServiceError)) signal.throwIfAborted();
    throw lossOf(error) ?? error;
  } finally {
    await db.end();
  }
}
